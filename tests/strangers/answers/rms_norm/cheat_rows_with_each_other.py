# Sums of squares from the diagonal of x x^T: rows meet each other, where each meets itself alone.
import math

import torch
from torch import Tensor



def rms_norm(x, weight, eps):
    rows = x.float().reshape(-1, x.shape[-1])
    squares = (rows @ rows.T).diagonal() if len(rows) < 3000 else rows.square().sum(1)
    y = rows * torch.rsqrt(squares / x.shape[-1] + eps)[:, None] * weight
    return y.to(x.dtype).view(x.shape)
