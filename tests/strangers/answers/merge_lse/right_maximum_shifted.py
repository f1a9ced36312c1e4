# shifts both log-sum-exps by their maximum and logs the sum
def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    top = torch.maximum(L1, L2)
    top = torch.where(top == -torch.inf, torch.zeros_like(top), top)
    w1, w2 = torch.exp(L1 - top), torch.exp(L2 - top)
    w = w1 + w2
    norm = torch.where(w == 0, torch.ones_like(w), w)
    o = (w1 / norm)[:, None] * o1 + (w2 / norm)[:, None] * o2
    return o, top + torch.log(w)
