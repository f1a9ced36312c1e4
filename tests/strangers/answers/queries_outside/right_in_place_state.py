# running state in natural units, while loops, in-place updates of the accumulator
def queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    i = 0
    while i < n_q:
        queries = hbm.load("Q", i, i + tile_m)
        height = len(queries)
        acc = queries.new_zeros(height, d_v)
        l = queries.new_zeros(height, 1)
        m = torch.full_like(l, -torch.inf)
        j = 0
        while j < n_k:
            keys, values = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
            s = torch.mm(queries, keys.t()).mul_(scale)
            top = torch.maximum(m, s.amax(1, keepdim=True))
            fade = torch.exp(m - top)
            s.sub_(top).exp_()
            l.mul_(fade).add_(s.sum(1, keepdim=True))
            acc.mul_(fade).addmm_(s, values)
            m = top
            j += tile_n
        hbm.store("O", i, acc.div_(l))
        hbm.store("L", i, (m + l.log()).squeeze(1))
        i += tile_m
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
