# style: slices from a generator, baddbmm-like fused updates, logsumexp-free
import torch
from torch import Tensor


def keys_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l
    def starts(n, tile):
        i = 0
        while i < n:
            yield i
            i += tile

    def update(names, i, keys, values):
        Q, O, m, l = (hbm.load(name, i, i + tile_m) for name in names)
        S = torch.einsum("id,jd->ij", Q, keys).mul_(scale)
        top = torch.maximum(m, S.max(dim=1).values)
        S.sub_(top.unsqueeze(1)).exp_()
        kept = torch.exp(m - top).mul_(l)
        total = kept + S.sum(1)
        O.mul_((kept / total).unsqueeze(1)).addmm_(S / total.unsqueeze(1), values)
        for name, tile in zip(names[1:], (O, top, total)):
            hbm.store(name, i, tile)

    for j in starts(n_k, tile_n):
        keys, values = (hbm.load(name, j, min(j + tile_n, n_k)) for name in "KV")
        for i in starts(n_q, tile_m):
            update("QOml", i, keys, values)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
