# style: recursive doubling as in MPICH
import torch
import torch.distributed as dist
from torch import Tensor

from kernels.ring import merge


def merge_by_tree(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    power = 1 << (size.bit_length() - 1)
    x = torch.cat([o, L[..., None]], dim=-1).contiguous()
    other = torch.empty_like(x)
    if rank >= power:
        dist.send(x, rank - power)
        dist.recv(other, rank - power)
        return other[..., :-1].clone(), other[..., -1].clone()
    if rank + power < size:
        dist.recv(other, rank + power)
        o, L = merge(x[..., :-1], x[..., -1], other[..., :-1], other[..., -1])
        x = torch.cat([o, L[..., None]], dim=-1)
    apart = 1
    while apart < power:
        peer = rank ^ apart
        other = torch.empty_like(x)
        ops = [dist.P2POp(dist.isend, x, peer), dist.P2POp(dist.irecv, other, peer)]
        for request in dist.batch_isend_irecv(ops):
            request.wait()
        o, L = merge(x[..., :-1], x[..., -1], other[..., :-1], other[..., -1])
        x = torch.cat([o, L[..., None]], dim=-1)
        apart *= 2
    if rank + power < size:
        dist.send(x, rank + power)
    return x[..., :-1].clone(), x[..., -1].clone()
