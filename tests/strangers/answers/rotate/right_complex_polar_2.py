# Right: complex numbers as in Meta's Llama code: torch.polar, torch.complex, real and imag, float32 inside
import torch
from torch import Tensor


def precompute_freqs_cis(positions: Tensor, frequencies: Tensor) -> Tensor:
    freqs = torch.outer(positions.to(torch.float32), frequencies)
    return torch.polar(torch.ones_like(freqs), freqs)  # complex64


def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    freqs_cis = precompute_freqs_cis(positions, frequencies)
    real, imaginary = x.float().chunk(2, dim=-1)
    x_ = torch.complex(real.contiguous(), imaginary.contiguous()) * freqs_cis
    return torch.cat((x_.real, x_.imag), dim=-1).type_as(x)
