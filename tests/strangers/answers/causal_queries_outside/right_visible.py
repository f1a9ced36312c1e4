# style: visible_tiles and the lazy step
import torch
from torch import Tensor


def causal_queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        Q = hbm.load("Q", i, i + tile_m)
        rows = len(Q)
        full, seen = visible_tiles(i, i + rows, n_q, n_k, tile_n)
        acc = Q.new_zeros(rows, d_v)
        m, l = Q.new_full((rows,), -torch.inf), Q.new_zeros(rows)
        for t in range(seen):
            j = t * tile_n
            K, V = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
            S = scale * Q @ K.T
            if t >= full:
                keys = torch.arange(j, j + len(K))
                last = torch.arange(i, i + rows) + n_k - n_q
                S = S.masked_fill(keys > last[:, None], -torch.inf)
            m_new = torch.maximum(m, S.amax(dim=1))
            shift = torch.where(m_new == -torch.inf, 0.0, m_new)
            alpha, P = torch.exp(m - shift), torch.exp(S - shift[:, None])
            l = alpha * l + P.sum(dim=1)
            acc = alpha[:, None] * acc + P @ V
            m = m_new
        hbm.store("O", i, acc / torch.where(l == 0, 1.0, l)[:, None])
        hbm.store("L", i, m + torch.log(l))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
