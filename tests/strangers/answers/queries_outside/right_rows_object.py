# the state of a tile of queries as an object that absorbs keys; L from the logarithm of base 2
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
    class Rows:
        def __init__(self, queries):
            self.queries = queries * scale
            self.sums = torch.zeros(len(queries), d_v + 1)  # the values' sums, and in the last column l
            self.peak = torch.full((len(queries), 1), -torch.inf)

        def absorb(self, keys, values):
            scores = self.queries.matmul(keys.mT)
            peak = torch.cat([self.peak, scores.amax(dim=1, keepdim=True)], dim=1).amax(dim=1, keepdim=True)
            weights = scores.sub(peak).exp()
            self.sums *= (self.peak - peak).exp()
            self.sums[:, :-1] += weights @ values
            self.sums[:, -1] += weights.sum(dim=1)
            self.peak = peak

        def finish(self):
            l = self.sums[:, -1]
            return self.sums[:, :-1] / l[:, None], self.peak[:, 0] + torch.log2(l) * 0.6931471805599453

    for at in range(0, n_q, tile_m):
        rows = Rows(hbm.load("Q", at, at + tile_m))
        for key in range(0, n_k, tile_n):
            rows.absorb(*(hbm.load(name, key, key + tile_n) for name in "KV"))
        for name, tile in zip("OL", rows.finish()):
            hbm.store(name, at, tile)
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
