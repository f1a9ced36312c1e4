# style: C programmer: explicit while loops, short names, in-place ops
import torch
from torch import Tensor


def keys_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q = q.shape[0]; n_k = k.shape[0]; d_v = v.shape[1]
    if scale is None: scale = q.shape[1] ** -0.5
    hbm = Memory(Q=q, K=k, V=v, O=torch.zeros(n_q, d_v), m=torch.full((n_q,), float("-inf")), l=torch.zeros(n_q))
    j = 0
    while j < n_k:
        kj = hbm.load("K", j, min(j + tile_n, n_k))
        vj = hbm.load("V", j, min(j + tile_n, n_k))
        i = 0
        while i < n_q:
            e = min(i + tile_m, n_q)
            qi = hbm.load("Q", i, e); oi = hbm.load("O", i, e); mi = hbm.load("m", i, e); li = hbm.load("l", i, e)
            s = torch.matmul(qi, kj.t()); s.mul_(scale)
            mx = s.max(1)[0]
            mn = torch.max(mi, mx)
            s.sub_(mn.unsqueeze(1)).exp_()
            mi.sub_(mn).exp_()          # alpha
            li.mul_(mi)                 # l alpha
            oi.mul_(li.unsqueeze(1))
            oi.add_(s.matmul(vj))
            li.add_(s.sum(1))
            oi.div_(li.unsqueeze(1))
            hbm.store("O", i, oi); hbm.store("m", i, mn); hbm.store("l", i, li)
            i += tile_m
        j += tile_n
    return hbm.tensors["O"], hbm.tensors["m"], hbm.tensors["l"], hbm.loads, hbm.stores
