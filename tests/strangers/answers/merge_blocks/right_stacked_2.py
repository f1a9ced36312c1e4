# style: right; a merge of any number of blocks with stack and einsum, called with two
def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    outputs, maxima, sums = torch.stack((o1, o2)), torch.stack((m1, m2)), torch.stack((l1, l2))
    m = maxima.amax(dim=0)
    base = m.masked_fill(m.isneginf(), 0)
    share = sums * torch.exp(maxima - base)
    l = share.sum(dim=0)
    share = share / l.masked_fill(l == 0, 1)
    return torch.einsum("bn,bnd->nd", share, outputs), m, l
