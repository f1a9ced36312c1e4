# Right: match on the layout, a stable argsort of owners, bincount and cumsum for starts, scatter for the inverse
import torch
from torch import Tensor


def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    """Which of n >= 1 tokens lie on which of `size` ranks, and the way back."""
    match layout:
        case "stripe":
            owner = torch.arange(n) % size
        case "zigzag":
            edges = torch.arange(1, 2 * size) * n // (2 * size)
            chunk = torch.bucketize(torch.arange(n), edges, right=True)
            owner = torch.minimum(chunk, 2 * size - 1 - chunk)
        case other:
            raise ValueError(f"no such layout: {other!r}")
    order = torch.argsort(owner, stable=True)
    starts = torch.zeros(size + 1, dtype=torch.int64)
    torch.cumsum(torch.bincount(owner, minlength=size), dim=0, out=starts[1:])
    inverse = torch.empty_like(order).scatter_(0, order, torch.arange(n))
    return order, starts, inverse
