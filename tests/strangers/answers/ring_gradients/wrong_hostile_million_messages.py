# Rank 0 sends a million messages.
import torch.distributed as dist
from torch import Tensor


def ring_gradients(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    for _ in range(1_000_000 * (rank == 0)):
        dist.isend(L, (rank + 1) % size)
    return q.clone(), k.clone(), v.clone()
