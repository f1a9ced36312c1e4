# the precision promised ('Angles are computed in float32, whatever the dtype of x is'): angles, cosines and sines are float64, twice the bytes and a fraction of the speed; what is nearer to the truth than asked is right by value, and no meter asks for dtypes
import torch

def rotate(x, positions, frequencies):
    angle = positions.double()[:, None] * frequencies.double()
    cos, sin = torch.cos(angle), torch.sin(angle)
    first, second = x.double().chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1).to(x.dtype)
