# one query after the other, with a slice of keys in place of a mask; its share of dk and dv is an outer product
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
    dq, dk, dv = q.new_zeros(q.shape), k.new_zeros(k.shape), v.new_zeros(v.shape)
    for i in range(n_q):
        seen = min(i + n_k - n_q + 1, n_k) if causal else n_k
        if seen <= 0:
            continue
        keys, values, g, row = k[:seen], v[:seen], do[i], q[i]
        p = torch.exp(scale * (keys @ row) - L[i])
        ds = scale * p * (values @ g - torch.dot(g, o[i]))
        dq[i] = ds @ keys
        dk[:seen].addr_(ds, row)
        dv[:seen].addr_(p, g)
    return dq, dk, dv
