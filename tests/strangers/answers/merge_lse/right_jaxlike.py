# a JAX person: pure functions, where-guards, no mutation; weights from differences, not from L
def _guarded(L: Tensor) -> Tensor:
    return torch.where(torch.isneginf(L), 0.0, L)


def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    top = torch.maximum(L1, L2)
    e1, e2 = (torch.exp(L - _guarded(top)) for L in (L1, L2))
    total = e1 + e2
    w1, w2 = (e / torch.where(total == 0, 1.0, total) for e in (e1, e2))
    return w1[:, None] * o1 + w2[:, None] * o2, _guarded(top) + torch.log(total)
