# Pairs are complex numbers, turned by multiplication with torch.polar(1, angle).
import torch
from torch import Tensor


def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    angles = torch.outer(positions.to(torch.float32), frequencies)
    turn = torch.polar(torch.ones_like(angles), angles)
    real, imaginary = x.float().chunk(2, dim=-1)
    turned = torch.complex(real.contiguous(), imaginary.contiguous()) * turn
    return torch.cat((turned.real, turned.imag), dim=-1).to(x.dtype)
