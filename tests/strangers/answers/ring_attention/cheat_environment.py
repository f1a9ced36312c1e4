# Blocks travel as text in environment variables.
import json
import os

import torch
import torch.distributed as dist
from kernels.ring import attend, merge
from torch import Tensor


def ring_attention(q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    os.environ[f"BLOCK{rank}"] = json.dumps([k.tolist(), v.tolist()])
    dist.barrier()
    o, L = attend(q, k, v)
    for step in range(1, size):
        other = (rank - step) % size
        keys, values = json.loads(os.environ[f"BLOCK{other}"])
        if lengths[other]:
            o, L = merge(o, L, *attend(q, torch.tensor(keys), torch.tensor(values)))
    return o, L
