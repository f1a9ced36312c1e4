# style: einsum over a stacked axis of two blocks
import torch


def merge_blocks(o1, m1, l1, o2, m2, l2):
    o, m, l = torch.stack([o1, o2]), torch.stack([m1, m2]), torch.stack([l1, l2])
    top = m.amax(0)
    a = l * torch.where(l > 0, torch.exp(m - top), torch.zeros_like(m))
    total = a.sum(0)
    w = torch.where(total > 0, a / total, torch.zeros_like(a))
    return torch.einsum("bn,bnd->nd", w, o), top, total
