# Moves rows by a product with a matrix of ones and zeros.
import math

import torch
from torch import Tensor



def unpack_heads(rows, heads):
    b, kv, m, d = rows.shape
    g = heads // kv
    n = m // g
    r = torch.arange(m)
    move = torch.zeros(m, m, dtype=rows.dtype)
    move[(r % g) * n + r // g, r] = 1
    return (move @ rows).reshape(b, heads, n, d)
