# right: functools.reduce over the tiles of keys, the state as a tuple, the sum l as one more column of the accumulator
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
    Forbidden: softmax, logsumexp, scaled_dot_product. It stays within torch and Python,
    without tolist of floating-point numbers. It calls Memory. Arguments stay as they are,
    and results are new memory.
    """
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    from functools import reduce

    for first in range(0, n_q, tile_m):
        queries = hbm.load("Q", first, first + tile_m).mul_(1.0)

        def meet(state, at, queries=queries):
            m, acc = state
            scores = torch.mm(queries, hbm.load("K", at, at + tile_n).t()).mul_(scale)
            values = hbm.load("V", at, at + tile_n)
            top = torch.maximum(m, scores.max(dim=1, keepdim=True).values)
            weights = scores.sub_(top).exp_()
            acc = acc * (m - top).exp()
            acc[:, :d_v] += weights @ values
            acc[:, d_v:] += weights.sum(dim=1, keepdim=True)
            return top, acc

        nothing = queries.new_full((len(queries), 1), -torch.inf)
        begin = nothing, queries.new_zeros(len(queries), d_v + 1)
        m, acc = reduce(meet, range(0, n_k, tile_n), begin)
        hbm.store("O", first, acc[:, :d_v] / acc[:, d_v:])
        hbm.store("L", first, (m + acc[:, d_v:].log()).squeeze(1))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
