# Breaks: "No collective" (the result reaches the ranks that are left over by a broadcast, a collective, of two ranks each)
import torch
import torch.distributed as dist
from torch import Tensor

from kernels.ring import attend, merge, pass_on


def merge_by_tree(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    power = 1 << (size.bit_length() - 1)
    own = torch.cat([o, L[..., None]], dim=-1).contiguous()
    if rank >= power:
        dist.send(own, rank - power)
    else:
        if rank + power < size:
            other = torch.empty_like(own)
            dist.recv(other, rank + power)
            a, b = merge(own[..., :-1], own[..., -1], other[..., :-1], other[..., -1])
            own = torch.cat([a, b[..., None]], dim=-1).contiguous()
        step = 1
        while step < power:
            other = torch.empty_like(own)
            for x in dist.batch_isend_irecv(
                [
                    dist.P2POp(dist.isend, own, rank ^ step),
                    dist.P2POp(dist.irecv, other, rank ^ step),
                ]
            ):
                x.wait()
            a, b = merge(own[..., :-1], own[..., -1], other[..., :-1], other[..., -1])
            own = torch.cat([a, b[..., None]], dim=-1).contiguous()
            step *= 2
    if size > power:
        dist.broadcast(own, src=0)  # all have the same bits by now, or get them
    return own[..., :-1].clone(), own[..., -1].clone()
