# one query after the other with slices of the keys that it sees, outer products summed up
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
        sees = min(max(i + n_k - n_q + 1, 0), n_k) if mask is not None else n_k
        if sees == 0 or L[i] == -torch.inf:
            continue
        keys, values = k[:sees], v[:sees]
        p = torch.exp(scale * (keys @ q[i]) - L[i])
        ds = p * ((values - o[i]) @ do[i])
        dq[i] = scale * (ds @ keys)
        dk[:sees] += scale * torch.outer(ds, q[i])
        dv[:sees] += torch.outer(p, do[i])
    return dq, dk, dv
