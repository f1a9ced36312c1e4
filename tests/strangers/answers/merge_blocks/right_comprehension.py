# Right: a list comprehension over the two sides with walrus and operator.mul.
from operator import mul

import torch


def merge_blocks(o1, m1, l1, o2, m2, l2):
    sides = ((o1, m1, l1), (o2, m2, l2))
    base = torch.where((m := torch.maximum(m1, m2)) == -torch.inf, torch.zeros_like(m), m)
    parts = [torch.exp(m_side - base) * l_side for _, m_side, l_side in sides]
    divisor = torch.where((l := parts[0] + parts[1]) > 0, l, torch.ones_like(l))
    scaled = [mul((a / divisor)[:, None], o_side) for a, (o_side, _, _) in zip(parts, sides)]
    return scaled[0] + scaled[1], m, l
