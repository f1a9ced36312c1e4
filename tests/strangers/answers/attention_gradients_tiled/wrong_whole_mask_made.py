# makes the causal mask for all queries and keys before the loops and cuts tiles out of it: values right, but N_q x N_k booleans are held, causal only
def attention_gradients_tiled(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    o: Tensor,
    L: Tensor,
    do: Tensor,
    tile_m: int,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    visible = torch.ones(n_q, n_k, dtype=torch.bool)
    if causal:
        visible = visible.tril(n_k - n_q)
    for i in range(0, n_q, tile_m):
        I = slice(i, i + tile_m)
        for j in range(0, n_k, tile_n):
            J = slice(j, j + tile_n)
            ok = visible[I, J] & (L[I, None] > -torch.inf)
            P = torch.where(ok, torch.exp(scale * q[I] @ k[J].T - L[I, None]), 0.0)
            dS = P * (do[I] @ v[J].T - (do[I] * o[I]).sum(1, keepdim=True))
            dv[J] += P.T @ do[I]
            dq[I] += scale * dS @ k[J]
            dk[J] += scale * dS.T @ q[I]
    return dq, dk, dv
