# a loop over queries that gathers the keys each one sees: a slice for the window and a slice for the sinks before it
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(n_q, v.shape[1])
    for i in range(n_q):
        position = i + n_k - n_q
        oldest = max(position - window + 1, 0)
        ahead = min(sinks, oldest)  # sinks that the window does not hold
        parts = slice(0, ahead), slice(oldest, position + 1)
        s = torch.cat([k[part] @ q[i] for part in parts]) * scale
        e = torch.exp(s - s.max())
        o[i] = torch.einsum("n,nd->d", e, torch.cat([v[part] for part in parts])) / e.sum()
    return o
