# Chunks by torch.split, a mask from positions over all keys, weights from the log-sum-exp.
def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    if n_q == 0:
        return o
    j = torch.arange(n_k)
    for here in torch.arange(n_q).split(chunk):
        position = here + (n_k - n_q)
        s = torch.einsum("id,jd->ij", q[here], k) * scale
        s = s.where(j <= position[:, None], torch.tensor(-torch.inf))
        o[here] = torch.exp(s - torch.logsumexp(s, dim=1)[:, None]) @ v
    return o
