# Nan-free by torch.where, the numerator and the denominator side by side in one tensor, early skip on one rank.
import torch
import torch.distributed as dist
from torch import Tensor


def merge_by_all_reduce(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    alone = dist.get_world_size() == 1
    top = L.contiguous().clone()
    if not alone:
        dist.all_reduce(top, op=dist.ReduceOp.MAX)
    base = torch.where(top == -torch.inf, 0.0, top)
    w = torch.exp(L - base).unsqueeze(-1)
    both = torch.cat((o * w, w), dim=-1).contiguous()
    if not alone:
        dist.all_reduce(both)
    numerator, denominator = both[..., :-1], both[..., -1]
    safe = torch.where(denominator == 0, 1.0, denominator)
    return numerator / safe[..., None], base + torch.log(denominator)
