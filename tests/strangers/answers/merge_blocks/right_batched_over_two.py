# Stacks the two blocks, so that merging is a masked weighted mean along the new axis.
def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    O, M, W = torch.stack([o1, o2]), torch.stack([m1, m2]), torch.stack([l1, l2])
    m = M.amax(0)
    W = W * torch.exp(M - m).nan_to_num(nan=0.0)
    l = W.sum(0)
    share = torch.where(l == 0, 0.0, W / l)
    return (share[..., None] * O).sum(0), m, l
