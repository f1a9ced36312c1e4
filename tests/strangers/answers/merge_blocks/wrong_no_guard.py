# wrong: two empty blocks give nan in l and o
import torch


def merge_blocks(o1, m1, l1, o2, m2, l2):
    m = torch.maximum(m1, m2)
    a1, a2 = l1 * torch.exp(m1 - m), l2 * torch.exp(m2 - m)
    l = a1 + a2
    return (a1 / l)[:, None] * o1 + (a2 / l)[:, None] * o2, m, l
