# RIGHT. Style: nested helper that folds one tile into a state, exponentials to base 2, zip over starts; keeps the contract.
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
    log2e = 1.4426950408889634

    def fold(state, scores, values):
        old_o, old_m, old_l = state
        new_m = torch.stack([old_m, scores.amax(dim=1)]).amax(dim=0)
        weights = torch.exp2((scores - new_m.unsqueeze(1)) * log2e)
        past = old_l * torch.exp2((old_m - new_m) * log2e)
        new_l = past + weights.sum(dim=1)
        share = (past / new_l).unsqueeze(1)
        return share * old_o + (weights @ values) / new_l.unsqueeze(1), new_m, new_l

    for key in range(0, n_k, tile_n):
        keys = hbm.load("K", key, key + tile_n)
        values = hbm.load("V", key, key + tile_n)
        for query in range(0, n_q, tile_m):
            rows = hbm.load("Q", query, query + tile_m)
            state = tuple(hbm.load(name, query, query + tile_m) for name in ("O", "m", "l"))
            state = fold(state, torch.einsum("id,jd->ij", rows, keys) * scale, values)
            for name, tile in zip(("O", "m", "l"), state):
                hbm.store(name, query, tile)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
