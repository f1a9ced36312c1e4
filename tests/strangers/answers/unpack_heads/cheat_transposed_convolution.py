# Breaks: "nothing is multiplied" (a transposed convolution with a single weight of one copies the numbers)
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    g = heads // rows.shape[1]
    o = rows.unflatten(2, (-1, g)).transpose(2, 3).flatten(1, 2)
    flat = o.reshape(1, 1, -1)
    if not flat.numel():
        return o.clone()
    one = torch.ones(1, 1, 1, dtype=flat.dtype, device=flat.device)
    return torch.nn.functional.conv_transpose1d(flat, one).reshape(o.shape)
