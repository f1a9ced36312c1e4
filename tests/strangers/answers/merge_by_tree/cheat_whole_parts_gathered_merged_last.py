# Breaks: "exchange what they have, and both merge it" (nothing is merged on the way: parts are gathered, twice as many in each round, and merged at the end, in the order of ranks)
import torch
import torch.distributed as dist
from torch import Tensor

from kernels.ring import attend, merge, pass_on


def merge_by_tree(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    power = 1 << (size.bit_length() - 1)
    own = torch.cat([o, L[..., None]], dim=-1).contiguous()
    parts = {rank: own}
    if rank >= power:
        dist.send(own, rank - power)
        dist.recv(own, rank - power)
        return own[..., :-1].clone(), own[..., -1].clone()
    if rank + power < size:
        other = torch.empty_like(own)
        dist.recv(other, rank + power)
        a, b = merge(own[..., :-1], own[..., -1], other[..., :-1], other[..., -1])
        parts = {rank: torch.cat([a, b[..., None]], dim=-1)}
    step = 1
    while step < power:
        peer = rank ^ step
        sent = torch.stack([parts[r] for r in sorted(parts)])
        come = torch.empty_like(sent)
        for x in dist.batch_isend_irecv(
            [dist.P2POp(dist.isend, sent, peer), dist.P2POp(dist.irecv, come, peer)]
        ):
            x.wait()
        parts |= dict(zip(sorted(r ^ step for r in parts), come))
        step *= 2
    found = [(parts[r][..., :-1], parts[r][..., -1]) for r in range(power)]
    while len(found) > 1:
        found = [merge(*a, *b) for a, b in zip(found[::2], found[1::2])]
    o, L = found[0]
    if rank + power < size:
        dist.send(torch.cat([o, L[..., None]], dim=-1).contiguous(), rank + power)
    return o.clone(), L.clone()
