# Python ranges per rank, chained, and a scatter for the inverse.
import itertools

import torch
from torch import Tensor


def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    if layout == "stripe":
        held = [list(range(r, n, size)) for r in range(size)]
    else:
        cut = [n * c // (2 * size) for c in range(2 * size + 1)]
        held = []
        for r in range(size):
            mirror = 2 * size - 1 - r
            held.append([*range(cut[r], cut[r + 1]), *range(cut[mirror], cut[mirror + 1])])
    order = torch.tensor(list(itertools.chain.from_iterable(held)), dtype=torch.int64)
    starts = torch.tensor([0, *itertools.accumulate(map(len, held))], dtype=torch.int64)
    inverse = torch.empty_like(order)
    inverse[order] = torch.arange(n)
    return order, starts, inverse
