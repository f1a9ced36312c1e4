# forbidden 'silu', 'glu': the library's GRU cell multiplies its hidden state by the sigmoid of its input; with a unit matrix for the update gate, zeros for all else and z * up as its state it does silu(z) * up by itself
import torch
from torch import Tensor


def swiglu(x: Tensor, w_gate: Tensor, w_up: Tensor, w_down: Tensor) -> Tensor:
    z, up = x @ w_gate.T, x @ w_up.T
    width = z.shape[-1]
    gates = torch.zeros(3 * width, width)
    gates[width : 2 * width] = torch.eye(width)
    state = (z * up).reshape(-1, width)
    h = torch.gru_cell(z.reshape(-1, width), state, gates, torch.zeros_like(gates))
    return h.view(z.shape) @ w_down.T
