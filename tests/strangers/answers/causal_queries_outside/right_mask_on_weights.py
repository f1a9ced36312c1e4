# maxima over the seen scores, then weights times a 0/1 mask; a log-sum-exp that starts at -inf, limits from visible_tiles, blocks by a generator
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
    def tiles_of(start, stop):
        full, seen = visible_tiles(start, stop, n_q, n_k, tile_n)
        limit = torch.arange(start, stop).unsqueeze(1) + (n_k - n_q)
        for t in range(seen):
            a = t * tile_n
            keys, values = hbm.load("K", a, a + tile_n), hbm.load("V", a, a + tile_n)
            visible = None if t < full else limit >= torch.arange(a, a + len(keys))
            yield keys, values, visible

    for start in range(0, n_q, tile_m):
        stop = min(start + tile_m, n_q)
        queries = hbm.load("Q", start, stop)
        out = torch.zeros(stop - start, d_v)
        total = torch.zeros(stop - start, 1)
        top = torch.full_like(total, -torch.inf)
        for keys, values, visible in tiles_of(start, stop):
            scores = (queries @ keys.mT) * scale
            if visible is not None:
                scores[~visible] = -torch.inf
            peak = torch.maximum(top, scores.amax(dim=1, keepdim=True))
            ground = peak.clone()
            ground[peak == -torch.inf] = 0
            weights = torch.exp(scores - ground)
            factor = torch.exp(top - ground)
            out = out * factor + weights @ values
            total = total * factor + weights.sum(dim=1, keepdim=True)
            top = peak
        blind = total == 0
        hbm.store("O", start, out / (total + blind))
        hbm.store("L", start, (top + torch.log(total + blind)).squeeze(1))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
