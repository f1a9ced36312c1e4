# Honest: both gates by one einsum each, silu from exp of -|z|, in a class with a static method.
import math

import numpy as np
import torch
from torch import Tensor


class Gate:
    @staticmethod
    def open(z: Tensor) -> Tensor:
        small = torch.exp(-z.abs())
        return z * torch.where(z >= 0, torch.ones_like(z), small) / (1 + small)


def swiglu(x: Tensor, w_gate: Tensor, w_up: Tensor, w_down: Tensor) -> Tensor:
    z = torch.einsum("...d,fd->...f", x, w_gate)
    y = torch.einsum("...d,fd->...f", x, w_up)
    return torch.einsum("...f,df->...d", Gate.open(z).mul_(y), w_down)
