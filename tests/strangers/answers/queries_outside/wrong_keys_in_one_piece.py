# Loads all of K and V at once for each tile of queries: counts and values are right, but the memory is O(n_k (d + d_v) + tile_m n_k), which shows for n_k much larger than tile_n.
def queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        qi = hbm.load("Q", i, i + tile_m)
        kk, vv = hbm.load("K", 0, n_k), hbm.load("V", 0, n_k)
        s = scale * (qi @ kk.T)
        m = s.max(dim=-1, keepdim=True).values
        p = torch.exp(s - m)
        l = p.sum(dim=-1, keepdim=True)
        hbm.store("O", i, (p @ vv) / l)
        hbm.store("L", i, (m + torch.log(l)).squeeze(-1))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
