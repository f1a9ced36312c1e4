# divides the score gradients by sqrt(d) instead of multiplying by the given scale: dq and dk are wrong for every scale but the default
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
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    last_seen = torch.arange(n_q)[:, None] + n_k - n_q
    mask = torch.arange(n_k) <= last_seen if causal else None
    P = recompute_probabilities(q, k, L, mask, scale)
    dS = score_gradients(P, v, o, do) / q.shape[-1] ** 0.5
    dV = P.T @ do
    dQ = dS @ k
    dK = dS.T @ q
    return dQ, dK, dV
