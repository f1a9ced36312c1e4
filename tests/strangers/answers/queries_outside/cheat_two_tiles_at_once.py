# "m' = max(m, rowmax S)" for each tile of tile_n keys: loads are looked at tile by tile, and what is done with them is not: two tiles of keys and two of values are kept, and make one step of the recurrence
import torch


def queries_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v
    for i in range(0, n_q, tile_m):
        q_tile = hbm.load("Q", i, i + tile_m)
        acc = q_tile.new_zeros(len(q_tile), d_v)
        m, l = torch.full_like(acc[:, 0], -torch.inf), torch.zeros_like(acc[:, 0])
        for first in range(0, n_k, 2 * tile_n):
            starts = range(first, min(first + 2 * tile_n, n_k), tile_n)
            s = torch.cat([q_tile @ hbm.load("K", j, j + tile_n).T for j in starts], dim=1) * scale
            m_new = torch.maximum(m, s.amax(dim=-1))
            alpha = torch.exp(m - m_new)
            p = torch.exp(s - m_new[:, None])
            l = alpha * l + p.sum(dim=-1)
            acc = alpha[:, None] * acc
            for j in starts:
                acc += p[:, j - first : j - first + tile_n] @ hbm.load("V", j, j + tile_n)
            m = m_new
        hbm.store("O", i, acc / l[:, None])
        hbm.store("L", i, m + torch.log(l))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
