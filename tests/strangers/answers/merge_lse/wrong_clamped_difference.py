# Clamps L2 - L1 to [-20, 20] "for stability": where the second block outweighs the first by more than e^20, L stops at L1 + 20.
def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    empty1, empty2 = torch.isneginf(L1), torch.isneginf(L2)
    diff = torch.clamp(L2 - L1, min=-20.0, max=20.0)
    L = L1 + torch.log1p(torch.exp(diff))
    w2 = torch.exp(diff) / (1 + torch.exp(diff))
    w2 = w2.masked_fill(empty2, 0.0).masked_fill(empty1, 1.0)
    L = torch.where(empty2, L1, L)
    L = torch.where(empty1, L2, L)
    o = (1 - w2)[:, None] * o1 + w2[:, None] * o2
    return o, L
