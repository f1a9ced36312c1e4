# A list comprehension of strided slices, one per head, stacked on a new axis.
import torch
from torch import Tensor


def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    kv_heads = rows.shape[1]
    g = heads // kv_heads
    return torch.stack([rows[:, h // g, h % g :: g] for h in range(heads)], dim=1)
