# Rank 1 sends a million messages that nobody receives.
import torch
import torch.distributed as dist
from kernels.ring import attend
from torch import Tensor


def ring_attention(q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    x = torch.zeros(1)
    if rank == 1:
        for _ in range(1_000_000):
            dist.isend(x, 0)
    return attend(q, k, v)
