# raises the running maximum only where it grows by more than 8 (as FlashAttention-4 does); o and L do not depend on which shift is used
def queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        q = hbm.load("Q", i, i + tile_m)
        shift, l, acc = q.new_full((len(q), 1), -torch.inf), q.new_zeros(len(q), 1), q.new_zeros(len(q), d_v)
        for j in range(0, n_k, tile_n):
            s = hbm.load("K", j, j + tile_n).matmul(q.T).T * scale
            top = s.amax(dim=1, keepdim=True)
            new = torch.where(top > shift + 8, top, shift)
            a = (shift - new).exp()
            p = (s - new).exp()
            l = l * a + p.sum(dim=1, keepdim=True)
            acc = torch.addmm(acc * a, p, hbm.load("V", j, j + tile_n))
            shift = new
        hbm.store("O", i, acc / l)
        hbm.store("L", i, (shift + l.log()).squeeze(1))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
