# torch.chunk pieces of ceil(n / 2W) tokens: fewer chunks than 2 W where it does not divide.
import itertools

import torch
from torch import Tensor


def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    i = torch.arange(n)
    if layout == "stripe":
        held = [i[r::size] for r in range(size)]
    else:
        c = -(-n // (2 * size))
        held = [
            torch.cat([i[r * c : (r + 1) * c], i[(2 * size - 1 - r) * c : (2 * size - r) * c]]) for r in range(size)
        ]
    order = torch.cat(held)
    starts = torch.tensor([0, *itertools.accumulate(len(x) for x in held)])
    return order, starts, torch.argsort(order)
