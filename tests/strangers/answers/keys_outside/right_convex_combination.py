# right: the output as a weighted mean of the old one and the tile's, helper functions, generators of tiles
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
    Forbidden: softmax, logsumexp, scaled_dot_product. It stays within torch and Python,
    without tolist of floating-point numbers. It calls Memory. Arguments stay as they are,
    and results are new memory.
    """
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l  # from here on they are seen through hbm only
    def tiles(n, size):
        return ((first, min(first + size, n)) for first in range(0, n, size))

    def update(rows, keys, values):
        q, o, m, l = (hbm.load(name, *rows) for name in ("Q", "O", "m", "l"))
        s = torch.einsum("id,jd->ij", q, keys).mul_(scale)
        top = torch.stack([m, s.max(dim=-1).values]).amax(dim=0)
        p = s.sub_(top.unsqueeze(1)).exp_()
        before, now = l * (m - top).exp(), p.sum(dim=-1)
        total = before + now
        share = (before / total).unsqueeze(1)
        o = share * o + torch.einsum("ij,jc->ic", p / total.unsqueeze(1), values)
        for name, tile in (("l", total), ("m", top), ("O", o)):
            hbm.store(name, rows[0], tile)

    for columns in tiles(n_k, tile_n):
        keys, values = hbm.load("K", *columns), hbm.load("V", *columns)
        for rows in tiles(n_q, tile_m):
            update(rows, keys, values)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
