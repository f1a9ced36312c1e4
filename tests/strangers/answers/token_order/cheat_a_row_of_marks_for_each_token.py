# Counts by a boolean of tokens x ranks. Breaks "Memory: O(n + W) numbers".
import math

import numpy as np
import torch
from torch import Tensor


def token_order(n, size, layout):
    i = torch.arange(n)
    if layout == "stripe":
        rank = i % size
    else:
        chunk = ((i + 1) * 2 * size - 1) // n
        rank = torch.minimum(chunk, 2 * size - 1 - chunk)
    order = torch.argsort(rank, stable=True)
    counts = (rank[:, None] == torch.arange(size)).sum(0)
    starts = torch.cat([torch.zeros(1, dtype=torch.int64), counts.cumsum(0)])
    inverse = torch.empty_like(order)
    inverse[order] = i
    return order, starts, inverse
