# Outputs are weighted with e^(m - m') alone, so blocks with different denominators are mixed wrongly.
import torch


def merge_blocks(o1, m1, l1, o2, m2, l2):
    m = torch.maximum(m1, m2)
    base = torch.where(m == -torch.inf, 0.0, m)
    e1, e2 = torch.exp(m1 - base), torch.exp(m2 - base)
    l = l1 * e1 + l2 * e2
    w = e1 + e2
    w = torch.where(w == 0, 1.0, w)
    return (e1 / w)[:, None] * o1 + (e2 / w)[:, None] * o2, m, l
