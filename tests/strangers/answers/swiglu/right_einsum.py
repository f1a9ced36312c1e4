# style: einsum, one matrix for gate and up, the sigmoid of torch
import torch


def swiglu(x, w_gate, w_up, w_down):
    z, up = torch.einsum("...d,fd->...f", x, torch.cat([w_gate, w_up])).chunk(2, dim=-1)
    return torch.einsum("...f,df->...d", torch.sigmoid(z).mul(z).mul(up), w_down)
