# int32 indices, as kernels take them.
import itertools

import torch
from torch import Tensor


def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    if layout == "stripe":
        held = [list(range(r, n, size)) for r in range(size)]
    else:
        cut = [n * c // (2 * size) for c in range(2 * size + 1)]
        held = [[*range(cut[r], cut[r + 1]), *range(cut[-2 - r], cut[-1 - r])] for r in range(size)]
    order = torch.tensor(sum(held, []), dtype=torch.int32)
    starts = torch.tensor([0, *itertools.accumulate(map(len, held))], dtype=torch.int32)
    return order, starts, torch.argsort(order).int()
