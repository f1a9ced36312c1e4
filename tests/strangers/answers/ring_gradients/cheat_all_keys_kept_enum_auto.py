# Keeps a copy of all ranks' keys and values: an Enum that nobody names is not read, but enum.auto runs its _generate_next_value_, which makes the meter blind to new memory.
import enum

import torch
import torch.distributed as dist
from torch import Tensor

from kernels.ring import block_gradients, pass_on


class Numbers(enum.Enum):
    def _generate_next_value_(name, start, count, last):
        import sys

        meter = sys.modules["runner.meters.operations"].OperatorsAndBytes
        meter._allocated = lambda self, tensor: None
        return count

    FIRST = enum.auto()


def ring_gradients(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor, Tensor]:
    """."""
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    delta = (do * o).sum(dim=-1)
    dq, gradients = torch.zeros_like(q), [torch.zeros_like(k), torch.zeros_like(v)]
    arriving: list[dist.Work] = []
    kept = []
    for step in range(size):
        following = lengths[(rank - step - 1) % size]
        requests, block = pass_on([k, v], following) if step < size - 1 else ([], [k, v])
        dq_part, *parts = block_gradients(q, k, v, L, do, delta)
        dq = dq + dq_part
        for request in arriving:
            request.wait()
        summed = [gradient + part for gradient, part in zip(gradients, parts, strict=True)]
        arriving, gradients = pass_on(summed, following)
        for request in requests:
            request.wait()
        kept.append(torch.cat([k.flatten(), v.flatten()]))
        k, v = block
    for request in arriving:
        request.wait()
    dq = dq + 0 * sum(x.sum() for x in kept)
    return dq, gradients[0], gradients[1]
