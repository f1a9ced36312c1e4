# stacks the two blocks on a new axis and reduces over it
def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    ms, ls, os = torch.stack([m1, m2]), torch.stack([l1, l2]), torch.stack([o1, o2])
    m = ms.amax(dim=0)
    weights = torch.nan_to_num(torch.exp(ms - m), nan=0.0) * ls
    l = weights.sum(dim=0)
    shares = torch.nan_to_num(weights / l, nan=0.0)
    return torch.einsum("bn,bnc->nc", shares, os), m, l
