# Chunks from tensor_split, which gives the first ones the extra tokens: other ends than n c // (2 W).
import itertools

import torch
from torch import Tensor


def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    i = torch.arange(n)
    if layout == "stripe":
        held = [i[r::size] for r in range(size)]
    else:
        chunks = i.tensor_split(2 * size)
        held = [torch.cat([chunks[r], chunks[-1 - r]]) for r in range(size)]
    order = torch.cat(held)
    starts = torch.tensor([0, *itertools.accumulate(len(x) for x in held)])
    return order, starts, torch.argsort(order)
