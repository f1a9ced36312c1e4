# "acc, m and l stay on the chip", online: the memory of six tiles leaves room for all scores of a tile of queries; a plain softmax of whole rows, keys first and values afterwards, with as many loads
import torch


def queries_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v
    for i in range(0, n_q, tile_m):
        q_tile = scale * hbm.load("Q", i, i + tile_m)
        s = q_tile.new_empty(len(q_tile), n_k)
        for j in range(0, n_k, tile_n):
            torch.mm(q_tile, hbm.load("K", j, j + tile_n).T, out=s[:, j : j + tile_n])
        m = s.amax(dim=1)
        s -= m[:, None]
        s.exp_()
        l = s.sum(dim=1)
        acc = q_tile.new_zeros(len(q_tile), d_v)
        for j in range(0, n_k, tile_n):
            acc += s[:, j : j + tile_n] @ hbm.load("V", j, j + tile_n)
        hbm.store("O", i, acc / l[:, None])
        hbm.store("L", i, m + torch.log(l))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
