# works with L = m + log l and recovers l = exp(L - m): at maxima of 1e5 and more both weights and l are off by percents
def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    L1, L2 = m1 + torch.log(l1), m2 + torch.log(l2)
    L = torch.logaddexp(L1, L2)
    gone = torch.isneginf(L)
    ref = L.masked_fill(gone, 0.0)
    o = torch.exp(L1 - ref)[:, None] * o1 + torch.exp(L2 - ref)[:, None] * o2
    m = torch.maximum(m1, m2)
    l = torch.exp(ref - m.masked_fill(gone, 0.0)).masked_fill(gone, 0.0)
    return o, m, l
