# style: right; only the difference of the two counts: sigmoids for o, log1p for L
def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    gap = torch.where(L1 == L2, torch.zeros_like(L1), L1 - L2)  # 0 for two empty blocks too
    o = torch.sigmoid(gap)[:, None] * o1 + torch.sigmoid(-gap)[:, None] * o2
    return o, torch.maximum(L1, L2) + torch.log1p(torch.exp(-gap.abs()))
