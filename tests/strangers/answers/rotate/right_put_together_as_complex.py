# Four products, put together as complex numbers and taken apart again.
import torch
from torch import Tensor
def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    angle = positions[:, None] * frequencies
    c, s = angle.cos(), angle.sin()
    u, v = x.float().chunk(2, dim=-1)
    z = torch.complex(u * c - v * s, u * s + v * c)
    return torch.cat([z.real, z.imag], dim=-1).to(x.dtype)
