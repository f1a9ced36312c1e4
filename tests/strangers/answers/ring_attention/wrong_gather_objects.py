# Gathers everything as Python objects, so lengths take care of themselves.
import torch
import torch.distributed as dist
from kernels.ring import attend
from torch import Tensor


def ring_attention(q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    held = [None] * dist.get_world_size()
    dist.all_gather_object(held, (k, v))
    return attend(q, torch.cat([x for x, _ in held], dim=1), torch.cat([x for _, x in held], dim=1))
