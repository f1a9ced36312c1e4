# Computes its own borders, a while loop that ends at the last visible key, tril for the cut tiles, nan-free by clamping the maximum from below at the smallest float.
def causal_queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    tiny = torch.finfo(torch.float32).min
    for a in range(0, n_q, tile_m):
        b = min(a + tile_m, n_q)
        Q = hbm.load("Q", a, b)
        m = Q.new_full((b - a, 1), tiny)
        l = Q.new_zeros(b - a, 1)
        acc = Q.new_zeros(b - a, d_v)
        c = 0
        while c < n_k and c <= b - 1 + n_k - n_q:
            K, V = hbm.load("K", c, c + tile_n), hbm.load("V", c, c + tile_n)
            S = scale * (Q @ K.T)
            if c + len(K) > a + 1 + n_k - n_q:
                allowed = torch.ones_like(S).tril(a - c + n_k - n_q) > 0
                S[~allowed] = -torch.inf
            m_new = torch.maximum(m, S.amax(1, keepdim=True))
            alpha = torch.exp(m - m_new)
            P = torch.exp(S - m_new)
            l = alpha * l + P.sum(1, keepdim=True)
            acc = alpha * acc + P @ V
            m = m_new
            c += tile_n
        nobody = l == 0
        hbm.store("O", a, torch.where(nobody, 0.0, acc / torch.where(nobody, 1.0, l)))
        hbm.store("L", a, torch.where(nobody, -torch.inf, m + torch.log(l)).flatten())
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
