# query by query with two slices that never overlap: the sinks before the window, and the window; Python's whole numbers do not overflow
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(n_q, v.shape[1])
    for i in range(n_q):
        end = i + n_k - n_q + 1
        start = max(end - window, 0)
        apart = min(sinks, start)
        keys = torch.cat([k[:apart], k[start:end]])
        values = torch.cat([v[:apart], v[start:end]])
        o[i] = torch.softmax(scale * torch.mv(keys, q[i]), dim=0) @ values
    return o
