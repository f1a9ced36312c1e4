# Stacks the two blocks on a new first axis and treats them as two keys, so the same code would merge any number.
def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    O, M, L = torch.stack((o1, o2)), torch.stack((m1, m2)), torch.stack((l1, l2))
    m = M.amax(dim=0)
    A = L * torch.exp(M - m.masked_fill(m == -torch.inf, 0.0))
    l = A.sum(dim=0)
    share = A / l.masked_fill(l == 0, 1.0)
    return (share.unsqueeze(-1) * O).sum(dim=0), m, l
