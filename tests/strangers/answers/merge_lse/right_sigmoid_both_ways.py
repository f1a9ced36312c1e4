# Both shares from the difference alone, sigmoid(d) and sigmoid(-d), and L as maximum plus log1p; two empty blocks are chosen with torch.where.
def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    nothing = torch.isneginf(L1) & torch.isneginf(L2)
    d = torch.where(nothing, 0.0, L1 - L2)
    L = torch.maximum(L1, L2) + torch.log1p(torch.exp(-d.abs()))
    o = torch.sigmoid(d)[:, None] * o1 + torch.sigmoid(-d)[:, None] * o2
    return o, L
