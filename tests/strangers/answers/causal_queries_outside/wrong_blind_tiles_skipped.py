# jumps over a tile of queries that sees no key, as its output is 0 already: L stays 0 instead of -inf there, and Q, O and L are not moved; needs n_q >= n_k + tile_m
def causal_queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        stop = min(i + tile_m, n_q)
        if stop + n_k - n_q <= 0:
            continue  # nobody sees anything, O is full of zeros
        q = hbm.load("Q", i, stop)
        m = q.new_full((len(q),), -torch.inf)
        l, acc = torch.zeros_like(m), q.new_zeros(len(q), d_v)
        last = torch.arange(i, stop)[:, None] + n_k - n_q
        full, seen = visible_tiles(i, stop, n_q, n_k, tile_n)
        for t in range(seen):
            k, v = (hbm.load(x, t * tile_n, (t + 1) * tile_n) for x in "KV")
            s = scale * q @ k.T
            if t >= full:
                s = s.masked_fill(torch.arange(len(k)) + t * tile_n > last, -torch.inf)
            new = torch.maximum(m, s.amax(dim=1))
            ref = torch.where(new == -torch.inf, 0.0, new)
            a, p = torch.exp(m - ref), torch.exp(s - ref[:, None])
            l, acc, m = a * l + p.sum(dim=1), a[:, None] * acc + p @ v, new
        hbm.store("O", i, acc / torch.where(l == 0, 1.0, l)[:, None])
        hbm.store("L", i, m + torch.log(torch.where(l == 0, 1.0, l)))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
