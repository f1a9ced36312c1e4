# A barrier at the beginning. Breaks "Messages: one for each round ... No collective".
import torch
import torch.distributed as dist
from torch import Tensor

from kernels.ring import attend, merge, pass_on


def join(a, b):
    o, L = merge(a[..., :-1], a[..., -1], b[..., :-1], b[..., -1])
    return torch.cat([o, L[..., None]], -1).contiguous()


def merge_by_tree(o, L):
    if dist.get_world_size() > 1:
        dist.barrier()
    rank, size = dist.get_rank(), dist.get_world_size()
    P = 1
    while 2 * P <= size:
        P *= 2
    x = torch.cat([o, L[..., None]], -1).contiguous()
    other = torch.empty_like(x)
    if rank >= P:
        dist.isend(x, rank - P).wait()
        dist.irecv(other, rank - P).wait()
        return other[..., :-1], other[..., -1]
    if rank + P < size:
        dist.irecv(other, rank + P).wait()
        x = join(x, other)
    i = 1
    while i < P:
        other = torch.empty_like(x)
        for r in [dist.isend(x, rank ^ i), dist.irecv(other, rank ^ i)]:
            r.wait()
        a, b = (x, other) if rank < rank ^ i else (other, x)
        x = join(a, b)
        i *= 2
    if rank + P < size:
        dist.isend(x, rank + P).wait()
    return x[..., :-1].clone(), x[..., -1].clone()

