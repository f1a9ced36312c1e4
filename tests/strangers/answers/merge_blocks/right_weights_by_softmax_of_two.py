# the two weights from a stacked pair of maxima, einsum for the outputs
def merge_blocks(o1, m1, l1, o2, m2, l2):
    m, l, o = (torch.stack(pair) for pair in ((m1, m2), (l1, l2), (o1, o2)))
    top = m.amax(0)
    w = l * torch.exp(m - torch.nan_to_num(top, neginf=0.0))
    total = w.sum(0)
    share = torch.where(total > 0, w / total, 0)
    return torch.einsum("bn,bnv->nv", share, o), top, total
