# RIGHT. Style: one inner function for a tile, used by two loops (whole tiles, cut tiles); the -inf guards are in one place.
def causal_queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    """`queries_outside` with a causal mask: tiles that nobody sees are never loaded.

    Of K and V it loads the `visible_tiles` of each tile of queries, multiplies them, no others
    and each once, and masks those that are not seen whole. Q is loaded, and O and L are stored,
    for queries that see no key too.

    q: (N_q, d), k: (N_k, d), v: (N_k, d_v) float32. tile_m, tile_n, scale: as there.
    Query i sees the keys j <= i + N_k - N_q.
    Returns o (N_q, d_v) and the log-sum-exp L (N_q,), same dtype, and the loads and stores of
    main memory, in numbers. A query that sees no key gives 0 and -inf. Memory: as there.
    Forbidden: softmax, logsumexp, scaled_dot_product. It stays within torch and Python. It
    calls Memory. Arguments stay as they are, and results are new memory.
    """
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    shift = n_k - n_q

    def visit(i, t, queries, state, cut):
        acc, m, l = state
        j = t * tile_n
        keys, values = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
        s = (queries @ keys.T) * scale
        if cut:
            last = torch.arange(i, i + len(queries)) + shift
            hidden = torch.arange(j, j + len(keys)) > last.unsqueeze(1)
            s.masked_fill_(hidden, -torch.inf)
        top = torch.maximum(m, s.amax(dim=1))
        base = top.masked_fill(top == -torch.inf, 0.0)
        a, p = torch.exp(m - base), torch.exp(s - base.unsqueeze(1))
        return a.unsqueeze(1) * acc + p @ values, top, a * l + p.sum(dim=1)

    for i in range(0, n_q, tile_m):
        queries = hbm.load("Q", i, i + tile_m)
        rows = len(queries)
        full, seen = visible_tiles(i, i + rows, n_q, n_k, tile_n)
        state = torch.zeros(rows, d_v), torch.full((rows,), -torch.inf), torch.zeros(rows)
        for t in range(full):
            state = visit(i, t, queries, state, cut=False)
        for t in range(full, seen):
            state = visit(i, t, queries, state, cut=True)
        acc, m, l = state
        hbm.store("O", i, acc / l.masked_fill(l == 0, 1.0).unsqueeze(1))
        hbm.store("L", i, m + torch.log(l))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
