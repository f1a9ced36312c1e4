# Tensors only: the owner of each token, a stable sort by it, and argsort once more for the way back.
import torch
from torch import Tensor


def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    i = torch.arange(n)
    if layout == "stripe":
        owner = i % size
    else:
        bounds = torch.arange(2 * size + 1) * n // (2 * size)
        chunk = torch.bucketize(i, bounds[1:], right=True)
        owner = torch.minimum(chunk, 2 * size - 1 - chunk)
    order = torch.argsort(owner, stable=True)
    counts = torch.bincount(owner, minlength=size)
    starts = torch.cat([torch.zeros(1, dtype=torch.int64), counts.cumsum(0)])
    return order, starts, torch.argsort(order)
