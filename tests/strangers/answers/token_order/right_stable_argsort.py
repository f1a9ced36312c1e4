# A match statement gives each token's owner, a stable argsort of owners does the rest.
import torch
from torch import Tensor


def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    token = torch.arange(n)
    match layout:
        case "stripe":
            owner = token % size
        case "zigzag":
            ends = n * torch.arange(1, 2 * size + 1) // (2 * size)
            chunk = torch.searchsorted(ends, token, right=True)
            owner = torch.minimum(chunk, 2 * size - 1 - chunk)
    order = owner.argsort(stable=True)
    starts = torch.cat((token.new_zeros(1), owner.bincount(minlength=size).cumsum(0)))
    return order, starts, torch.argsort(order)
