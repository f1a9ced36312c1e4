# Honest: by complex numbers, torch.polar for angles in float32.
import math

import numpy as np
import torch
from torch import Tensor


def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    half = x.shape[-1] // 2
    angle = torch.outer(positions.float(), frequencies)
    turn = torch.polar(torch.ones_like(angle), angle)
    z = torch.complex(x[..., :half].float(), x[..., half:].float()) * turn
    return torch.cat((z.real, z.imag), dim=-1).to(x.dtype)
