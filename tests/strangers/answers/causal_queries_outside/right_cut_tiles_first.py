# Right: the cut tiles come first, then the whole ones from the last to the first, in one helper with or without a mask.
def causal_queries_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v

    def step(state, queries, i, t, cut):
        acc, m, l = state
        j = t * tile_n
        keys, values = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
        s = torch.mm(queries, keys.T).mul_(scale)
        if cut:
            ahead = torch.arange(j, j + len(keys)) - torch.arange(i, i + len(queries))[:, None]
            s.masked_fill_(ahead > n_k - n_q, -torch.inf)
        top = torch.maximum(m, s.amax(dim=1, keepdim=True))
        base = top.masked_fill(top == -torch.inf, 0.0)
        fade, p = (m - base).exp(), s.sub_(base).exp_()
        return acc * fade + p @ values, top, l * fade + p.sum(dim=1, keepdim=True)

    for i in range(0, n_q, tile_m):
        queries = hbm.load("Q", i, i + tile_m)
        rows = len(queries)
        full, seen = visible_tiles(i, i + rows, n_q, n_k, tile_n)
        state = queries.new_zeros(rows, d_v), queries.new_full((rows, 1), -torch.inf), queries.new_zeros(rows, 1)
        for t in range(seen - 1, -1, -1):
            state = step(state, queries, i, t, cut=t >= full)
        acc, m, l = state
        hbm.store("O", i, acc.div_(l.masked_fill(l == 0, 1.0)))
        hbm.store("L", i, (m + l.log()).squeeze(1))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
