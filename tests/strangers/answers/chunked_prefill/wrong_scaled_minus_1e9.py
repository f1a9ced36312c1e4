# Adds -1e9 to hidden scores before the factor is applied and never subtracts a maximum itself but clamps at 80: small scales uncover the future, scores over 80 are flattened.
def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    for i in range(0, n_q, chunk):
        rows = q[i : i + chunk]
        hidden = torch.arange(n_k) > (i + n_k - n_q + torch.arange(len(rows)))[:, None]
        e = torch.exp(((rows @ k.T - 1e9 * hidden) * scale).clamp(max=80))
        o[i : i + chunk] = (e @ v) / e.sum(1, keepdim=True)
    return o
