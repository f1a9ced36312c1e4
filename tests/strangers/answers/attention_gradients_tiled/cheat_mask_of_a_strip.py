# The mask of all queries and a tile of keys is made at once, in bytes
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
        keys = slice(j, min(j + tile_n, n_k))
        last_seen = torch.arange(n_q)[:, None] + n_k - n_q
        strip = torch.arange(j, keys.stop) <= last_seen if causal else None
        for i in range(0, n_q, tile_m):
            queries = slice(i, min(i + tile_m, n_q))
            mask = None
            if causal:
                mask = strip[queries]
            p = recompute_probabilities(q[queries], k[keys], L[queries], mask, scale)
            ds = score_gradients(p, v[keys], o[queries], do[queries])
            dv[keys] += p.T @ do[queries]
            dk[keys] += scale * (ds.T @ q[queries])
            dq[queries] += scale * (ds @ k[keys])
    return dq, dk, dv
