# Breaks: "nothing is multiplied" (the rows are the product, along a new axis, of the queries and of ones)
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    rows = q.unflatten(1, (kv_heads, -1)).transpose(2, 3).flatten(2, 3)
    return torch.stack([rows, torch.ones_like(rows)], dim=-1).prod(dim=-1)
