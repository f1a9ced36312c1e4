# Right: visible_tiles once per tile of queries, one inner function for a step, whole tiles first and cut ones after with masked_fill.
def causal_queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    def step(state, x, t, hidden_from=None):
        peak, mass, acc = state
        keys = hbm.load("K", t * tile_n, (t + 1) * tile_n)
        values = hbm.load("V", t * tile_n, (t + 1) * tile_n)
        s = x @ keys.T * scale
        if hidden_from is not None:
            where = torch.arange(t * tile_n, t * tile_n + len(keys))
            s = s.masked_fill(where[None, :] >= hidden_from[:, None], -torch.inf)
        top = torch.maximum(peak, s.amax(dim=1))
        safe = top.masked_fill(top == -torch.inf, 0.0)
        a, p = torch.exp(peak - safe), torch.exp(s - safe[:, None])
        return top, a * mass + p.sum(dim=1), a[:, None] * acc + p @ values

    for i in range(0, n_q, tile_m):
        x = hbm.load("Q", i, i + tile_m)
        rows = len(x)
        full, seen = visible_tiles(i, i + rows, n_q, n_k, tile_n)
        state = x.new_full((rows,), -torch.inf), x.new_zeros(rows), x.new_zeros(rows, d_v)
        for t in range(full):
            state = step(state, x, t)
        limit = torch.arange(i, i + rows) + 1 + n_k - n_q
        for t in range(full, seen):
            state = step(state, x, t, limit)
        peak, mass, acc = state
        hbm.store("O", i, acc / torch.where(mass > 0, mass, 1.0)[:, None])
        hbm.store("L", i, peak + mass.log())
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
