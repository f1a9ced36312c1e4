# style: pass_on for both pairs, requests in lists
import torch
import torch.distributed as dist
from torch import Tensor

from kernels.ring import block_gradients, pass_on


def ring_gradients(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    delta = (do * o).sum(dim=-1)
    dq, gradients = torch.zeros_like(q), [torch.zeros_like(k), torch.zeros_like(v)]
    arriving = []
    for step in range(size):
        moving, following = [], (k, v)
        if step < size - 1:
            moving, following = pass_on([k, v], lengths[(rank - step - 1) % size])
        dq_part, *parts = block_gradients(q, k, v, L, do, delta)
        dq = dq + dq_part
        for request in arriving:
            request.wait()
        gradients = [whole + part for whole, part in zip(gradients, parts)]
        if size > 1:
            sent = gradients  # theirs until the requests are done
            arriving, gradients = pass_on(sent, lengths[(rank - step - 1) % size])
        for request in moving:
            request.wait()
        k, v = following
    for request in arriving:
        request.wait()
    return dq, gradients[0], gradients[1]
