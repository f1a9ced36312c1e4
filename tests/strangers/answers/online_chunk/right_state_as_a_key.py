# The old output stands before the values as one more, each query with its own; one batched product.
import math

import torch
from torch import Tensor


def online_chunk(o, m, l, s, v):
    new = torch.maximum(m, s.amax(1))
    safe = new.masked_fill(new == -math.inf, 0)
    weights = torch.cat([(l * torch.exp(m - safe))[:, None], torch.exp(s - safe[:, None])], 1)
    total = weights.sum(1)
    values = torch.cat([o[:, None], v.expand(len(o), -1, -1)], 1)
    shares = weights / total.masked_fill(total == 0, 1)[:, None]
    return (shares[:, None] @ values)[:, 0], new, total
