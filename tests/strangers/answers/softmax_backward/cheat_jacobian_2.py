# The Jacobian of every row is made after all, N x N, one column at a time, and multiplied with dp column by column without a matrix product.
import torch
from torch import Tensor


def softmax_backward(p: Tensor, dp: Tensor) -> Tensor:
    ds = torch.zeros_like(p)
    for j in range(p.shape[1]):
        column = p * -p[:, j : j + 1]  # of diag(P_i) - P_i P_i^T, for all rows i
        column[:, j] += p[:, j]
        ds += column.mul_(dp[:, j : j + 1])
    return ds
