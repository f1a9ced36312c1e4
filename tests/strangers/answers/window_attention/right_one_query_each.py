# Right: one query at a time over exactly the slice of keys that it sees, nothing is masked.
def window_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    out = q.new_empty(n_q, v.shape[1])
    for i, p in enumerate(range(n_k - n_q, n_k)):
        near = slice(max(0, p - window + 1), p + 1)
        weights = torch.softmax(torch.mv(k[near], q[i]) * scale, dim=0)
        out[i] = weights @ v[near]
    return out
