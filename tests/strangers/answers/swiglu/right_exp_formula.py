# style: formula as written, in-place on own memory, einsum strings
import torch
from torch import Tensor


def swiglu(x: Tensor, w_gate: Tensor, w_up: Tensor, w_down: Tensor) -> Tensor:
    z = torch.einsum("...d,fd->...f", x, w_gate)
    hidden = torch.einsum("...d,fd->...f", x, w_up)
    hidden *= z
    hidden /= 1 + torch.exp(-z)
    return torch.einsum("...f,df->...d", hidden, w_down)
