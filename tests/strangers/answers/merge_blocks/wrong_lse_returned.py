# guards by torch.where; returns m + log l and 1 for m and l, of the same weight, in every case
def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m = torch.maximum(m1, m2)
    a1 = torch.where(l1 > 0, l1 * torch.exp(m1 - m), torch.zeros_like(l1))
    a2 = torch.where(l2 > 0, l2 * torch.exp(m2 - m), torch.zeros_like(l2))
    l = a1 + a2
    safe = torch.where(l > 0, l, torch.ones_like(l))
    o = (a1 / safe)[:, None] * o1 + (a2 / safe)[:, None] * o2
    return o, m + torch.log(l), (l > 0).to(l.dtype)
