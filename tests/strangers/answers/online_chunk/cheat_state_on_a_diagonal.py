# The old output is weighed by a diagonal matrix R x R beside P: R (R + C) d_v products where R (C + 1) d_v do.
import math

import torch
from torch import Tensor



def online_chunk(o, m, l, s, v):
    new = torch.maximum(m, s.amax(1))
    safe = new.masked_fill(new == -math.inf, 0)
    p, a = torch.exp(s - safe[:, None]), l * torch.exp(m - safe)
    t = a + p.sum(1)
    d = t.masked_fill(t == 0, 1)[:, None]
    weights = torch.cat([torch.diag(a), p], 1)
    return weights @ torch.cat([o, v]) / d, new, t
