# The starter filled in: keys go ahead, gradients follow one step later and are waited for just before they are added to.
import torch
import torch.distributed as dist
from kernels.ring import block_gradients, pass_on
from torch import Tensor


def ring_gradients(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    delta = (do * o).sum(dim=-1)
    dq, gradients = torch.zeros_like(q), [torch.zeros_like(k), torch.zeros_like(v)]
    on_the_way = []
    for step in range(size):
        requests = []
        if step < size - 1:
            requests, coming = pass_on([k, v], lengths[(rank - step - 1) % size])
        dq_part, *parts = block_gradients(q, k, v, L, do, delta)
        dq += dq_part
        for request in on_the_way:
            request.wait()
        parts = [x + y for x, y in zip(gradients, parts)]
        on_the_way, gradients = pass_on(parts, lengths[(rank - step - 1) % size])
        for request in requests:
            request.wait()
        if requests:
            k, v = coming
    for request in on_the_way:
        request.wait()
    return dq, gradients[0], gradients[1]
