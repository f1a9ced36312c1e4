# Asks for an empty block with any() over the rows and then returns the other block for all of them, so a block that is empty for some queries only (a causal mask) loses its other rows.
def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    if torch.isneginf(m1).any():
        return o2.clone(), m2.clone(), l2.clone()
    if torch.isneginf(m2).any():
        return o1.clone(), m1.clone(), l1.clone()
    m = torch.maximum(m1, m2)
    a1 = l1 * torch.exp(m1 - m)
    a2 = l2 * torch.exp(m2 - m)
    l = a1 + a2
    o = (a1 / l).unsqueeze(-1) * o1 + (a2 / l).unsqueeze(-1) * o2
    return o, m, l
