# style: as written, z / (1 + e^-z)
import torch


def swiglu(x, w_gate, w_up, w_down):
    z = x @ w_gate.T
    return (z / (1 + torch.exp(-z)) * (x @ w_up.T)) @ w_down.T
