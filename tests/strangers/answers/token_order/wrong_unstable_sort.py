# Sorts the owners without asking for a stable sort: for longer sequences the tokens of a rank come mixed.
import numpy as np
import torch
from torch import Tensor


def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    i = torch.arange(n)
    if layout == "stripe":
        owner = i % size
    else:
        cut = torch.arange(2 * size + 1) * n // (2 * size)
        chunk = torch.searchsorted(cut, i, right=True) - 1
        owner = torch.minimum(chunk, 2 * size - 1 - chunk)
    order = torch.from_numpy(np.argsort(-owner.numpy(), kind="heapsort")[::-1].copy())
    starts = torch.cat([torch.zeros(1, dtype=torch.int64), torch.bincount(owner, minlength=size).cumsum(0)])
    return order, starts, torch.argsort(order)
