# Tiles the queries only and takes all keys at once: a strip of tile_m x N_k numbers, more than a tile allows.
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
        m = slice(i, i + tile_m)
        seen = torch.arange(n_q)[m, None] + n_k - n_q
        mask = torch.arange(n_k) <= seen if causal else None
        p = recompute_probabilities(q[m], k, L[m], mask, scale)
        ds = score_gradients(p, v, o[m], do[m])
        dq[m] = scale * ds @ k
        dk += scale * ds.T @ q[m]
        dv += p.T @ do[m]
    return dq, dk, dv
