# fills the masked products with -inf and multiplies by the scale afterwards: with a negative scale masked keys become +inf and the result NaN, with scale 0 too
def causal_queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        q = hbm.load("Q", i, i + tile_m)
        m = q.new_full((len(q),), -torch.inf)
        l, acc = torch.zeros_like(m), q.new_zeros(len(q), d_v)
        full, seen = visible_tiles(i, i + len(q), n_q, n_k, tile_n)
        for t in range(seen):
            k, v = (hbm.load(x, t * tile_n, (t + 1) * tile_n) for x in "KV")
            s = q @ k.T
            if t >= full:
                hidden = torch.ones_like(s, dtype=torch.bool).triu(i + n_k - n_q - t * tile_n + 1)
                s.masked_fill_(hidden, -torch.inf)
            s *= scale
            new = torch.maximum(m, s.amax(dim=1))
            ref = new.where(new > -torch.inf, torch.zeros(()))
            a, p = torch.exp(m - ref), torch.exp(s - ref[:, None])
            l, acc, m = a * l + p.sum(dim=1), a[:, None] * acc + p @ v, new
        one = torch.where(l > 0, l, 1.0)
        hbm.store("O", i, acc / one[:, None])
        hbm.store("L", i, m + one.log())
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
