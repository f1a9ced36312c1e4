# scores on their side (keys are rows), a helper for a visit, while loops
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
    def visit(start, keys, values):
        stop = min(start + tile_m, n_q)
        state = [hbm.load(name, start, stop) for name in ("Q", "O", "m", "l")]
        queries, out, top, total = state
        scores = torch.einsum("kd,qd->kq", keys, queries).mul_(scale)
        peak = torch.stack([top, scores.amax(dim=0)]).amax(dim=0)
        weights = scores.sub_(peak).exp_()
        kept = total * (top - peak).exp()
        fresh = kept + weights.sum(dim=0)
        out = torch.addmm(out * kept.unsqueeze(1), weights.t(), values)
        hbm.store("O", start, out.div_(fresh.unsqueeze(1)))
        hbm.store("m", start, peak)
        hbm.store("l", start, fresh)
        return stop

    key = 0
    while key < n_k:
        keys, values = hbm.load("K", key, key + tile_n), hbm.load("V", key, key + tile_n)
        key += tile_n
        query = 0
        while query < n_q:
            query = visit(query, keys, values)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
