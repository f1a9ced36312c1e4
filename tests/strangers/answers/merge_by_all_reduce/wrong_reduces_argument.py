# Wrong: contiguous() copies nothing where L is contiguous already, and all_reduce writes into the argument.
# Breaks: "Arguments stay as they are, and results are new memory."
import torch
import torch.distributed as dist


def merge_by_all_reduce(o, L):
    M = L.contiguous()
    mine = L.clone()
    if dist.get_world_size() > 1:
        dist.all_reduce(M, op=dist.ReduceOp.MAX)
    shift = M.masked_fill(torch.isneginf(M), 0)
    w = torch.exp(mine - shift)[..., None]
    both = torch.cat([w * o, w], dim=-1)
    if dist.get_world_size() > 1:
        dist.all_reduce(both)
    total = both[..., -1]
    return both[..., :-1] / total.masked_fill(total == 0, 1)[..., None], shift + torch.log(total)
