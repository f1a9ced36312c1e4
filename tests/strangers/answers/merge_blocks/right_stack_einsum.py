# right: the two blocks on a new axis, shares along it, one einsum.
def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    maxima, sums, outputs = torch.stack([m1, m2]), torch.stack([l1, l2]), torch.stack([o1, o2])
    m = maxima.amax(dim=0)
    gap = torch.where(torch.isneginf(maxima), maxima, maxima - m)
    weights = sums * gap.exp()
    l = weights.sum(dim=0)
    share = weights / torch.where(l > 0, l, torch.ones_like(l))
    return torch.einsum("bn,bnv->nv", share, outputs), m, l
