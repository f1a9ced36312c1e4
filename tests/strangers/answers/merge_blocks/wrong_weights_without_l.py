# weighs the outputs by exp(m - max) alone and forgets that they were divided by their own l; right only if l1 = l2
def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isneginf(m), 0.0, m)
    e1, e2 = torch.exp(m1 - safe), torch.exp(m2 - safe)
    l = l1 * e1 + l2 * e2
    z = e1 + e2
    z = torch.where(z == 0, 1.0, z)
    return (e1 / z)[:, None] * o1 + (e2 / z)[:, None] * o2, m, l
