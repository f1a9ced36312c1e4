# right: the two blocks become an axis of length 2; one max, one sum and one einsum over it
def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    maxima, sums = torch.stack([m1, m2]), torch.stack([l1, l2])
    m = maxima.amax(dim=0)
    a = sums * torch.exp(maxima - torch.where(m.isinf(), torch.zeros_like(m), m))
    l = a.sum(dim=0)
    weights = a / l.masked_fill(l == 0, 1.0)
    return torch.einsum("bn,bnd->nd", weights, torch.stack([o1, o2])), m, l
