# Right: two blocks are two keys with scores L and values o; gap-based weights 1/(1+e^-gap) for the heavier, its complement for the lighter.
def merge_lse(o1, L1, o2, L2):
    low, high = torch.minimum(L1, L2), torch.maximum(L1, L2)
    gap = torch.where(low == -torch.inf, -torch.inf, low - high)  # <= 0
    ratio = torch.exp(gap)  # lighter weight over heavier weight
    heavy = (1 / (1 + ratio))[:, None]
    light = (ratio / (1 + ratio))[:, None]
    first = (L1 >= L2)[:, None]
    o = heavy * torch.where(first, o1, o2) + light * torch.where(first, o2, o1)
    return o, high + torch.log1p(ratio)
