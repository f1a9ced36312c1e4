# Everything from the difference L1 - L2, taken as 0 where the two are equal (also both -inf): sigmoids for the weights, log1p above the larger one for L.
def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    gap = torch.where(L1 == L2, torch.zeros_like(L1), L1 - L2)
    L = torch.maximum(L1, L2) + torch.log1p(torch.exp(-gap.abs()))
    o = torch.sigmoid(gap)[:, None] * o1 + torch.sigmoid(-gap)[:, None] * o2
    return o, L
