# Works on strips of tile_m queries and all N_k keys and ignores tile_n: right values, but tile_m N_k numbers in memory.
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
        part = slice(i, min(i + tile_m, n_q))
        mask = None
        if causal:
            index = torch.arange(i, part.stop)[:, None] + n_k - n_q
            mask = torch.arange(n_k) <= index
        p = recompute_probabilities(q[part], k, L[part], mask, scale)
        ds = score_gradients(p, v, o[part], do[part])
        dq[part] = scale * ds @ k
        dk += scale * ds.T @ q[part]
        dv += p.T @ do[part]
    return dq, dk, dv
