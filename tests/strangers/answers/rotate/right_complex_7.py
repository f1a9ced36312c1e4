# style: complex numbers, as in Meta's Llama repository (view_as_complex, polar)
import torch
from torch import Tensor


def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    freqs = torch.outer(positions.float(), frequencies)
    freqs_cis = torch.polar(torch.ones_like(freqs), freqs)
    left, right = x.float().chunk(2, dim=-1)
    turned = torch.complex(left.contiguous(), right.contiguous()) * freqs_cis
    return torch.cat((turned.real, turned.imag), dim=-1).type_as(x)
