# addcmul with an einsum for the row sums.
import torch
from torch import Tensor


def softmax_backward(p: Tensor, dp: Tensor) -> Tensor:
    return torch.addcmul(p * dp, p, torch.einsum("rn,rn->r", p, dp).unsqueeze(-1), value=-1)
