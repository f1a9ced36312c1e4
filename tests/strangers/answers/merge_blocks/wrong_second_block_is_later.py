# running update ported with the assumption that only the first block is rescaled; the second block's sum stays measured from its own maximum, wrong when m1 > m2
def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m = torch.maximum(m1, m2)
    alpha = torch.where(torch.isneginf(m1), 0.0, torch.exp(m1 - torch.where(m1 == m, m1, m)))
    alpha = torch.nan_to_num(alpha)
    l = l1 * alpha + l2
    safe = l.masked_fill(l == 0, 1.0)
    o = ((l1 * alpha)[:, None] * o1 + l2[:, None] * o2) / safe[:, None]
    return o, m, l
