# Two slices of keys for each query, put side by side, no mask.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(n_q, v.shape[1])
    for row, p in enumerate(range(n_k - n_q, n_k)):
        begin = max(0, p - window + 1)
        K, V = (torch.cat([x[: min(sinks, begin)], x[begin : p + 1]]) for x in (k, v))
        o[row] = (K @ q[row] * scale).softmax(0) @ V
    return o
