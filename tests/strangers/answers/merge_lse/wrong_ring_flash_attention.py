# Wrong: ring-flash-attention's update with logsigmoid, which is NaN where the first block is empty and the second is not.
# Breaks: "(0, -inf) is a block without keys: merging it with a result leaves the result as it is".
import torch
import torch.nn.functional as F


def merge_lse(o1, L1, o2, L2):
    both = torch.isneginf(L1) & torch.isneginf(L2)
    w = torch.sigmoid(L2 - L1)
    o = o1 - w[:, None] * (o1 - o2)
    L = L1 - F.logsigmoid(L1 - L2)
    o = torch.where(both[:, None], torch.zeros_like(o), o)
    return o, torch.where(both, torch.full_like(L, -torch.inf), L)
