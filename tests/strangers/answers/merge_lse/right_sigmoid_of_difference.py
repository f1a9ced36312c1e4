# sigmoid of the difference in both directions, which is 0 by hand where the block is empty
def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    first = torch.where(torch.isneginf(L1), torch.zeros_like(L1), torch.sigmoid(L1 - L2))
    second = torch.where(torch.isneginf(L2), torch.zeros_like(L2), torch.sigmoid(L2 - L1))
    return first[:, None] * o1 + second[:, None] * o2, torch.logaddexp(L1, L2)
