# Builds the N_q x N_k boolean mask once and slices it for every chunk, which is memory quadratic in the prompt.
def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    mask = torch.tril(torch.ones(n_q, n_k, dtype=torch.bool), diagonal=n_k - n_q)
    start = 0
    while start < n_q:
        stop = start + chunk
        scores = q[start:stop].matmul(k.T).mul(scale)
        scores.masked_fill_(mask[start:stop].logical_not(), float("-inf"))
        o[start:stop] = scores.softmax(-1).matmul(v)
        start = stop
    return o
