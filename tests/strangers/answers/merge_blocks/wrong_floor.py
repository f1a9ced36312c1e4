# WRONG: maxima are floored at -1e30 to keep nan away; two blocks with maxima below that merge to nothing
def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m = torch.maximum(m1, m2)
    base = m.clamp(min=-1e30)
    a1, a2 = l1 * (m1 - base).exp(), l2 * (m2 - base).exp()
    l = a1 + a2
    safe = torch.where(l == 0, 1.0, l)
    return (a1 / safe)[:, None] * o1 + (a2 / safe)[:, None] * o2, m, l
