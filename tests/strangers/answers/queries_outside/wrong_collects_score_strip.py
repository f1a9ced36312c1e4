# gathers all score tiles and values of a query tile and finishes with one exact softmax: values and traffic right, but tile_m x N_k scores and all of V are held, more than the memory allowed
def queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        Q = hbm.load("Q", i, i + tile_m)
        scores, values = [], []
        for j in range(0, n_k, tile_n):
            scores.append(scale * Q @ hbm.load("K", j, j + tile_n).T)
            values.append(hbm.load("V", j, j + tile_n))
        S, V = torch.cat(scores, dim=1), torch.cat(values)
        m = S.amax(dim=1, keepdim=True)
        P = torch.exp(S - m)
        l = P.sum(dim=1, keepdim=True)
        hbm.store("O", i, P @ V / l)
        hbm.store("L", i, (m + torch.log(l))[:, 0])
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
