# right: base 2 with the logarithm turned back, tiles from a generator, state in one matrix whose last column is the denominator (a column of ones beside V)
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
    log2e = 1.4426950408889634

    def pieces(name, size, step):
        for start in range(0, size, step):
            yield start, hbm.load(name, start, start + step)

    for first, queries in pieces("Q", n_q, tile_m):
        state = queries.new_zeros(len(queries), d_v + 1)
        top = queries.new_full((len(queries), 1), -torch.inf)
        for (_, keys), (_, values) in zip(pieces("K", n_k, tile_n), pieces("V", n_k, tile_n)):
            s = (queries @ keys.T) * (scale * log2e)
            higher = torch.maximum(top, s.amax(dim=1, keepdim=True))
            widened = torch.cat([values, values.new_ones(len(values), 1)], dim=1)
            state = state * torch.exp2(top - higher) + torch.exp2(s - higher) @ widened
            top = higher
        out, total = state[:, :d_v], state[:, d_v:]
        hbm.store("O", first, out / total)
        hbm.store("L", first, ((top + torch.log2(total)) / log2e)[:, 0])
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
