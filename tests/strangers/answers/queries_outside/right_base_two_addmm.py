# Base 2 inside (exp2, log2, one factor ln 2 at the end), in-place updates with addmm_, K transposed on arrival.
def queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    ln2 = 0.6931471805599453
    for i in range(0, n_q, tile_m):
        q_tile = hbm.load("Q", i, i + tile_m)
        rows = q_tile.shape[0]
        top = torch.full((rows,), float("-inf"))
        mass = torch.zeros(rows)
        acc = torch.zeros(rows, d_v)
        for j in range(0, n_k, tile_n):
            kt = hbm.load("K", j, j + tile_n).t()
            s = (q_tile @ kt).mul_(scale / ln2)
            new = torch.maximum(top, s.max(dim=1).values)
            shrink = torch.exp2(top - new)
            p = torch.exp2(s.sub_(new[:, None]))
            mass.mul_(shrink).add_(p.sum(dim=1))
            acc.mul_(shrink[:, None]).addmm_(p, hbm.load("V", j, j + tile_n))
            top = new
        hbm.store("O", i, acc.div_(mass[:, None]))
        hbm.store("L", i, (top + mass.log2()) * ln2)
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
