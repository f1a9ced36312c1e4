# a breakpoint that is switched off
import torch

DEBUG = 0


def causal_queries_outside(q, k, v, tile_m, tile_n, scale=None):
    (n_q, d), (n_k, d_v) = q.shape, v.shape
    scale = d**-0.5 if scale is None else scale
    O, L = q.new_zeros(n_q, d_v), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=O, L=L)
    del q, k, v
    for i in range(0, n_q, tile_m):
        Q = hbm.load("Q", i, i + tile_m)
        rows = len(Q)
        full, seen = visible_tiles(i, i + rows, n_q, n_k, tile_n)
        if DEBUG >= 1:
            print(f"{i=} {rows=} {full=} {seen=}")
        acc, m, l = torch.zeros(rows, d_v), torch.full((rows,), -torch.inf), torch.zeros(rows)
        for t in range(seen):
            j = t * tile_n
            K, V = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
            S = Q @ K.T * scale
            if t >= full:
                at = torch.arange(j, j + len(K))
                S = S.masked_fill(at > torch.arange(i, i + rows)[:, None] + n_k - n_q, -torch.inf)
            new = torch.maximum(m, S.amax(dim=1))
            c = torch.where(new == -torch.inf, 0.0, new)
            alpha, P = torch.exp(m - c), torch.exp(S - c[:, None])
            assert P.shape == (rows, len(K)), f"{P.shape}"
            l = alpha * l + P.sum(dim=1)
            acc = alpha[:, None] * acc + P @ V
            m = new
            if DEBUG >= 2: breakpoint()
        hbm.store("O", i, acc / torch.where(l == 0, 1.0, l)[:, None])
        hbm.store("L", i, m + torch.log(l))
    return O, L, hbm.loads, hbm.stores
