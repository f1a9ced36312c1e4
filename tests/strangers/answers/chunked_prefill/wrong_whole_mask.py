# Wrong: builds the whole N_q x N_k mask in front of the loop (in float32, even) and cuts rows out of it; values are right, the memory is not bounded by a few matrices of chunk x N_k (long prompt, small chunk).
def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    bias = torch.full((n_q, n_k), float("-inf")).triu(n_k - n_q + 1)
    for rows in torch.arange(n_q).split(chunk):
        if len(rows):
            s = torch.addmm(bias[rows], q[rows], k.T, alpha=scale)
            o[rows] = torch.softmax(s, dim=1) @ v
    return o
