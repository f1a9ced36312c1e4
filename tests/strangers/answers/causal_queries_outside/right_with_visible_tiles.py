# two loops over visible_tiles with a small closure for the update
def causal_queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        stop = min(i + tile_m, n_q)
        q = hbm.load("Q", i, stop)
        full, seen = visible_tiles(i, stop, n_q, n_k, tile_n)
        last = torch.arange(i, stop) + n_k - n_q
        m, l = torch.full_like(last, -torch.inf, dtype=q.dtype), torch.zeros(len(q), dtype=q.dtype)
        acc = torch.zeros(len(q), d_v, dtype=q.dtype)

        def fold(t, m, l, acc):
            start = t * tile_n
            k, v = hbm.load("K", start, start + tile_n), hbm.load("V", start, start + tile_n)
            s = q @ k.T * scale
            if t >= full:
                s = s.masked_fill(start + torch.arange(len(k)) > last[:, None], -torch.inf)
            top = torch.maximum(m, s.amax(1))
            ref = top.masked_fill(top == -torch.inf, 0)
            p, keep = (s - ref[:, None]).exp(), (m - ref).exp()
            return top, keep * l + p.sum(1), keep[:, None] * acc + p @ v

        for t in range(seen):
            m, l, acc = fold(t, m, l, acc)
        hbm.store("O", i, acc / l.masked_fill(l == 0, 1)[:, None])
        hbm.store("L", i, m + torch.log(l.masked_fill(l == 0, 1)))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
