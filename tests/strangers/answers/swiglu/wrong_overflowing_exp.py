# Wrong: multiplies z e^z / (1 + e^z), which is inf / inf where z is above 88.
# Breaks: "silu(z) = z / (1 + e^-z)".
import torch


def swiglu(x, w_gate, w_up, w_down):
    z = x @ w_gate.T
    e = torch.exp(z)
    return ((z * e / (1 + e)) * (x @ w_up.T)) @ w_down.T
