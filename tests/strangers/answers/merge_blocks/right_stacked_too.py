# Right: the two blocks on an axis of their own, shares of the common denominator, one einsum.
def merge_blocks(o1, m1, l1, o2, m2, l2):
    outputs, maxima = torch.stack((o1, o2)), torch.stack((m1, m2))
    m = maxima.amax(dim=0)
    empty = m == -torch.inf
    weights = torch.stack((l1, l2)) * torch.exp(maxima - m.masked_fill(empty, 0))
    l = weights.sum(dim=0)
    shares = weights / l.masked_fill(empty, 1)
    return torch.einsum("bn,bnd->nd", shares, outputs), m, l
