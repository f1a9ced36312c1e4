# Right: torch.linalg.vector_norm over sqrt(D), hypot-free, double precision inside
import torch
from torch import Tensor


def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    wide = x.double()
    rms2 = torch.linalg.vector_norm(wide, dim=-1, keepdim=True).square() / x.shape[-1]
    return wide.div_(rms2.add_(eps).sqrt_()).mul_(weight).to(dtype=x.dtype)
