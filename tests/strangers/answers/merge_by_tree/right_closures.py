# style: closures pack / unpack / exchange, bit twiddling
import torch
import torch.distributed as dist
from torch import Tensor

from kernels.ring import merge


def merge_by_tree(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    power = 1 << (size.bit_length() - 1)

    def pack() -> Tensor:
        return torch.cat([o, L.unsqueeze(-1)], dim=-1).contiguous()

    def unpack(message: Tensor) -> tuple[Tensor, Tensor]:
        return message[..., :-1], message[..., -1]

    def receive(source: int) -> tuple[Tensor, Tensor]:
        message = o.new_empty(*o.shape[:-1], o.shape[-1] + 1)
        dist.irecv(message, source).wait()
        return unpack(message)

    if rank >= power:
        dist.isend(pack(), rank - power).wait()
        o, L = receive(rank - power)
        return o.clone(), L.clone()
    if rank + power < size:
        o, L = merge(o, L, *receive(rank + power))
    digit = 1
    while digit < power:
        partner = rank ^ digit
        mine = pack()
        theirs = torch.empty_like(mine)
        sends = [dist.P2POp(dist.isend, mine, partner), dist.P2POp(dist.irecv, theirs, partner)]
        for request in dist.batch_isend_irecv(sends):
            request.wait()
        pair = [(o, L), unpack(theirs)]
        if partner < rank:
            pair.reverse()  # the same order on both: bit for bit the same
        o, L = merge(*pair[0], *pair[1])
        digit <<= 1
    if rank + power < size:
        dist.isend(pack(), rank + power).wait()
    return o.clone(), L.clone()
