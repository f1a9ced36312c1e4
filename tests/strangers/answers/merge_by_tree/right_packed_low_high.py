# One packed tensor is sent; in a pair both merge the lower rank's part first; walrus in the while loop's condition.
import torch
import torch.distributed as dist
from torch import Tensor

from kernels.ring import merge


def merge_by_tree(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    mine = torch.cat((o, L[..., None]), dim=-1).contiguous()

    def merged(a, b):
        o_ab, L_ab = merge(a[..., :-1], a[..., -1], b[..., :-1], b[..., -1])
        return torch.cat((o_ab, L_ab[..., None]), dim=-1).contiguous()

    power = 1 << (size.bit_length() - 1)
    if rank >= power:
        dist.send(mine, rank - power)
        result = torch.empty_like(mine)
        dist.recv(result, rank - power)
        return result[..., :-1], result[..., -1]
    helper = rank + power
    if helper < size:
        other = torch.empty_like(mine)
        dist.recv(other, helper)
        mine = merged(mine, other)
    i = -1
    while (bit := 1 << (i := i + 1)) < power:
        partner, other = rank ^ bit, torch.empty_like(mine)
        ops = [dist.P2POp(dist.isend, mine, partner), dist.P2POp(dist.irecv, other, partner)]
        for request in dist.batch_isend_irecv(ops):
            request.wait()
        mine = merged(mine, other) if rank < partner else merged(other, mine)
    if helper < size:
        dist.send(mine, helper)
    return mine[..., :-1], mine[..., -1]
