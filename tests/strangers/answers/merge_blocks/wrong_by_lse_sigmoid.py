# Wrong: goes by L = m + log l as ring-flash-attention does, which rounds l away where maxima are large.
# Breaks: "Maxima have any size, so that L = m + log l would round them too coarsely."
import torch


def merge_blocks(o1, m1, l1, o2, m2, l2):
    L1, L2 = m1 + torch.log(l1), m2 + torch.log(l2)
    w = torch.where(l1 == 0, 1.0, torch.where(l2 == 0, 0.0, torch.sigmoid(L2 - L1)))
    o = torch.where((w == 0)[:, None], o1, torch.where((w == 1)[:, None], o2, o1 - w[:, None] * (o1 - o2)))
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isneginf(m), 0.0, m)
    return o, m, l1 * torch.exp(m1 - safe) + l2 * torch.exp(m2 - safe)
