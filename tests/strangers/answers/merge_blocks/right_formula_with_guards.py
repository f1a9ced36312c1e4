# printed formula; 0 stands in for the maximum and 1 for the denominator of two empty blocks
def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m = torch.maximum(m1, m2)
    ref = torch.where(m == -torch.inf, torch.zeros_like(m), m)
    a1, a2 = l1 * torch.exp(m1 - ref), l2 * torch.exp(m2 - ref)
    l = a1 + a2
    safe = torch.where(l == 0, torch.ones_like(l), l)
    return (a1 / safe)[:, None] * o1 + (a2 / safe)[:, None] * o2, m, l
