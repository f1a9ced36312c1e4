# style: three lines
import torch
from torch import Tensor


def score_gradients(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    dp = do @ v.T
    delta = (do * o).sum(dim=1, keepdim=True)
    return p * (dp - delta)
