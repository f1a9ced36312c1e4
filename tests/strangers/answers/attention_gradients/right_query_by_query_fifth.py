# scalar style: one query after the other meets the slice of keys that it sees, no mask anywhere
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
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    for i in range(n_q):
        n = n_k
        if causal:
            n = min(max(i + 1 + n_k - n_q, 0), n_k)
        if n == 0:
            continue
        keys, values = k[:n], v[:n]
        p = torch.exp(factor * (keys @ q[i]) - L[i])
        ds = p * (values @ do[i] - torch.dot(do[i], o[i]))
        dq[i] = factor * (ds @ keys)
        dk[:n] += torch.outer(factor * ds, q[i])
        dv[:n] += torch.outer(p, do[i])
    return dq, dk, dv
