# port of a kernel that keeps log-sum-exps in base 2 (exp2, log2), while L here is a natural logarithm
def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    top = torch.maximum(L1, L2)
    ref = torch.where(torch.isneginf(top), 0.0, top)
    w1, w2 = torch.exp2(L1 - ref), torch.exp2(L2 - ref)
    d = w1 + w2
    safe = torch.where(d == 0, 1.0, d)
    o = (w1 / safe)[:, None] * o1 + (w2 / safe)[:, None] * o2
    return o, torch.log2(d) + ref
