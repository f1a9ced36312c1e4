# Sines and cosines of every position up to the last, of which a few are read: memory for a table of 300,000 rows.
import math

import torch
from torch import Tensor



def rotate(x, positions, frequencies):
    d = x.shape[-1]
    n = int(positions.max()) + 1 if len(positions) else 0
    angle = torch.arange(n)[:, None].float() * frequencies
    cos, sin = angle.cos()[positions].to(x.dtype), angle.sin()[positions].to(x.dtype)
    a, b = x[..., : d // 2], x[..., d // 2 :]
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)
