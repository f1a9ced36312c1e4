# Scales by 2^0 with ldexp. Breaks "nothing is multiplied".
import math

import torch
from torch import Tensor


def unpack_heads(rows, heads):
    B, kv, r, d = rows.shape
    g = heads // kv
    rows = torch.ldexp(rows, torch.zeros((), dtype=torch.int32))
    return rows.reshape(B, kv, r // g, g, d).transpose(2, 3).reshape(B, heads, r // g, d)
