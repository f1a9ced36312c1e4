# vectorised over the two blocks: stack, and reduce along the new axis
def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    maxima = torch.stack([m1, m2])
    m = maxima.amax(dim=0)
    weights = torch.stack([l1, l2]) * torch.exp(maxima - m.masked_fill(m == -torch.inf, 0.0))
    l = weights.sum(dim=0)
    shares = weights / l.masked_fill(l == 0, 1.0)
    o = (shares.unsqueeze(-1) * torch.stack([o1, o2])).sum(dim=0)
    return o, m, l
