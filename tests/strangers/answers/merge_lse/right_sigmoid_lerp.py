# Right within its contract: one weight from a sigmoid of the difference, the second as what is left of 1 and never taken as an exponential; where it is close to 1, the small one has lost its bits.
# Breaks: "L = log(e^L1 + e^L2), of any size        o = e^(L1 - L) o1 + e^(L2 - L) o2"
import torch
from torch import Tensor


def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    empty1, empty2 = L1 == -torch.inf, L2 == -torch.inf
    gap = (L1 - L2).masked_fill(empty1 & empty2, 0)
    w = torch.sigmoid(gap)[:, None]
    L = torch.maximum(L1, L2) + torch.nn.functional.softplus(-gap.abs())
    o = w * o1 + (1 - w) * o2
    return o, L.masked_fill(empty1 & empty2, -torch.inf)
