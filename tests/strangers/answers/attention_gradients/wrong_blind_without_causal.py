# The first n_q - n_k queries give nothing, causal or not: wrong where more queries than keys see them all
def attention_gradients(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    o: Tensor,
    L: Tensor,
    do: Tensor,
    causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    n_q, n_k = len(q), len(k)
    factor = q.shape[1] ** -0.5 if scale is None else scale
    p = torch.exp(factor * torch.einsum("id,jd->ij", q, k) - L[:, None])
    if causal:
        p = torch.where(torch.ones(n_q, n_k, dtype=torch.bool).tril(n_k - n_q), p, 0.0)
    p[: max(0, n_q - n_k)] = 0.0
    ds = p * (torch.einsum("ic,jc->ij", do, v) - (do * o).sum(1)[:, None])
    dq = factor * torch.einsum("ij,jd->id", ds, k)
    dk = factor * torch.einsum("ij,id->jd", ds, q)
    return dq, dk, torch.einsum("ij,ic->jc", p, do)
