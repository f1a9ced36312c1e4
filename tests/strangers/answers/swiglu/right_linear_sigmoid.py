# Right: F.linear with torch.sigmoid (silu itself is forbidden), names from HF's MLP
import torch
import torch.nn.functional as F
from torch import Tensor


def swiglu(x: Tensor, w_gate: Tensor, w_up: Tensor, w_down: Tensor) -> Tensor:
    gate_proj = F.linear(x, w_gate)
    act = gate_proj * torch.sigmoid(gate_proj)
    return F.linear(act * F.linear(x, w_up), w_down)
