# Stacks the two blocks along a new axis and reduces along it, as a softmax over two entries with weights l.
def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    maxima, outputs = torch.stack((m1, m2)), torch.stack((o1, o2))
    m = maxima.amax(dim=0)
    a = torch.stack((l1, l2)) * torch.exp(maxima - m.masked_fill(m == -torch.inf, 0))
    l = a.sum(dim=0)
    share = a / l.masked_fill(l == 0, 1)
    return (share[..., None] * outputs).sum(dim=0), m, l
