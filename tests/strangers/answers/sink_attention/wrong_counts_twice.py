# Concatenates the sinks with each query's window as they are, so near the beginning of the sequence the tokens that are both sink and recent count twice.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    out = []
    for i in range(n_q):
        p = n_k - n_q + i
        lo = max(0, p + 1 - window)
        s_max = min(sinks, p + 1)
        keys = torch.cat([k[:s_max], k[lo : p + 1]])
        values = torch.cat([v[:s_max], v[lo : p + 1]])
        out.append(torch.softmax(keys @ q[i] * scale, 0) @ values)
    return torch.stack(out) if out else q.new_zeros(0, v.shape[1])
