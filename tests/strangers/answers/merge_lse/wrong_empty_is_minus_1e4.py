# clamps L at -1e4 so that empty blocks are finite: rows with real L below -1e4 weigh equally, and two empty blocks give L near -1e4 instead of -inf
def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    a, b = L1.clamp(min=-1e4), L2.clamp(min=-1e4)
    L = torch.logaddexp(a, b)
    return (a - L).exp()[:, None] * o1 + (b - L).exp()[:, None] * o2, L
