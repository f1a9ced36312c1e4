# right: blue tiles and cut tiles in a loop each, through one function that returns the new state; -inf is caught by nan-free arithmetic on where()
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
    def step(state, queries, t, bound):
        m, l, acc = state
        start = t * tile_n
        keys, values = hbm.load("K", start, start + tile_n), hbm.load("V", start, start + tile_n)
        s = torch.einsum("id,jd->ij", queries, keys) * scale
        if bound is not None:
            visible = torch.arange(start, start + len(keys))[None] <= bound
            s = torch.where(visible, s, torch.full_like(s, -torch.inf))
        top = torch.maximum(m, s.max(dim=1, keepdim=True).values)
        base = top.clone()
        base[base == -torch.inf] = 0.0
        p, a = torch.exp2((s - base) * LOG2E), torch.exp2((m - base) * LOG2E)
        return top, a * l + p.sum(dim=1, keepdim=True), torch.addmm(a * acc, p, values)

    LOG2E = 1.4426950408889634
    for first in range(0, n_q, tile_m):
        queries = hbm.load("Q", first, first + tile_m)
        count = queries.shape[0]
        full, seen = visible_tiles(first, first + count, n_q, n_k, tile_n)
        state = (
            queries.new_full((count, 1), -torch.inf),
            queries.new_zeros(count, 1),
            queries.new_zeros(count, d_v),
        )
        for t in range(full):
            state = step(state, queries, t, None)
        bound = (torch.arange(count) + first + n_k - n_q)[:, None]
        for t in range(full, seen):
            state = step(state, queries, t, bound)
        top, total, acc = state
        some = total > 0
        hbm.store("O", first, torch.where(some, acc / torch.where(some, total, 1.0), 0.0))
        hbm.store("L", first, (top + total.log())[:, 0])
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
