# makes the Jacobian diag(P) - P P^T of every row, a column of all rows at a time: R N^2 work in place of a row sum; within five matrices of memory and 40 (R + N) operations
import math
from collections.abc import Sequence
import torch
from torch import Tensor
def softmax_backward(p: Tensor, dp: Tensor) -> Tensor:
    ds = torch.zeros_like(p)
    for j in range(p.shape[1]):
        column = p * -p[:, j : j + 1]
        column[:, j] += p[:, j]
        ds += column * dp[:, j : j + 1]
    return ds

