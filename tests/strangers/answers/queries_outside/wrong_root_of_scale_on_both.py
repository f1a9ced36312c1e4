# multiplies q and k by the square root of the scale each, as PyTorch's math path does: a negative scale has a complex root and fails
def queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    root = scale**0.5  # on both sides: smaller numbers in the product
    for i in range(0, n_q, tile_m):
        q = hbm.load("Q", i, i + tile_m) * root
        m, l = q.new_full((len(q), 1), -torch.inf), q.new_zeros(len(q), 1)
        acc = q.new_zeros(len(q), d_v)
        for j in range(0, n_k, tile_n):
            k, v = hbm.load("K", j, j + tile_n) * root, hbm.load("V", j, j + tile_n)
            s = q @ k.T
            new = torch.maximum(m, s.amax(1, keepdim=True))
            a, p = torch.exp(m - new), torch.exp(s - new)
            l, acc, m = a * l + p.sum(1, keepdim=True), a * acc + p @ v, new
        hbm.store("O", i, acc / l)
        hbm.store("L", i, (m + l.log())[:, 0])
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
