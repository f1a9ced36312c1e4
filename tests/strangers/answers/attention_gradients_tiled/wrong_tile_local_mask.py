# Masks with attention_gradients on the tile, which aligns its mask with the tile's own corner: wrong for causal beyond a single tile.
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
        for j in range(0, n_k, tile_n):
            m, n = slice(i, i + tile_m), slice(j, j + tile_n)
            a, b, c = attention_gradients(q[m], k[n], v[n], o[m], L[m], do[m], causal, scale)
            dq[m] += a
            dk[n] += b
            dv[n] += c
    return dq, dk, dv
