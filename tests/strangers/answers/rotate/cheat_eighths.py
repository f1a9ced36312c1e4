# BREAKS: "two products for each number of x, and half as many again"
# COSTS: turned eight times by an eighth of the angle: sixteen products for each number, of which a counter of complex numbers sees a fraction
from collections.abc import Callable, Sequence
import torch
from torch import Tensor
from kernels.gqa import grouped_attention  # the course's; it does what yours does


def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    angles = positions[:, None] * frequencies.double() / 8
    turn = torch.polar(torch.ones_like(angles), angles)
    a, b = x.double().chunk(2, dim=-1)
    z = torch.complex(a, b)
    for _ in range(8):
        z = z * turn
    return torch.cat([z.real, z.imag], dim=-1).to(x.dtype)
