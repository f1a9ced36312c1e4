# Only stripes are written; the layout is ignored.
import itertools

import torch
from torch import Tensor


def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    order = torch.cat([torch.arange(r, n, size) for r in range(size) if r < n] or [torch.arange(0)])
    starts = torch.tensor([0, *itertools.accumulate(len(range(r, n, size)) for r in range(size))])
    return order, starts, torch.argsort(order)
