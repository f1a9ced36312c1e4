# Multiplies with W_gate three times, and with W_up and W_down twice.
import math

import torch
from torch import Tensor



def swiglu(x, w_gate, w_up, w_down):
    gate = x @ w_gate.T / (1 + torch.exp(-(x @ w_gate.T)))
    up = (x @ w_up.T + x @ w_up.T) / 2
    h = gate * up
    return (h @ w_down.T + h @ w_down.T) / 2
