# Rank 1 raises before it sends.
import torch.distributed as dist
from kernels.ring import attend, pass_on
from torch import Tensor


def causal_ring(q: Tensor, k: Tensor, v: Tensor, positions: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    if rank == 1:
        [][0]
    requests, block = pass_on([k.contiguous(), v.contiguous()], len(positions[(rank - 1) % size]))
    for request in requests:
        request.wait()
    return attend(q, k, v, positions[rank] <= positions[rank][:, None])
