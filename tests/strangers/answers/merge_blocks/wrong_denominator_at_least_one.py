# floors l at 1, which it never falls below when a block has keys, and returns the floor: two empty blocks give l = 1 instead of 0
def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m = torch.maximum(m1, m2)
    m0 = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1, a2 = l1 * torch.exp(m1 - m0), l2 * torch.exp(m2 - m0)
    l = (a1 + a2).clamp(min=1.0)
    o = (a1 / l)[:, None] * o1 + (a2 / l)[:, None] * o2
    return o, m, l
