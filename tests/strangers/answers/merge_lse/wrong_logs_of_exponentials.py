# the formula as printed, without a shift: infinite above 88, -inf below -104
def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    L = torch.log(torch.exp(L1) + torch.exp(L2))
    o = torch.exp(L1 - L)[:, None] * o1 + torch.exp(L2 - L)[:, None] * o2
    return torch.nan_to_num(o, nan=0.0), L
