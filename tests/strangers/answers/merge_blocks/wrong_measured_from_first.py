# Measures the second block from the first one's maximum and converts at the end, so exp(m2 - m1) overflows to inf and gives NaN where the second maximum is more than 88 above the first.
def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    ref = torch.where(torch.isneginf(m1), m2, m1)
    ref = torch.where(torch.isneginf(ref), torch.zeros_like(ref), ref)
    w1 = l1 * torch.exp(m1 - ref)
    w2 = l2 * torch.exp(m2 - ref)
    w = w1 + w2
    div = torch.where(w == 0, torch.ones_like(w), w)
    o = (w1 / div)[:, None] * o1 + (w2 / div)[:, None] * o2
    m = torch.maximum(m1, m2)
    l = w * torch.exp(ref - torch.where(torch.isneginf(m), ref, m))
    return o, m, l
