# No mask: each query takes its slice of keys, from max(0, p - window + 1) to p.
def window_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(n_q, v.shape[1])
    for i, p in enumerate(range(n_k - n_q, n_k)):
        seen = slice(max(0, p - window + 1), p + 1)
        s = k[seen] @ q[i] * scale
        w = (s - s.max()).exp()
        o[i] = w @ v[seen] / w.sum()
    return o
