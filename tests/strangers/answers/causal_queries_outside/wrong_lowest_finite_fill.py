# fills with the lowest finite float as Hugging Face does and looks for -inf afterwards: a blind query in a tile where others see keys gets the mean of the values and a finite L; needs n_q > n_k
def causal_queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    lowest = torch.finfo(torch.float32).min
    for i in range(0, n_q, tile_m):
        q = hbm.load("Q", i, i + tile_m)
        m = q.new_full((len(q),), lowest)
        l, acc = torch.zeros_like(m), q.new_zeros(len(q), d_v)
        last = torch.arange(i, i + len(q))[:, None] + n_k - n_q
        full, seen = visible_tiles(i, i + len(q), n_q, n_k, tile_n)
        for t in range(seen):
            k, v = (hbm.load(x, t * tile_n, (t + 1) * tile_n) for x in "KV")
            s = scale * q @ k.T
            if t >= full:
                s = torch.where(torch.arange(len(k)) + t * tile_n <= last, s, lowest)
            new = torch.maximum(m, s.amax(dim=1))
            a, p = torch.exp(m - new), torch.exp(s - new[:, None])
            l, acc, m = a * l + p.sum(dim=1), a[:, None] * acc + p @ v, new
        nothing = l == 0
        hbm.store("O", i, acc / (l + nothing)[:, None])
        hbm.store("L", i, torch.where(nothing, -torch.inf, m + torch.log(l)))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
