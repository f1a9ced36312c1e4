# FlashInfer port: treats the log-sum-exps as base 2 (exp2 and log2), although they are natural logarithms; equal L gives right outputs, everything else wrong weights and L.
def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    s_max = torch.maximum(L1, L2)
    ref = torch.where(torch.isinf(s_max), torch.zeros_like(s_max), s_max)
    d1, d2 = torch.exp2(L1 - ref), torch.exp2(L2 - ref)
    d = d1 + d2
    safe = torch.where(d == 0, torch.ones_like(d), d)
    o = o1 * (d1 / safe)[:, None] + o2 * (d2 / safe)[:, None]
    return o, torch.log2(d) + ref
