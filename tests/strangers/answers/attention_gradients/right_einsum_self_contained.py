# Everything written out with einsum, without the helpers; empty queries by a zero factor.
def attention_gradients(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor,
    causal: bool = False, scale: float | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    n_q, n_k = len(q), len(k)
    if scale is None:
        scale = q.shape[1] ** -0.5
    scores = torch.einsum("id,jd->ij", q, k) * float(scale)
    if causal:
        visible = torch.ones(n_q, n_k, dtype=torch.bool).tril(n_k - n_q)
        scores[~visible] = -torch.inf
    norm = torch.where(L > -torch.inf, L, torch.inf)
    p = torch.exp(scores - norm[:, None])
    dv = torch.einsum("ij,ic->jc", p, do)
    dp = torch.einsum("ic,jc->ij", do, v)
    ds = float(scale) * p * (dp - (o * do).sum(1, keepdim=True))
    return torch.einsum("ij,jd->id", ds, k), torch.einsum("ij,id->jd", ds, q), dv
