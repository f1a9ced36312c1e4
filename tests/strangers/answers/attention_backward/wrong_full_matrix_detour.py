# Goes through float matrices N_q x N_k with torch instead of the kernels: values are fine, memory is not "these, and delta".
def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    (n_q, d), n_k = q.shape[-2:], k.shape[-2]
    sigma = d**-0.5 if scale is None else scale
    Q, K, V, O, dO = (x.float() for x in (q, k, v, o, do))
    p = torch.exp(sigma * Q @ K.mT - L[..., None])
    if causal:
        seen = torch.ones(n_q, n_k, dtype=torch.bool, device=q.device).tril(n_k - n_q)
        p = torch.where(seen, p, 0.0)
    ds = p * (dO @ V.mT - (O * dO).sum(-1, keepdim=True)) * sigma
    return (ds @ K).to(q.dtype), (ds.mT @ Q).to(k.dtype), (p.mT @ dO).to(v.dtype)
