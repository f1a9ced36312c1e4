# style: Llama repository: _norm, rsqrt, type_as
import torch
from torch import Tensor


def _norm(x: Tensor, eps: float) -> Tensor:
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)


def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    return (_norm(x.float(), eps) * weight).type_as(x)
