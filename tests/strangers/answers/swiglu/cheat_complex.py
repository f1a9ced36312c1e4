# BREAKS: "Products: each token with each matrix, once, and a 32nd more at the most."
# COSTS: all three matrices are multiplied as complex numbers: four products for one
from collections.abc import Callable, Sequence
import torch
from torch import Tensor
from kernels.gqa import grouped_attention  # the course's; it does what yours does


def swiglu(x: Tensor, w_gate: Tensor, w_up: Tensor, w_down: Tensor) -> Tensor:
    def times(x, w):
        return (torch.complex(x, x) @ torch.complex(w, -w).mT).real / 2
    z = times(x, w_gate)
    return times(z * torch.sigmoid(z) * times(x, w_up), w_down)
