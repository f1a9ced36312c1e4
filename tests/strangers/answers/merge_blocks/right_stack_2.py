# Right: blocks stacked along a leading axis, weights by unbind, a namedtuple as the result.
from collections import namedtuple

import torch

Merged = namedtuple("Merged", ("o", "m", "l"))


def merge_blocks(o1, m1, l1, o2, m2, l2):
    maxima = torch.stack([m1, m2], dim=0)
    m, _ = maxima.max(dim=0)
    a = torch.stack([l1, l2], dim=0) * torch.exp(maxima - m.masked_fill(m.isneginf(), 0))
    l = a.sum(dim=0)
    w1, w2 = (a / l.masked_fill(l == 0, 1)).unsqueeze(-1).unbind(0)
    return Merged(o=w1 * o1 + w2 * o2, m=m, l=l)
