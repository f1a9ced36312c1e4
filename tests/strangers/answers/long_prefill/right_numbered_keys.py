# Right: no call of sink_attention; a list of the visible positions, one gather, and the mask from the positions themselves.
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
    scale = q.shape[1] ** -0.5 if scale is None else scale
    window, sinks = min(window, n_k), min(sinks, n_k)
    o = q.new_zeros(n_q, v.shape[1])
    first = n_k - n_q
    while first < n_k:
        last = min(first + chunk, n_k)
        oldest = max(first + 1 - window, 0)
        j = torch.cat([torch.arange(min(sinks, oldest)), torch.arange(oldest, last)])
        p = torch.arange(first, last).unsqueeze(1)
        seen = torch.logical_and(j <= p, torch.logical_or(p - j < window, j < sinks))
        rows = slice(first - n_k + n_q, last - n_k + n_q)
        s = (q[rows] @ k.index_select(0, j).t()).mul_(scale)
        s.masked_fill_(seen.logical_not_(), -torch.inf)
        torch.mm(torch.softmax(s, 1), v.index_select(0, j), out=o[rows])
        first = last
    return o
