# Writes each block to a file in the temporary folder and reads the others'.
import os
import tempfile

import torch
import torch.distributed as dist
from kernels.ring import attend, merge
from torch import Tensor


def ring_attention(q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    folder = tempfile.gettempdir()
    torch.save((k, v), os.path.join(folder, f"ring{rank}.pt"))
    dist.barrier()
    o, L = attend(q, k, v)
    for step in range(1, size):
        o, L = merge(o, L, *attend(q, *torch.load(os.path.join(folder, f"ring{(rank - step) % size}.pt"))))
    return o, L
