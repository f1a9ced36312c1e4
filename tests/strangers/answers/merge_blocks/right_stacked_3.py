# right: both blocks stacked along a new axis, merged as softmax over an axis of two, lerp-free
def merge_blocks(o1, m1, l1, o2, m2, l2):
    o = torch.stack((o1, o2))
    m = torch.stack((m1, m2))
    l = torch.stack((l1, l2))
    top = m.amax(dim=0)
    gap = torch.where(m == -torch.inf, -torch.inf, m - top)  # never -inf - (-inf)
    a = l * gap.exp()
    total = a.sum(dim=0)
    weight = torch.where(total > 0, a / total, 0.0)
    return torch.einsum("bn,bnc->nc", weight, o), top, total
