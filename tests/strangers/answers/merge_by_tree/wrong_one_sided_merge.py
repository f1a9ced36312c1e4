# Merges as mine + (yours - mine) * sigmoid(L_yours - L_mine): right up to rounding, but two partners compute it from either side, and the bits differ from rank to rank.
import torch
import torch.distributed as dist
from torch import Tensor


def _mix(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    share = torch.sigmoid(L2 - L1).nan_to_num(nan=0.0)
    return o1 + (o2 - o1) * share[..., None], torch.logaddexp(L1, L2)


def merge_by_tree(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    power = 1 << (size.bit_length() - 1)
    d_v = o.shape[-1]

    def pack():
        return torch.cat([o, L[..., None]], -1).contiguous()

    def unpack(y):
        return y[..., :d_v], y[..., d_v]

    other = pack()
    if rank >= power:
        dist.send(pack(), rank - power)
        dist.recv(other, rank - power)
        o, L = unpack(other)
        return o.clone(), L.clone()
    if rank + power < size:
        dist.recv(other, rank + power)
        o, L = _mix(o, L, *unpack(other))
    i = 0
    while 1 << i < power:
        mine, other = pack(), torch.empty_like(other)
        requests = [dist.isend(mine, rank ^ 1 << i), dist.irecv(other, rank ^ 1 << i)]
        for request in requests:
            request.wait()
        o, L = _mix(o, L, *unpack(other))
        i += 1
    if rank + power < size:
        dist.send(pack(), rank + power)
    return o.clone(), L.clone()
