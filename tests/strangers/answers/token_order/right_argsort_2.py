# style: torch.argsort, bucketize-free, stable sort by rank
import torch
from torch import Tensor


def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    tokens = torch.arange(n)
    if layout == "stripe":
        rank = tokens % size
    elif layout == "zigzag":
        cuts = n * torch.arange(2 * size + 1) // (2 * size)
        chunk = torch.searchsorted(cuts, tokens, right=True) - 1
        rank = torch.minimum(chunk, 2 * size - 1 - chunk)
    else:
        raise ValueError(layout)
    order = torch.argsort(rank, stable=True)
    starts = torch.zeros(size + 1, dtype=torch.int64)
    starts[1:] = torch.bincount(rank, minlength=size).cumsum(0)
    inverse = torch.empty_like(order)
    inverse[order] = tokens
    return order, starts, inverse
