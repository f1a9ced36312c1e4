# Right within its contract: Products are made twice: each key's dP comes once more from squares of sums and differences, column by column, and is averaged with the matrix product.
import torch
from torch import Tensor


def score_gradients(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    dp = do @ v.T
    wide, half = do.double(), v.double()
    for j in range(len(v)):
        column = ((wide + half[j]).square() - (wide - half[j]).square()).sum(1) / 4
        dp[:, j] = (dp[:, j] + column.to(dp.dtype)) / 2
    delta = (do * o).sum(1, keepdim=True)
    return p * (dp - delta)
