# One difference d = m1 - m2 per row; the larger side keeps its sum, the other is multiplied by exp(-|d|), NaN only for two empties.
def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    d = m1 - m2
    d = torch.where(torch.isnan(d), torch.zeros_like(d), d)
    a1 = l1 * torch.exp(d.clamp(max=0))
    a2 = l2 * torch.exp((-d).clamp(max=0))
    l = a1 + a2
    norm = torch.where(l > 0, l, torch.ones_like(l))
    o = (a1 / norm).unsqueeze(1) * o1 + (a2 / norm).unsqueeze(1) * o2
    return o, torch.maximum(m1, m2), l
