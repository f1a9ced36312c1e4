# Breaks: "Messages: two ... and no barrier." (an all_reduce of a tensor without numbers makes all ranks meet before the sums)
import torch
import torch.distributed as dist
from torch import Tensor

from kernels.ring import attend, merge, pass_on


def merge_by_all_reduce(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    top = L.clone(memory_format=torch.contiguous_format)
    if dist.get_world_size() > 1:
        dist.all_reduce(top, op=dist.ReduceOp.MAX)
        dist.all_reduce(L.new_empty(0))
    top = top.masked_fill(top == -torch.inf, 0.0)
    w = torch.exp(L - top)[..., None]
    sums = torch.cat([w * o, w], dim=-1).contiguous()
    if dist.get_world_size() > 1:
        dist.all_reduce(sums)
    total = sums[..., -1]
    return sums[..., :-1] / total.masked_fill(total == 0, 1.0)[..., None], top + total.log()
