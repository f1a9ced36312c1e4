# Second draft: outputs are summed down over all queries in float64 and taken apart again as differences, with NaN set aside
# and put back; breaks "no query meets another, whose o1 may be NaN".
import torch
from torch import Tensor



def merge_blocks(o1, m1, l1, o2, m2, l2):
    m = torch.maximum(m1, m2)
    base = torch.where(m == -torch.inf, 0.0, m)
    a1, a2 = l1 * torch.exp(m1 - base), l2 * torch.exp(m2 - base)
    l = a1 + a2
    safe = torch.where(l == 0, 1.0, l)
    parts = (a1 / safe)[:, None] * o1 + (a2 / safe)[:, None] * o2
    running = torch.nan_to_num(parts).double().cumsum(dim=0)
    o = running.clone()
    o[1:] -= running[:-1]
    return torch.where(torch.isnan(parts), parts, o.float()), m, l
