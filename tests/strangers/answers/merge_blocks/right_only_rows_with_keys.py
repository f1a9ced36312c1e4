# copies the first block and merges just the rows in which the second block has keys
def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    o, m, l = o1.clone(), m1.clone(), l1.clone()
    rows = l2 > 0
    top = torch.maximum(m1[rows], m2[rows])
    a = l1[rows] * torch.exp(m1[rows] - top)
    b = l2[rows] * torch.exp(m2[rows] - top)
    total = a + b
    o[rows] = (a / total)[:, None] * o1[rows] + (b / total)[:, None] * o2[rows]
    m[rows], l[rows] = top, total
    return o, m, l
