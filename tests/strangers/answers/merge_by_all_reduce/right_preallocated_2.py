# style: one buffer allocated first, views of it, in-place operations
import torch
import torch.distributed as dist


def merge_by_all_reduce(o, L):
    M = torch.empty(L.shape, dtype=L.dtype, device=L.device).copy_(L)
    dist.all_reduce(M, dist.ReduceOp.MAX)
    empty = M.isneginf()
    M.masked_fill_(empty, 0.0)
    buffer = torch.empty(*o.shape[:-1], o.shape[-1] + 1, dtype=o.dtype, device=o.device)
    numerator, denominator = buffer[..., :-1], buffer[..., -1]
    denominator.copy_(L - M).exp_()
    numerator.copy_(o * denominator[..., None])
    dist.all_reduce(buffer, dist.ReduceOp.SUM)
    merged = numerator / denominator.masked_fill(empty, 1.0)[..., None]
    return merged, M.add_(denominator.log())
