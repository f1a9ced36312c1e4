# O1 is scaled in place to save memory, so an argument is changed.
import torch


def merge_lse(o1, L1, o2, L2):
    L = torch.logaddexp(L1, L2)
    base = torch.where(L == -torch.inf, 0.0, L)
    o1 *= torch.exp(L1 - base)[:, None]
    return o1 + torch.exp(L2 - base)[:, None] * o2, L
