# Forms L = m + log l of both blocks and weights by sigmoid(L1 - L2): near large maxima L is rounded so coarsely that l inside it is lost; o and l are off by parts in a thousand at 1e5, parts in a hundred at 1e6.
def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    L1, L2 = m1 + torch.log(l1), m2 + torch.log(l2)
    m = torch.maximum(m1, m2)
    L = torch.logaddexp(L1, L2)
    l = torch.where(torch.isneginf(m), torch.zeros_like(m), torch.exp(L - m))
    gap = torch.where(L1 == L2, torch.zeros_like(L1), L1 - L2)
    o = torch.sigmoid(gap)[:, None] * o1 + torch.sigmoid(-gap)[:, None] * o2
    return o, m, l
