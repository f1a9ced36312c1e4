# messages: maxima, denominators and numerators in three calls
import torch
import torch.distributed as dist


def merge_by_all_reduce(o, L):
    m = L.contiguous().clone()
    dist.all_reduce(m, op=dist.ReduceOp.MAX)
    base = torch.where(m.isneginf(), 0, m)
    l = torch.exp(L - base).contiguous()
    acc = (l[..., None] * o).contiguous()
    dist.all_reduce(l)
    dist.all_reduce(acc)
    return acc / torch.where(l == 0, 1, l)[..., None], base + torch.log(l)
