# A 2 x 2 matrix for each pair, by einsum: as many products as the formula has.
import math

import torch
from torch import Tensor



def rotate(x, positions, frequencies):
    *lead, n, d = x.shape
    angle = positions[:, None].double() * frequencies
    cos, sin = angle.cos().float(), angle.sin().float()
    turn = torch.stack([torch.stack([cos, -sin], -1), torch.stack([sin, cos], -1)], -2)
    pairs = torch.stack([x[..., : d // 2], x[..., d // 2 :]], -1).float()
    y = torch.einsum("ncab,...ncb->...nca", turn, pairs)
    return torch.cat([y[..., 0], y[..., 1]], -1).to(x.dtype)
