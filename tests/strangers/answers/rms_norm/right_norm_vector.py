# Torch.linalg.vector_norm for the root of the sum of squares, in float32, then rsqrt-free division.
import torch
from torch import Tensor


def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    wide = x.to(torch.float32)
    size = torch.linalg.vector_norm(wide, dim=-1, keepdim=True)
    return (weight * wide / torch.sqrt(size.square() / x.shape[-1] + eps)).to(x.dtype)
