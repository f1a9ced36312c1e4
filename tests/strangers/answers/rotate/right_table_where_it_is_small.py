# A table of all positions where it is small, angles of each position elsewhere.
import math

import numpy as np
import torch
from torch import Tensor


def rotate(x, positions, frequencies):
    h = x.shape[-1] // 2
    if len(positions) == 0:
        return x.clone()
    last = int(positions.max())
    if last < 4 * len(positions):
        angle = (torch.arange(last + 1)[:, None] * frequencies)[positions]
    else:
        angle = positions[:, None] * frequencies
    c, s = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    a, b = x[..., :h], x[..., h:]
    return torch.cat([a * c - b * s, b * c + a * s], -1)
