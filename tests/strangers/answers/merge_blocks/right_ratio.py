# style: sigmoid-like weights from one difference, torch.where for the empty rows
import torch


def merge_blocks(o1, m1, l1, o2, m2, l2):
    m = torch.maximum(m1, m2)
    base = torch.where(m.isneginf(), torch.zeros_like(m), m)
    a1, a2 = l1 * torch.exp(m1 - base), l2 * torch.exp(m2 - base)
    l = a1 + a2
    share = torch.where(l > 0, l, torch.ones_like(l)).reciprocal()
    return torch.addcmul((a1 * share).unsqueeze(1) * o1, (a2 * share).unsqueeze(1), o2), m, l
