# a software pipeline: the next tile of keys is loaded one turn early, iterators all the way
def causal_queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only

    def fetch(tile):
        start = tile * tile_n
        return tile, hbm.load("K", start, start + tile_n), hbm.load("V", start, start + tile_n)

    for first in range(0, n_q, tile_m):
        q_tile = hbm.load("Q", first, first + tile_m)
        rows = len(q_tile)
        full, seen = visible_tiles(first, first + rows, n_q, n_k, tile_n)
        last = torch.arange(first, first + rows)[:, None] + (n_k - n_q)
        acc = q_tile.new_zeros(rows, d_v)
        m = q_tile.new_full((rows, 1), -torch.inf)
        l = q_tile.new_zeros(rows, 1)

        upcoming = map(fetch, range(seen))
        current = next(upcoming, None)
        while current is not None:
            (tile, k_tile, v_tile), current = current, next(upcoming, None)
            s = q_tile @ k_tile.mT
            s *= scale
            if tile >= full:
                keys = torch.arange(tile * tile_n, tile * tile_n + len(k_tile))
                s[keys > last] = -torch.inf
            top = torch.maximum(m, s.amax(1, keepdim=True))
            base = torch.where(top == -torch.inf, 0.0, top)
            decay, p = torch.exp(m - base), torch.exp(s - base)
            acc = torch.addmm(acc * decay, p, v_tile)
            l = l * decay + p.sum(1, keepdim=True)
            m = top

        hbm.store("O", first, acc / torch.where(l > 0, l, 1.0))
        hbm.store("L", first, (m + torch.log(l))[:, 0])
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
