# loads: tiles that the mask hides are computed as well, all of them, from the keys that were loaded last; only what passes through Memory is counted, and nothing counts the products
import torch
from torch import Tensor



def causal_queries_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v
    for i in range(0, n_q, tile_m):
        q_tile = hbm.load("Q", i, i + tile_m)
        rows = len(q_tile)
        acc, m, l = q_tile.new_zeros(rows, d_v), q_tile.new_full((rows,), -torch.inf), q_tile.new_zeros(rows)
        position = torch.arange(i, i + rows)[:, None] + n_k - n_q
        k_tile, v_tile = q_tile.new_zeros(tile_n, q_tile.shape[1]), q_tile.new_zeros(tile_n, d_v)
        for j in range(0, n_k, tile_n):
            if j <= i + rows - 1 + n_k - n_q:
                k_tile, v_tile = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
            s = q_tile @ k_tile.T * scale
            s = s.masked_fill(torch.arange(j, j + len(k_tile)) > position, -torch.inf)
            m_new = torch.maximum(m, s.amax(dim=1))
            shift = m_new.masked_fill(m_new == -torch.inf, 0)
            p, a = torch.exp(s - shift[:, None]), torch.exp(m - shift)
            acc, l, m = a[:, None] * acc + p @ v_tile, a * l + p.sum(dim=1), m_new
        hbm.store("O", i, acc / l.masked_fill(l == 0, 1)[:, None])
        hbm.store("L", i, m + torch.log(l))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
