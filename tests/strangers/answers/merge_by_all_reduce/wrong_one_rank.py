# wrong: on one rank the arguments themselves are handed back ("in new memory; W = 1 is one of the sizes")
import torch
import torch.distributed as dist


def merge_by_all_reduce(o, L):
    if dist.get_world_size() == 1:
        return o, L
    top = L.contiguous().clone()
    dist.all_reduce(top, op=dist.ReduceOp.MAX)
    base = top.masked_fill(top.isneginf(), 0)
    w = torch.exp(L - base)[..., None]
    sums = torch.cat([w * o, w], dim=-1).contiguous()
    dist.all_reduce(sums)
    total = sums[..., -1]
    return sums[..., :-1] / total.masked_fill(total == 0, 1)[..., None], base + total.log()
