# memory: chunks of at least 32 queries, whatever is asked for
def long_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, window: int, sinks: int = 0, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    o = q.new_zeros(n_q, v.shape[1])
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    chunk = max(chunk, 32)
    for i in range(0, n_q, chunk):
        stop = min(i + chunk, n_q)
        first, end = i + n_k - n_q, stop + n_k - n_q
        begin = max(0, first - window + 1)
        at = torch.cat([torch.arange(min(sinks, begin)), torch.arange(begin, end)])
        row = torch.arange(first, end)[:, None]
        hidden = (at > row) | ((at <= row - window) & (at >= sinks))
        s = torch.mm(q[i:stop], k[at].T).mul_(scale).masked_fill_(hidden, -torch.inf)
        o[i:stop] = torch.softmax(s, 1) @ v[at]
    return o
