# right: the mask of a cut tile as a triangle of ones with an offset diagonal, multiplied into the exponentials; the maximum from the visible scores
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
    Forbidden: softmax, logsumexp, scaled_dot_product. It stays within torch and Python,
    without tolist of floating-point numbers. It calls Memory. Arguments stay as they are,
    and results are new memory.
    """
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    def triangle(first, last, begin, width, like):
        return like.new_ones(last - first, width).tril(first + n_k - n_q - begin).bool()

    for first in range(0, n_q, tile_m):
        last = min(first + tile_m, n_q)
        queries = hbm.load("Q", first, last)
        whole, some = visible_tiles(first, last, n_q, n_k, tile_n)
        m = queries.new_full((last - first, 1), -torch.inf)
        l, acc = torch.zeros_like(m), queries.new_zeros(last - first, d_v)
        for tile in range(some):
            begin = tile * tile_n
            keys = hbm.load("K", begin, begin + tile_n)
            values = hbm.load("V", begin, begin + tile_n)
            s = torch.einsum("id,jd->ij", queries, keys) * scale
            if tile >= whole:
                visible = triangle(first, last, begin, len(keys), s)
                s = torch.where(visible, s, s.new_tensor(-torch.inf))
            top = torch.maximum(m, s.amax(dim=1, keepdim=True))
            anchor = torch.where(torch.isinf(top), torch.zeros_like(top), top)
            p, keep = (s - anchor).exp(), (m - anchor).exp()
            l, acc, m = keep * l + p.sum(dim=1, keepdim=True), keep * acc + p @ values, top
        blind = l == 0
        hbm.store("O", first, acc / (l + blind))
        hbm.store("L", first, (m + l.log()).squeeze(1))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
