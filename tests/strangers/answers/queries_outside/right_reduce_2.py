# RIGHT. Style: functools.reduce over the tiles of keys with a small step function, addmm for the accumulator.
def queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    """Attention with the tiles of queries in the outer loop and the tiles of keys in the inner.

    For each tile of tile_m queries: load its rows of Q, once. Then for each tile of tile_n
    keys: load its rows of K and V. acc, m and l stay on the chip; at the end, store O and L.

    q: (N_q, d), k: (N_k, d), v: (N_k, d_v) float32.
    Returns o (N_q, d_v) and the log-sum-exp L (N_q,), same dtype, and the loads and stores of
    main memory, in numbers.
    The last tile of either side is what is left. scale: factor of the scores, of any sign or
    0; 1/sqrt(d) if None.
    Memory: O(N_q d_v + tile_m (tile_n + d + d_v) + tile_n (d + d_v)) numbers.

        m' = max(m, rowmax S)      a = exp(m - m')      P = exp(S - m')
        acc' = a acc + P V         l' = a l + rowsum P

    and at the end O = acc / l, L = m + log l. Dao (FlashAttention-2, 2023), algorithm 1.
    Forbidden: softmax, logsumexp, scaled_dot_product. It stays within torch and Python. It
    calls Memory. Arguments stay as they are, and results are new memory.
    """
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    from functools import reduce

    def step(state, j):
        queries, acc, m, l = state
        keys, values = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
        s = torch.mm(queries, keys.t()).mul_(scale)
        top = torch.maximum(m, s.max(dim=1).values)
        fade = (m - top).exp_()
        p = s.sub_(top.unsqueeze(1)).exp_()
        acc = torch.addmm(acc * fade.unsqueeze(1), p, values)
        return queries, acc, top, torch.addcmul(p.sum(dim=1), l, fade)

    for i in range(0, n_q, tile_m):
        queries = hbm.load("Q", i, i + tile_m)
        rows = queries.shape[0]
        start = queries, queries.new_zeros(rows, d_v), queries.new_full((rows,), -torch.inf), queries.new_zeros(rows)
        _, acc, m, l = reduce(step, range(0, n_k, tile_n), start)
        hbm.store("O", i, acc.div_(l.unsqueeze(1)))
        hbm.store("L", i, l.log_().add_(m))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
