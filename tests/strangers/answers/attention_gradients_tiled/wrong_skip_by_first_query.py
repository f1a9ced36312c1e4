# Skips a causal tile when its first key is hidden from the tile's FIRST query: drops tiles that later queries see, with tile_m > tile_n or shifted diagonals.
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
        for j in range(0, n_k, tile_n):
            if causal and j > i + n_k - n_q:
                break  # above the diagonal
            cols = slice(j, j + tile_n)
            mask = None
            if causal:
                r = torch.arange(n_q)[rows]
                c = torch.arange(n_k)[cols]
                mask = c[None] <= r[:, None] + n_k - n_q
            p = recompute_probabilities(q[rows], k[cols], L[rows], mask, scale)
            ds = score_gradients(p, v[cols], o[rows], do[rows])
            dv[cols] += p.T @ do[rows]
            dq[rows] += scale * (ds @ k[cols])
            dk[cols] += scale * (ds.T @ q[rows])
    return dq, dk, dv
