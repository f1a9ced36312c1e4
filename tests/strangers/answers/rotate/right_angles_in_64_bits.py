# angles, cosines and sines in float64, wider than asked
import torch

def rotate(x, positions, frequencies):
    angle = positions.double()[:, None] * frequencies.double()
    cos, sin = torch.cos(angle), torch.sin(angle)
    first, second = x.double().chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1).to(x.dtype)
