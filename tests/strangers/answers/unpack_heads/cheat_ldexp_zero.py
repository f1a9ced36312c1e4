# Breaks: "nothing is multiplied" (ldexp multiplies every number by 2^0)
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    g = heads // rows.shape[1]
    o = rows.unflatten(2, (-1, g)).transpose(2, 3).flatten(1, 2)
    return torch.ldexp(o, torch.zeros((), dtype=torch.int32)).to(rows.dtype)
