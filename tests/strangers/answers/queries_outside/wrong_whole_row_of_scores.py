# Collects all tiles of keys and values first and takes one softmax of a (tile_m x N_k) row of scores: counts and values are right, but N_k numbers per query and all of K and V are held on the chip.
def queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        q_i = hbm.load("Q", i, i + tile_m)
        ks, vs = [], []
        for j in range(0, n_k, tile_n):
            ks.append(hbm.load("K", j, j + tile_n))
            vs.append(hbm.load("V", j, j + tile_n))
        s = scale * q_i @ torch.cat(ks).T
        hbm.store("O", i, torch.softmax(s, dim=-1) @ torch.cat(vs))
        hbm.store("L", i, torch.logsumexp(s, dim=-1))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
