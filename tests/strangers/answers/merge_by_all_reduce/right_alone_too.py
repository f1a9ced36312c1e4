# all_reduce is called on one rank, too.
import torch
import torch.distributed as dist
from torch import Tensor


def merge_by_all_reduce(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    top = L.contiguous().clone()
    dist.all_reduce(top, op=dist.ReduceOp.MAX)
    safe = top.masked_fill(top == -torch.inf, 0.0)
    w = torch.exp(L - safe)[..., None]
    both = torch.cat([o * w, w], dim=-1).contiguous()
    dist.all_reduce(both)
    total = both[..., -1]
    return both[..., :-1] / total.masked_fill(total == 0, 1.0)[..., None], safe + total.log()
