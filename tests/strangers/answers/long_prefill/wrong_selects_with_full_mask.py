# Picks a chunk's keys with a boolean mask over all positions, so an arange and masks of N_k numbers are made for every chunk: right values, but memory grows with N_k.
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
    position = torch.arange(n_k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    for p in torch.arange(n_k - n_q, n_k).split(chunk):
        if not len(p):
            break
        needed = (position <= p[-1]) & ((position > p[0] - window) | (position < sinks))
        j = position[needed]
        s = q[p - (n_k - n_q)] @ k[needed].T * scale
        p = p[:, None]
        s.masked_fill_((j > p) | ((j <= p - window) & (j >= sinks)), -torch.inf)
        o[p[:, 0] - (n_k - n_q)] = s.softmax(-1) @ v[needed]
    return o
