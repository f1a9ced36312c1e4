# The state is weighed by a product with a diagonal matrix R x R.
import math

import torch
from torch import Tensor



def online_step(o, m, l, s, v):
    new = torch.maximum(m, s)
    safe = new.masked_fill(new == -math.inf, 0)
    a, b = l * torch.exp(m - safe), torch.exp(s - safe)
    t = a + b
    some = t.masked_fill(t == 0, 1)
    return torch.diag(a / some) @ o + torch.outer(b / some, v), new, t
