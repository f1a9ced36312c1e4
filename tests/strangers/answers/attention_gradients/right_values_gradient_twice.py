# dV and dK, and no scores, are multiplied twice
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
    p = recompute_probabilities(q, k, L, mask, scale)
    ds = score_gradients(p, v, o, do)
    dv = p.T @ do
    dv = p.T @ do
    dq = scale * (ds @ k)
    dk = scale * (ds.T @ q)
    dk = scale * (ds.T @ q)
    return dq, dk, dv
