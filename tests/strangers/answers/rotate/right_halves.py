# style: two halves, angles in float32, one cast at the end
import torch


def rotate(x, positions, frequencies):
    angle = positions[:, None].float() * frequencies
    cos, sin = angle.cos(), angle.sin()
    a, b = x.float().chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1).to(x.dtype)
