# Two queries at a time, scaled by a 2 x 2 diagonal matrix.
import torch
from torch import Tensor


def online_step(o, m, l, s, v):
    new = torch.maximum(m, s)
    safe = torch.where(new == -torch.inf, torch.zeros_like(new), new)
    a, e = l * torch.exp(m - safe), torch.exp(s - safe)
    l2 = a + e
    w = torch.where(l2 == 0, torch.ones_like(l2), l2)
    a, e = a / w, e / w
    R = len(o)
    out = e[:, None] * v
    for i in range(0, R, 2):
        out[i : i + 2] += torch.diag(a[i : i + 2]) @ o[i : i + 2]
    return out, new, l2
