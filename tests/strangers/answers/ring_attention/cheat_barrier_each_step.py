# A barrier ends each step, as in programs that were debugged by adding one. Breaks "no barrier".
import torch
import torch.distributed as dist
from kernels.ring import attend, merge, pass_on
from torch import Tensor


def ring_attention(q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    o, L = q.new_zeros(*q.shape[:2], v.shape[2]), q.new_full(q.shape[:2], -torch.inf)
    block = [k.contiguous(), v.contiguous()]
    for step in range(size):
        requests, coming = [], None
        if step < size - 1:
            requests, coming = pass_on(block, lengths[(rank - step - 1) % size])
        o, L = merge(o, L, *attend(q, *block))
        for request in requests:
            request.wait()
        dist.barrier()
        block = coming
    return o, L
