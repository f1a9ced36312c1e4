# refused: rank 0 reduces and broadcasts, by functions that the ranks here do not have
import torch
import torch.distributed as dist


def merge_by_all_reduce(o, L):
    m = L.contiguous().clone()
    dist.reduce(m, 0, op=dist.ReduceOp.MAX)
    dist.broadcast(m, 0)
    base = torch.where(m.isneginf(), 0, m)
    w = torch.exp(L - base)[..., None]
    x = torch.cat([o * w, w], -1)
    dist.reduce(x, 0)
    dist.broadcast(x, 0)
    l = x[..., -1]
    return x[..., :-1] / torch.where(l == 0, 1, l)[..., None], base + torch.log(l)
