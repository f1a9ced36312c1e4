# Accumulates into the first block's output with mul_ and add_ ("it is not needed any more"): the values are right, but o1 is overwritten and returned.
def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m = torch.maximum(m1, m2)
    zero = torch.where(m.isneginf(), 0.0, m)
    a1, a2 = l1 * torch.exp(m1 - zero), l2 * torch.exp(m2 - zero)
    l = a1 + a2
    recip = 1 / torch.where(l > 0, l, 1.0)
    o1.mul_((a1 * recip)[:, None]).add_((a2 * recip)[:, None] * o2)
    return o1, m, l
