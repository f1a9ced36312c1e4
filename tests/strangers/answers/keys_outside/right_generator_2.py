# a generator of tile starts, and comprehensions for the loads and stores
def keys_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor, int, int]:
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l  # from here on they are seen through hbm only

    def turns():
        for j in range(0, n_k, tile_n):
            k_tile, v_tile = (hbm.load(name, j, j + tile_n) for name in ("K", "V"))
            for i in range(0, n_q, tile_m):
                yield i, k_tile, v_tile

    def updated(q, o, m, l, k, v):
        s = (q @ k.T).mul_(scale)
        top = torch.maximum(m, s.amax(dim=1))
        p = s.sub_(top[:, None]).exp_()
        carried = l * torch.exp(m - top)
        total = carried + p.sum(dim=1)
        return torch.addmm(carried[:, None] * o, p, v).div_(total[:, None]), top, total

    for i, k_tile, v_tile in turns():
        state = [hbm.load(name, i, i + tile_m) for name in ("Q", "O", "m", "l")]
        for name, tile in zip(("O", "m", "l"), updated(*state, k_tile, v_tile)):
            hbm.store(name, i, tile)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
