# tiles of keys in pairs; "for each tile of tile_n keys: load its rows ... m' = max(m, rowmax S)": two tiles are loaded, one maximum of both is taken, and what came before is rescaled once for both
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
        for j in range(0, n_k, 2 * tile_n):
            starts = range(j, min(j + 2 * tile_n, n_k), tile_n)
            scores = [scale * (q_tile @ hbm.load("K", a, a + tile_n).T) for a in starts]
            m_new = m
            for s in scores:
                m_new = torch.maximum(m_new, s.amax(dim=-1))
            alpha = torch.exp(m - m_new)
            l, acc = alpha * l, alpha[:, None] * acc
            for a, s in zip(starts, scores):
                p = torch.exp(s - m_new[:, None])
                l = l + p.sum(dim=-1)
                acc = acc + p @ hbm.load("V", a, a + tile_n)
            m = m_new
        hbm.store("O", i, acc / l[:, None])
        hbm.store("L", i, m + torch.log(l))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
