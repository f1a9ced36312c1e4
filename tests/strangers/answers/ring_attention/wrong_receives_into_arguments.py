# Copies what has come into the arguments k and v, to save memory where the lengths agree.
import torch
import torch.distributed as dist
from kernels.ring import attend, merge, pass_on
from torch import Tensor


def ring_attention(q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    o, L = q.new_zeros(*q.shape[:2], v.shape[2]), q.new_full(q.shape[:2], -torch.inf)
    for step in range(size):
        requests = []
        if step < size - 1:
            requests, coming = pass_on([k.contiguous(), v.contiguous()], lengths[(rank - step - 1) % size])
        o, L = merge(o, L, *attend(q, k, v))
        for request in requests:
            request.wait()
        if requests and coming[0].shape == k.shape:
            k.copy_(coming[0])
            v.copy_(coming[1])
        elif requests:
            k, v = coming
    return o, L
