# stack over the heads of a group.
import torch
from torch import Tensor


def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    g = q.shape[1] // kv_heads
    return torch.stack([q[:, i::g] for i in range(g)], dim=3).flatten(2, 3)
