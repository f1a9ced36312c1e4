# Stripes by view(-1, size).t(): fails where size does not divide n.
import torch
from torch import Tensor


def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    if layout == "stripe":
        order = torch.arange(n).view(-1, size).t().reshape(-1)
    else:
        chunks = torch.arange(n).chunk(2 * size)
        order = torch.cat([torch.cat([chunks[r], chunks[2 * size - 1 - r]]) for r in range(size)])
    return order, torch.arange(size + 1) * n // size, torch.argsort(order)
