# shifts the whole tile of queries by one common running maximum: a row whose scores lie 104 or more below another row's underflows, l = 0 and o is NaN
def queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        q = hbm.load("Q", i, i + tile_m)
        m, l, acc = -torch.inf, 0, 0
        for j in range(0, n_k, tile_n):
            k, v = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
            s = scale * q @ k.T
            new = max(m, s.max().item())
            a = torch.exp(torch.tensor(m - new))
            p = torch.exp(s - new)
            l = a * l + p.sum(dim=1)
            acc = a * acc + p @ v
            m = new
        hbm.store("O", i, acc / l[:, None])
        hbm.store("L", i, m + torch.log(l))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
