# Subtracts the mean of dP weighted by P / sum P: the same for rows that sum to 1; a row of zeros is NaN.
import torch
from torch import Tensor


def softmax_backward(p: Tensor, dp: Tensor) -> Tensor:
    return p * (dp - (p * dp).sum(-1, keepdim=True) / p.sum(-1, keepdim=True))
