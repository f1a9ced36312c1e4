# right: two loops, first the cut tiles from right to left, then the whole ones without a mask; one closure does the step
def causal_queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        queries = hbm.load("Q", i, i + tile_m)
        height = len(queries)
        full, seen = visible_tiles(i, i + height, n_q, n_k, tile_n)
        newest = torch.arange(i, i + height).unsqueeze(1) + (n_k - n_q)
        acc = queries.new_zeros(height, d_v)
        m, l = queries.new_full((height, 1), -torch.inf), queries.new_zeros(height, 1)

        def step(t, cut):
            nonlocal acc, m, l
            keys = hbm.load("K", t * tile_n, (t + 1) * tile_n)
            S = torch.mm(queries, keys.T).mul_(scale)
            if cut:
                place = torch.arange(t * tile_n, t * tile_n + len(keys))
                S.masked_fill_(place > newest, -torch.inf)
            top = torch.maximum(m, S.amax(dim=1, keepdim=True))
            base = torch.where(top > -torch.inf, top, torch.zeros_like(top))
            S.sub_(base).exp_()
            alpha = torch.exp(m - base)
            l = alpha * l + S.sum(dim=1, keepdim=True)
            acc = alpha * acc
            acc.addmm_(S, hbm.load("V", t * tile_n, (t + 1) * tile_n))
            m = top

        for t in reversed(range(full, seen)):
            step(t, cut=True)
        for t in range(full):
            step(t, cut=False)

        blind = l == 0
        hbm.store("O", i, torch.where(blind, torch.zeros_like(acc), acc / l))
        L = torch.where(blind, torch.full_like(m, -torch.inf), m + torch.log(l))
        hbm.store("L", i, L.squeeze(1))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
