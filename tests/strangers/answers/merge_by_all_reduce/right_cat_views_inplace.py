# Right: one buffer with numerator and denominator, in-place operations, nan_to_num, narrow; a guard for one rank
import torch
import torch.distributed as dist
from torch import Tensor


def merge_by_all_reduce(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    """Attention over all ranks' keys, by two calls of `all_reduce`."""
    alone = dist.get_world_size() == 1
    M = L.clone(memory_format=torch.contiguous_format)
    if not alone:
        dist.all_reduce(M, op=dist.ReduceOp.MAX)
    M.masked_fill_(M.isneginf(), 0.0)
    w = L.sub(M).exp_().unsqueeze(-1)
    both = torch.cat((w * o, w), dim=-1).contiguous()
    if not alone:
        dist.all_reduce(both, op=dist.ReduceOp.SUM)
    numerator, denominator = both.split([o.shape[-1], 1], dim=-1)
    merged = numerator / denominator.masked_fill(denominator == 0, 1.0)
    return merged, M + denominator.squeeze(-1).log()
