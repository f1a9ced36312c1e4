# Rank 1 ends the process.
import os

import torch.distributed as dist
from kernels.ring import attend
from torch import Tensor


def causal_ring(q: Tensor, k: Tensor, v: Tensor, positions: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    if rank == 1:
        os._exit(1)
    return attend(q, k, v, positions[rank] <= positions[rank][:, None])
