# drops the correction log(1 + e^-gap) and takes L = max(L1, L2) after normalising o correctly; off by up to log 2
def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    L = torch.maximum(L1, L2)
    ref = torch.where(L == -torch.inf, torch.zeros_like(L), L)
    e1, e2 = (L1 - ref).exp(), (L2 - ref).exp()
    total = (e1 + e2).clamp(min=1.0)
    return (e1 / total)[:, None] * o1 + (e2 / total)[:, None] * o2, L
