# right: the tile is a finished attention of its own, merged into the state by weights (lesson 04), with functions in the function
def keys_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor, int, int]:
    """Attention with the tiles of keys in the outer loop and the tiles of queries in the inner.

    For each tile of tile_n keys: load its rows of K and V, once. Then for each tile of tile_m
    queries: load its rows of Q, O, m and l, bring them up to date, and store O, m and l.

    q: (N_q, d), k: (N_k, d), v: (N_k, d_v) float32.
    Returns o (N_q, d_v), m (N_q,), l (N_q,), same dtype, and the loads and stores of main
    memory, in numbers.
    The last tile of either side is what is left. scale: factor of the scores, of any sign or
    0; 1/sqrt(d) if None.
    Memory: O(N_q d_v + tile_m (tile_n + d + d_v) + tile_n (d + d_v)) numbers.

        m' = max(m, rowmax S)      P = exp(S - m')      l' = l e^(m - m') + rowsum P
        O' = (l e^(m - m') O + P V) / l'

    Dao et al. (FlashAttention, 2022), algorithm 1.
    Forbidden: softmax, logsumexp, scaled_dot_product. It stays within torch and Python. It
    calls Memory. Arguments stay as they are, and results are new memory.
    """
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l  # from here on they are seen through hbm only
    def part(queries, keys, values):
        s = torch.einsum("id,jd->ij", scale * queries, keys)
        top = s.max(dim=1, keepdim=True).values
        p = (s - top).exp_()
        weight = p.sum(dim=1, keepdim=True)
        return top, weight, (p @ values) / weight

    def merged(old, new):
        (m1, l1, o1), (m2, l2, o2) = old, new
        top = torch.maximum(m1, m2)
        w1, w2 = l1 * (m1 - top).exp(), l2 * (m2 - top).exp()
        both = w1 + w2
        return top, both, torch.lerp(o1, o2, w2 / both)

    start = 0
    while start < n_k:
        keys, values = (hbm.load(name, start, start + tile_n) for name in "KV")
        for first in range(0, n_q, tile_m):
            queries = hbm.load("Q", first, first + tile_m)
            old = [hbm.load(name, first, first + tile_m) for name in "mlO"]
            old[0], old[1] = old[0][:, None], old[1][:, None]
            top, both, out = merged(old, part(queries, keys, values))
            hbm.store("m", first, top[:, 0])
            hbm.store("l", first, both[:, 0])
            hbm.store("O", first, out)
        start += tile_n
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
