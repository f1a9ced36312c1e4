# SECOND DRAFT. Scales by 2^0 with ldexp. Breaks "nothing is multiplied".
import math

import numpy as np
import torch
from torch import Tensor


def pack_heads(q, kv_heads):
    B, Hq, N, d = q.shape
    q = torch.ldexp(q, torch.zeros((), dtype=torch.int32))
    return q.unflatten(1, (kv_heads, Hq // kv_heads)).transpose(2, 3).reshape(B, kv_heads, N * (Hq // kv_heads), d)
