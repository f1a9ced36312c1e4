# exponentials to base two, key limits worked out inline, guards by masked_fill
def causal_queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    log2e = 1.4426950408889634
    ahead = n_k - n_q
    for i in range(0, n_q, tile_m):
        stop = min(i + tile_m, n_q)
        common = min(max(i + 1 + ahead, 0), n_k)  # keys that all of them see
        reach = min(max(stop + ahead, 0), n_k)  # keys that any of them sees
        Q = hbm.load("Q", i, stop)
        limit = torch.arange(i, stop, device=Q.device)[:, None] + ahead
        acc, l = Q.new_zeros(stop - i, d_v), Q.new_zeros(stop - i, 1)
        m = torch.full_like(l, -torch.inf)
        for j in range(0, reach, tile_n):
            K, V = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
            S = (Q @ K.T) * (scale * log2e)
            if j + tile_n > common:
                hidden = torch.arange(j, j + len(K), device=Q.device) > limit
                S = S.masked_fill(hidden, -torch.inf)
            m_new = torch.maximum(m, S.amax(dim=1, keepdim=True))
            shift = m_new.masked_fill(m_new == -torch.inf, 0.0)
            alpha, P = torch.exp2(m - shift), torch.exp2(S - shift)
            l = alpha * l + P.sum(dim=1, keepdim=True)
            acc = alpha * acc + P @ V
            m = m_new
        whole = l.masked_fill(l == 0, 1.0)
        hbm.store("O", i, acc / whole)
        hbm.store("L", i, ((m + torch.log2(whole)) / log2e)[:, 0])
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
