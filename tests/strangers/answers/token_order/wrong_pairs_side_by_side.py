# Rank r gets chunks r and r + W: two chunks, but not the mirrored ones.
import itertools

import torch
from torch import Tensor


def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    i = torch.arange(n)
    if layout == "stripe":
        held = [i[r::size] for r in range(size)]
    else:
        chunks = [i[n * c // (2 * size) : n * (c + 1) // (2 * size)] for c in range(2 * size)]
        held = [torch.cat([chunks[r], chunks[r + size]]) for r in range(size)]
    order = torch.cat(held)
    starts = torch.tensor([0, *itertools.accumulate(len(x) for x in held)])
    return order, starts, torch.argsort(order)
