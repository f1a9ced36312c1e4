# Neighbouring columns 2c and 2c + 1 make a pair (as in the paper), instead of c and c + d/2.
import torch


def rotate(x, positions, frequencies):
    angles = positions.float()[:, None] * frequencies
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., 0::2].float(), x[..., 1::2].float()
    y = torch.stack((a * cos - b * sin, b * cos + a * sin), dim=-1)
    return y.flatten(-2).to(x.dtype)
