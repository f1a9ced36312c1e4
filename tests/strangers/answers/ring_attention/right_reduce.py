# Functional: blocks as an iterator, their parts as a map, the merge as functools.reduce.
import functools

import torch.distributed as dist
from kernels.ring import attend, merge, pass_on
from torch import Tensor


def blocks(k, v, lengths):
    rank, size = dist.get_rank(), dist.get_world_size()
    block = [k.contiguous(), v.contiguous()]
    for step in range(1, size):
        requests, following = pass_on(block, lengths[(rank - step) % size])
        yield block
        _ = [request.wait() for request in requests]
        block = following
    yield block


def ring_attention(q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    parts = (attend(q, *block) for block in blocks(k, v, lengths))
    return functools.reduce(lambda a, b: merge(*a, *b), parts)
