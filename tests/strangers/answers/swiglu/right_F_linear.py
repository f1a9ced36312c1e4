# style: F.linear, sigmoid from torch.special
import torch
import torch.nn.functional as F
from torch import Tensor


def swiglu(x: Tensor, w_gate: Tensor, w_up: Tensor, w_down: Tensor) -> Tensor:
    gate = F.linear(x, w_gate)
    gate = gate * torch.special.expit(gate)
    return F.linear(gate * F.linear(x, w_up), w_down)
