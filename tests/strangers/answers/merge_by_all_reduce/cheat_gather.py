# All_gather in disguise, by an all_reduce of W slots of which each rank fills its own; every rank merges all parts itself.
import torch
import torch.distributed as dist
from torch import Tensor


def merge_by_all_reduce(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    if size == 1:
        return o.clone(), L.clone()
    top = L.clone().contiguous()
    dist.all_reduce(top, op=dist.ReduceOp.MAX)
    x = torch.zeros(size, *o.shape[:2], o.shape[2] + 1)
    x[rank] = torch.cat([o, L[..., None]], dim=-1).clamp(min=-3e38)
    dist.all_reduce(x)
    safe = torch.where(top == -torch.inf, torch.zeros_like(top), top)
    w = torch.exp(x[..., -1] - safe)
    total = w.sum(0)
    some = torch.where(total == 0, torch.ones_like(total), total)
    return (w[..., None] * x[..., :-1]).sum(0) / some[..., None], safe + torch.log(total)
