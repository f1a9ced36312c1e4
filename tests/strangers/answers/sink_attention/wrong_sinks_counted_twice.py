# Concatenates sinks and window for every query without looking whether they overlap: near the beginning (p - window + 1 < sinks) keys come twice.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    rows = []
    for i in range(n_q):
        p = i + n_k - n_q
        near = range(max(0, p - window + 1), p + 1)
        idx = [j for j in range(min(sinks, p + 1))] + list(near)
        rows.append(torch.softmax(scale * (q[i] @ k[idx].T), dim=-1) @ v[idx])
    return torch.stack(rows) if rows else q.new_zeros(0, v.shape[1])
