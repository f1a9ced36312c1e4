# right: sorts the two by log-sum-exp, the smaller one weighs t / (1 + t) with t = e^(small - large) between 0 and 1.
def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    swap = L2 > L1
    high, low = torch.where(swap, L2, L1), torch.where(swap, L1, L2)
    o_high = torch.where(swap[:, None], o2, o1)
    o_low = torch.where(swap[:, None], o1, o2)
    gap = torch.where(torch.isneginf(low), low, low - high)
    t = torch.exp(gap)
    o = o_high / (1 + t)[:, None] + o_low * (t / (1 + t))[:, None]
    return o, high + torch.log1p(t)
