# Keys outside, queries inside, tiles beyond the mask skipped, slices.
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
    shift = n_k - n_q
    for j in range(0, n_k, tile_n):
        keys = slice(j, min(j + tile_n, n_k))
        numbers = torch.arange(n_k)[keys]
        for i in range(0, n_q, tile_m):
            rows = slice(i, min(i + tile_m, n_q))
            if causal and rows.stop - 1 + shift < j:
                continue
            mask = None
            if causal:
                mask = numbers <= torch.arange(i, rows.stop)[:, None] + shift
            p = recompute_probabilities(q[rows], k[keys], L[rows], mask, scale)
            ds = score_gradients(p, v[keys], o[rows], do[rows]) * scale
            dv[keys] += p.T @ do[rows]
            dk[keys] += ds.T @ q[rows]
            dq[rows] += ds @ k[keys]
    return dq, dk, dv
