# A loop over the queries, each adding outer products to dk and dv.
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
    dq, dk, dv = torch.empty_like(q), torch.zeros_like(k), torch.zeros_like(v)
    for i in range(n_q):
        dq[i] = scale * (ds[i] @ k)
        dk += torch.outer(ds[i], scale * q[i])
        dv += torch.outer(p[i], do[i])
    return dq, dk, dv
