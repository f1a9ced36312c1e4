# Right: one query after the other over the keys that it sees, outer products added to dk and dv.
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
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    for i in range(n_q):
        seen = n_k if not causal else max(0, min(n_k, i + 1 + n_k - n_q))
        if seen == 0:
            continue
        keys, values = k[:seen], v[:seen]
        p = torch.exp(scale * (keys @ q[i]) - L[i])
        dv[:seen] += torch.outer(p, do[i])
        ds = p * (values @ do[i] - torch.dot(do[i], o[i]))
        dq[i] = scale * (ds @ keys)
        dk[:seen] += scale * torch.outer(ds, q[i])
    return dq, dk, dv
