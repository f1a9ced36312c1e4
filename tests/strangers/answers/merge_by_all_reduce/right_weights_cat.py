# Right: clone then in-place all_reduce with ReduceOp.MAX, numerators and denominators in one cat, split back
import torch
import torch.distributed as dist
from torch import Tensor


def merge_by_all_reduce(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    M = L.clone(memory_format=torch.contiguous_format)
    dist.all_reduce(M, op=dist.ReduceOp.MAX)
    ref = torch.where(M.isneginf(), 0.0, M)
    w = torch.exp(L - ref).unsqueeze(-1)
    both = torch.cat([w * o, w], dim=-1).contiguous()
    dist.all_reduce(both, op=dist.ReduceOp.SUM)
    numerator, l = both.split([o.shape[-1], 1], dim=-1)
    return numerator / torch.where(l > 0, l, 1.0), ref + torch.log(l.squeeze(-1))
