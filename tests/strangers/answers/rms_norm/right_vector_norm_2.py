# style: torch.linalg.vector_norm from the library
import torch
from torch import Tensor


def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    wide = x.to(torch.float32)
    mean_square = torch.linalg.vector_norm(wide, dim=-1, keepdim=True).square() / x.shape[-1]
    return (weight * (wide / torch.sqrt(mean_square + eps))).to(x.dtype)
