# Right: Llama's original trick: complex numbers, torch.polar and view_as_complex, computed in float32
import torch
from torch import Tensor


def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    """Rotary position embedding: pairs of a row's numbers turned by position times frequency."""
    angles = torch.outer(positions.float(), frequencies.float())
    freqs_cis = torch.polar(torch.ones_like(angles), angles)
    pairs = torch.complex(*x.float().chunk(2, dim=-1))
    turned = pairs * freqs_cis
    return torch.cat([turned.real, turned.imag], dim=-1).type_as(x)
