# Cheat: sorts all queries by the first number of their output, works on them in that order and sorts them back
# Breaks: "Rows are multiplied with numbers of their own, and no query meets another, whose o1 may be NaN."
import torch
from torch import Tensor


def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    order = torch.argsort(o1[:, 0])  # every query is compared with others
    back = torch.argsort(order)
    o1, m1, l1, o2, m2, l2 = (x[order] for x in (o1, m1, l1, o2, m2, l2))
    m = torch.maximum(m1, m2)
    base = m.masked_fill(m == -torch.inf, 0.0)
    a1, a2 = l1 * torch.exp(m1 - base), l2 * torch.exp(m2 - base)
    l = a1 + a2
    safe = l.masked_fill(l == 0, 1.0)
    o = (a1 / safe)[:, None] * o1 + (a2 / safe)[:, None] * o2
    return o[back], m[back], l[back]
