# Moves rows by a product with a matrix of ones and zeros.
import math

import torch
from torch import Tensor



def pack_heads(q, kv_heads):
    b, h, n, d = q.shape
    g = h // kv_heads
    r = torch.arange(n * g)
    move = torch.zeros(n * g, g * n, dtype=q.dtype)
    move[r, (r % g) * n + r // g] = 1
    return move @ q.reshape(b, kv_heads, g * n, d)
