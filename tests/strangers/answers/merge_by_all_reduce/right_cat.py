# style: as the lesson has it, numerators and denominators side by side
import torch
import torch.distributed as dist


def merge_by_all_reduce(o, L):
    top = L.clone(memory_format=torch.contiguous_format)
    dist.all_reduce(top, op=dist.ReduceOp.MAX)
    base = torch.where(top == -torch.inf, 0.0, top)
    w = torch.exp(L - base).unsqueeze(-1)
    sums = torch.cat([w * o, w], dim=-1).contiguous()
    dist.all_reduce(sums)
    total = sums[..., -1]
    o = sums[..., :-1] / torch.where(total > 0, total, 1.0).unsqueeze(-1)
    return o, base + torch.log(total)
