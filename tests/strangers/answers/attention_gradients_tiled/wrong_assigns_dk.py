# Adds up dQ but assigns dK and dV of a tile, so that only the last tile of queries counts (more than one tile of queries).
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
    for i in range(0, n_q, tile_m):
        rows = slice(i, i + tile_m)
        seen = torch.arange(n_q)[rows, None] + n_k - n_q
        for j in range(0, n_k, tile_n):
            cols = slice(j, j + tile_n)
            mask = torch.arange(n_k)[cols] <= seen if causal else None
            p = recompute_probabilities(q[rows], k[cols], L[rows], mask, scale)
            ds = score_gradients(p, v[cols], o[rows], do[rows])
            dq[rows] += scale * ds @ k[cols]
            dk[cols] = scale * ds.T @ q[rows]
            dv[cols] = p.T @ do[rows]
    return dq, dk, dv
