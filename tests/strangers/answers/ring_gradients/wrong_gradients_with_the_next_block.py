# Sends keys, values and their gradients together at the start of a step, before this rank's part is added; the part is added to the block behind.
import torch
import torch.distributed as dist
from kernels.ring import block_gradients, pass_on
from torch import Tensor


def ring_gradients(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    delta = (do * o).sum(-1)
    dq, held = torch.zeros_like(q), [k.contiguous(), v.contiguous(), torch.zeros_like(k), torch.zeros_like(v)]
    for step in range(size):
        n = lengths[(rank - step - 1) % size]
        requests, following = pass_on(held, n)
        part, dk, dv = block_gradients(q, *held[:2], L, do, delta)
        dq += part
        for r in requests:
            r.wait()
        if following[2].shape == dk.shape:
            following[2] = following[2] + dk
            following[3] = following[3] + dv
        held = [x.contiguous() for x in following]
    return dq, held[2], held[3]
