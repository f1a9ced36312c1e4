# collects a tile of queries' scores for all keys and all values before one plain safe softmax: values and counts right, but a strip of tile_m x N_k and all of V are held, over the memory bound for long N_k
def queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        q = hbm.load("Q", i, i + tile_m)
        strip, values = [], []
        for j in range(0, n_k, tile_n):
            strip.append(scale * q @ hbm.load("K", j, j + tile_n).T)
            values.append(hbm.load("V", j, j + tile_n))
        s = torch.cat(strip, dim=1)
        m = s.amax(dim=1, keepdim=True)
        p = torch.exp(s - m)
        l = p.sum(dim=1, keepdim=True)
        hbm.store("O", i, p @ torch.cat(values) / l)
        hbm.store("L", i, (m + torch.log(l)).flatten())
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
