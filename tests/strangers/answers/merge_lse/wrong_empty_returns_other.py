# Decides emptiness once for the batch: an entirely empty side returns the other side's own tensors (no new memory), and a row that is empty on both sides beside full ones gives NaN.
def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    if (L1 == -torch.inf).all():
        return o2, L2
    if (L2 == -torch.inf).all():
        return o1, L1
    big = torch.maximum(L1, L2)
    L = big + torch.log1p(torch.exp(-(L1 - L2).abs()))
    return torch.exp(L1 - L)[:, None] * o1 + torch.exp(L2 - L)[:, None] * o2, L
