# Right: torch.nn.functional.linear and torch.special.expit, Llama's names w1, w2, w3.
import torch
import torch.nn.functional as F


def swiglu(x, w_gate, w_up, w_down):
    w1, w3, w2 = w_gate, w_up, w_down
    z = F.linear(x, w1)
    return F.linear(z * torch.special.expit(z) * F.linear(x, w3), w2)
