# One slice of keys for each query, no mask.
def window_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(n_q, v.shape[1])
    for row, p in enumerate(range(n_k - n_q, n_k)):
        near = slice(max(0, p - window + 1), p + 1)
        o[row] = (k[near] @ q[row] * scale).softmax(0) @ v[near]
    return o
