# Builds the N_q x N_k bias for the whole prompt before the loop: right values, but memory is quadratic whatever the chunk.
def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    bias = torch.zeros(n_q, n_k).masked_fill_(
        torch.ones(n_q, n_k, dtype=torch.bool).triu(n_k - n_q + 1), -torch.inf
    )
    for a in range(0, n_q, chunk):
        b = a + chunk
        o[a:b] = torch.softmax(torch.addmm(bias[a:b], q[a:b], k.T, alpha=scale), -1) @ v
    return o
