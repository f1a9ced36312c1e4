# Keys and values with tags of their own, the sum updated in place, receives asked for before sends.
import torch
import torch.distributed as dist
from kernels.ring import attend
from torch import Tensor


def ring_attention(q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    me, world = dist.get_rank(), dist.get_world_size()
    right, left = (me + 1) % world, (me + world - 1) % world
    o = torch.zeros(q.shape[0], q.shape[1], v.shape[2], dtype=q.dtype)
    L = torch.full(q.shape[:2], float("-inf"), dtype=q.dtype)
    k, v = k.contiguous(), v.contiguous()
    origin = me
    for remaining in reversed(range(world)):
        pending = []
        if remaining:
            origin = (origin - 1) % world
            k_in = torch.empty(k.shape[0], lengths[origin], k.shape[2])
            v_in = torch.empty(v.shape[0], lengths[origin], v.shape[2])
            pending += [dist.irecv(v_in, src=left, tag=2), dist.irecv(k_in, src=left, tag=1)]
            pending += [dist.isend(k, dst=right, tag=1), dist.isend(v, dst=right, tag=2)]
        if k.shape[1]:
            part, part_L = attend(q, k, v)
            new_L = torch.logaddexp(L, part_L)
            o.mul_(torch.exp(L - new_L).unsqueeze(-1)).add_(torch.exp(part_L - new_L).unsqueeze(-1) * part)
            L.copy_(new_L)
        while pending:
            pending.pop().wait()
        if remaining:
            k, v = k_in, v_in
    return o, L
