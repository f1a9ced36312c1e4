# carries the finished output and L = logaddexp of the tiles, with weights exp(S - L): m + log l is rounded, so with scores of 1e6 and more the weights do not sum to 1 (equal scores of 2^25 all weigh 1)
def queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        q = hbm.load("Q", i, i + tile_m)
        L, o = q.new_full((len(q),), -torch.inf), q.new_zeros(len(q), d_v)
        for j in range(0, n_k, tile_n):
            k, v = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
            s = scale * q @ k.T
            top = s.amax(dim=1)
            here = top + torch.log(torch.exp(s - top[:, None]).sum(dim=1))
            new = torch.logaddexp(L, here)
            o = torch.exp(L - new)[:, None] * o + torch.exp(s - new[:, None]) @ v
            L = new
        hbm.store("O", i, o)
        hbm.store("L", i, L)
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
