# Masks with -1e9: a query that sees no key, in a tile where others see some, gets the mean of the values and L near -1e9 instead of 0 and -inf (N_q > N_k). Also makes an N_q x N_k mask.
def causal_queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for start in range(0, n_q, tile_m):
        stop = min(start + tile_m, n_q)
        full, seen = visible_tiles(start, stop, n_q, n_k, tile_n)
        query = hbm.load("Q", start, stop)
        acc = torch.zeros(stop - start, d_v)
        m = torch.full((stop - start, 1), -torch.inf)
        l = torch.zeros(stop - start, 1)
        for t in range(seen):
            key = hbm.load("K", t * tile_n, t * tile_n + tile_n)
            value = hbm.load("V", t * tile_n, t * tile_n + tile_n)
            score = torch.matmul(query, key.T) * scale
            if t >= full:
                visible = torch.ones(n_q, n_k, dtype=torch.bool).tril(n_k - n_q)
                visible = visible[start:stop, t * tile_n : t * tile_n + len(key)]
                score = score.masked_fill(~visible, -1e9)
            new_m = torch.maximum(m, score.max(dim=-1, keepdim=True).values)
            p = torch.exp(score - new_m)
            l = l * torch.exp(m - new_m) + p.sum(dim=-1, keepdim=True)
            acc = acc * torch.exp(m - new_m) + p @ value
            m = new_m
        if seen == 0:
            l += 1
        hbm.store("O", start, acc / l)
        hbm.store("L", start, (m + torch.log(l))[:, 0])
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
