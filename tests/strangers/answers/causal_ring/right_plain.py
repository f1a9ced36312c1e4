# style: ask, compute, wait; a mask only where a pair is cut
import torch
import torch.distributed as dist
from torch import Tensor

from kernels.ring import attend, merge, pass_on


def causal_ring(
    q: Tensor, k: Tensor, v: Tensor, positions: tuple[Tensor, ...]
) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    queries = list(zip(q.tensor_split(2, dim=1), positions[rank].tensor_split(2), strict=True))
    outputs = [x.new_zeros(*x.shape[:2], v.shape[2]) for x, _ in queries]
    sums = [x.new_full(x.shape[:2], -torch.inf) for x, _ in queries]
    for step in range(size):
        if step < size - 1:
            requests, coming = pass_on([k, v], len(positions[(rank - step - 1) % size]))
        places = positions[(rank - step) % size].tensor_split(2)
        keys = list(zip(k.tensor_split(2, dim=1), v.tensor_split(2, dim=1), places, strict=True))
        for i, (x, at) in enumerate(queries):
            for key, value, place in keys:
                if len(at) == 0 or len(place) == 0 or place[0] > at[-1]:
                    continue
                if place[-1] <= at[0]:
                    part = attend(x, key, value)
                else:
                    part = attend(x, key, value, place <= at[:, None])
                outputs[i], sums[i] = merge(outputs[i], sums[i], *part)
        if step < size - 1:
            for request in requests:
                request.wait()
            k, v = coming
    return torch.cat(outputs, dim=1), torch.cat(sums, dim=1)
