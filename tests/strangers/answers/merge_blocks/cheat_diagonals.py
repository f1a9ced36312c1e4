# Weights on the diagonal of N x N matrices, multiplied with the outputs.
import math

import torch
from torch import Tensor



def merge_blocks(o1, m1, l1, o2, m2, l2):
    m = torch.maximum(m1, m2)
    safe = m.masked_fill(m == -math.inf, 0)
    a, b = l1 * torch.exp(m1 - safe), l2 * torch.exp(m2 - safe)
    l = a + b
    some = l.masked_fill(l == 0, 1)
    return torch.diag(a / some) @ o1 + torch.diag(b / some) @ o2, m, l
