# Right: for each query two slices that never overlap, the sinks before the window and the window; Python's whole numbers have no largest one.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    rows = []
    for p in range(n_k - n_q, n_k):
        x = q[p - n_k + n_q]
        oldest = max(p + 1 - window, 0)
        before = min(sinks, oldest)
        far, near = slice(0, before), slice(oldest, p + 1)
        s = torch.cat([torch.mv(k[far], x), torch.mv(k[near], x)]) * scale
        e = torch.exp(s - s.max())
        rows.append((e[:before] @ v[far] + e[before:] @ v[near]) / e.sum())
    return torch.stack(rows) if rows else q.new_zeros(0, v.shape[1])
