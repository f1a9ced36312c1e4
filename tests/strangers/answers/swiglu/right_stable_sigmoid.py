# F.linear for the matrices and torch.sigmoid for the gate, chained methods.
import torch
import torch.nn.functional as F
from torch import Tensor


def swiglu(x: Tensor, w_gate: Tensor, w_up: Tensor, w_down: Tensor) -> Tensor:
    z = F.linear(x, w_gate)
    return F.linear(z.sigmoid().mul(z).mul(F.linear(x, w_up)), w_down)
