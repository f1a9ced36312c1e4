# Makes the causal mask for the whole matrix and cuts tiles out of it: right values, N_q N_k memory.
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
    mask = torch.ones(n_q, n_k, dtype=torch.bool).tril(n_k - n_q) if causal else None
    for i in range(0, n_q, tile_m):
        for j in range(0, n_k, tile_n):
            m, n = slice(i, i + tile_m), slice(j, j + tile_n)
            part = None if mask is None else mask[m, n]
            p = recompute_probabilities(q[m], k[n], L[m], part, scale)
            ds = score_gradients(p, v[n], o[m], do[m])
            dq[m] += scale * ds @ k[n]
            dk[n] += scale * ds.T @ q[m]
            dv[n] += p.T @ do[m]
    return dq, dk, dv
