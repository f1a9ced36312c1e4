# a generator yields for each chunk which keys it may see, as one index tensor of positions
def long_prefill(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    chunk: int,
    window: int,
    sinks: int = 0,
    scale: float | None = None,
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    o = q.new_zeros(n_q, v.shape[1])
    factor = q.shape[-1] ** -0.5 if scale is None else scale
    before = n_k - n_q

    def chunks():
        for begin in range(0, n_q, chunk):
            end = min(begin + chunk, n_q)
            low = max(0, begin + before - window + 1)
            first_ones = torch.arange(min(sinks, low))
            recent = torch.arange(low, end + before)
            yield begin, end, torch.cat([first_ones, recent])

    for begin, end, keys in chunks():
        p = torch.arange(begin + before, end + before).unsqueeze(1)
        hidden = (keys > p) | ((keys <= p - window) & (keys >= sinks))
        s = (q[begin:end] @ k[keys].T).mul_(factor).masked_fill_(hidden, -torch.inf)
        o[begin:end] = s.softmax(dim=1) @ v[keys]
    return o
