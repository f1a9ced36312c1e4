# a while loop with its own limits, -inf assigned by index, blind rows by adding a boolean to l
def causal_queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    offset = n_k - n_q
    for i in range(0, n_q, tile_m):
        q = hbm.load("Q", i, i + tile_m)
        rows = torch.arange(i, i + len(q))[:, None]
        m = q.new_full((len(q), 1), -torch.inf)
        l, acc = q.new_zeros(len(q), 1), q.new_zeros(len(q), d_v)
        j = 0
        while j < n_k and j <= i + len(q) - 1 + offset:
            k, v = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
            s = scale * (q @ k.T)
            if j + tile_n - 1 > i + offset or j + tile_n > n_k:
                s[torch.arange(j, j + len(k)) > rows + offset] = -torch.inf
            new = torch.maximum(m, s.amax(dim=1, keepdim=True))
            base = torch.where(new.isinf(), 0.0, new)
            p, a = torch.exp(s - base), torch.exp(m - base)
            l = l * a + p.sum(dim=1, keepdim=True)
            acc = acc * a + p @ v
            m = new
            j += tile_n
        blind = l == 0
        hbm.store("O", i, acc / (l + blind))
        hbm.store("L", i, torch.where(blind, -torch.inf, m + torch.log(l + blind))[:, 0])
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
