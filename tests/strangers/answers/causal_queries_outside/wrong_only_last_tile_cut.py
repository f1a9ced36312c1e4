# masks only the last visible tile of keys: right while the diagonal cuts one tile, wrong when it cuts several (tile_m > tile_n, or n_k - n_q not a multiple of tile_n)
def causal_queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        q = hbm.load("Q", i, i + tile_m)
        m, l = q.new_full((len(q), 1), -torch.inf), q.new_zeros(len(q), 1)
        acc = q.new_zeros(len(q), d_v)
        _, seen = visible_tiles(i, i + len(q), n_q, n_k, tile_n)
        for t in range(seen):
            a = t * tile_n
            k, v = hbm.load("K", a, a + tile_n), hbm.load("V", a, a + tile_n)
            s = scale * q @ k.T
            if t == seen - 1:
                visible = torch.ones_like(s).tril(i + n_k - n_q - a) > 0
                s = torch.where(visible, s, -torch.inf)
            new = torch.maximum(m, s.amax(dim=1, keepdim=True))
            ref = torch.where(new == -torch.inf, torch.zeros_like(new), new)
            p, r = torch.exp(s - ref), torch.exp(m - ref)
            l, acc, m = r * l + p.sum(dim=1, keepdim=True), r * acc + p @ v, new
        safe = torch.where(l == 0, torch.ones_like(l), l)
        hbm.store("O", i, acc / safe)
        hbm.store("L", i, (m + safe.log()).view(-1))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
