# sigmoid(L1 - L2) without a guard: nan where both blocks are empty
def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    w = torch.sigmoid(L1 - L2)[:, None]
    return w * o1 + (1 - w) * o2, torch.logaddexp(L1, L2)
