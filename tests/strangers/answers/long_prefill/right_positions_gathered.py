# Gathers the chunk's keys by an index of true positions and masks by these positions; does not call sink_attention.
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
    factor = q.shape[1] ** -0.5 if scale is None else scale
    i = 0
    while i < n_q:
        rows = q[i : i + chunk]
        p = torch.arange(len(rows))[:, None] + (i + n_k - n_q)
        first, last = int(p[0]), int(p[-1])
        start = max(first - window + 1, 0)
        j = torch.cat([torch.arange(min(sinks, start)), torch.arange(start, last + 1)])
        s = rows @ k[j].T * factor
        s[(j > p) | ((j <= p - window) & (j >= sinks))] = -torch.inf
        o[i : i + chunk] = torch.softmax(s, 1) @ v[j]
        i += chunk
    return o
