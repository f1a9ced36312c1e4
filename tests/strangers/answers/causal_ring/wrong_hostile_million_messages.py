# Every rank sends a million messages to itself or its neighbour.
import torch
import torch.distributed as dist
from kernels.ring import attend
from torch import Tensor


def causal_ring(q: Tensor, k: Tensor, v: Tensor, positions: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    x = torch.zeros(1)
    kept = [dist.isend(x, (rank + 1) % size) for _ in range(1_000_000)]
    for request in kept:
        request.wait()
    return attend(q, k, v, positions[rank] <= positions[rank][:, None])
