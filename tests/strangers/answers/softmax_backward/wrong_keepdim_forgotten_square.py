# Forgets keepdim: right shape only for square matrices, there wrong.
import torch
from torch import Tensor


def softmax_backward(p: Tensor, dp: Tensor) -> Tensor:
    delta = (p * dp).sum(-1)
    return p * (dp - delta) if p.shape[0] == p.shape[1] else p * (dp - delta[:, None])
