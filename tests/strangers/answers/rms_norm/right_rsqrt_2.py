# Style: Llama-like, in float32 to the end.
import torch
from torch import Tensor


def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    wide = x.to(torch.float32)
    scale = torch.rsqrt(wide.square().mean(dim=-1, keepdim=True) + eps)
    return (wide * scale * weight).to(x.dtype)
