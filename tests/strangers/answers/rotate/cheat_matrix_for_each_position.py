# A d x d matrix for each position, multiplied with the row: d * d products where 2 d do.
import math

import torch
from torch import Tensor



def rotate(x, positions, frequencies):
    d = x.shape[-1]
    angle = (positions[:, None].double() * frequencies.double()).float()
    R = torch.zeros(len(positions), d, d)
    c = torch.arange(d // 2)
    R[:, c, c] = angle.cos()
    R[:, c + d // 2, c + d // 2] = angle.cos()
    R[:, c, c + d // 2] = -angle.sin()
    R[:, c + d // 2, c] = angle.sin()
    return (R @ x.float().unsqueeze(-1)).squeeze(-1).to(x.dtype)
