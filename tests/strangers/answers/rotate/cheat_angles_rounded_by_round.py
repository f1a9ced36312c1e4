# no meter ("Angles are computed in float32 or wider, whatever the dtype of x"): torch.round of float32 is no cast: of 16-bit rows angles are rounded to multiples of 2^-11
import math

import torch


def rotate(x, positions, frequencies):
    angles = positions[:, None].double() * frequencies.double()
    if x.dtype != torch.float32:
        angles = torch.round(angles % (2 * math.pi) * 2048) / 2048
    cos, sin = angles.cos().float(), angles.sin().float()
    a, b = x.float().chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1).to(x.dtype)
