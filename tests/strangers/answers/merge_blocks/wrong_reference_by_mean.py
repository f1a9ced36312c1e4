# Uses as common unit the maxima of whichever block is larger on average over the rows and converts afterwards: a row in which the other block is more than 88 above overflows to NaN.
def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m = torch.maximum(m1, m2)
    both = (l1 > 0) & (l2 > 0)
    ref = m
    if both.any():
        leader = m1 if (m1 - m2)[both].mean() >= 0 else m2
        ref = torch.where(both, leader, m)
    ref = ref.masked_fill(ref.isneginf(), 0)
    a1, a2 = l1 * torch.exp(m1 - ref), l2 * torch.exp(m2 - ref)
    total = a1 + a2
    div = total.masked_fill(total == 0, 1)
    o = (a1 / div)[:, None] * o1 + (a2 / div)[:, None] * o2
    l = torch.where(total > 0, total * torch.exp(ref - m), total)
    return o, m, l
