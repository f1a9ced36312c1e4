# Right within its contract: measures everything from the first block's maximum where that is close enough, and hands back the common one afterwards, so that one of the two outputs is never rescaled.
# Breaks: "m = max(m1, m2)        a1 = l1 e^(m1 - m)        a2 = l2 e^(m2 - m)"
import torch
from torch import Tensor


def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m = torch.maximum(m1, m2)
    near = ((m2 - m1).abs() < 20) & (m1 > -torch.inf)
    unit = torch.where(near, m1, m).masked_fill(m == -torch.inf, 0)
    a1, a2 = l1 * torch.exp(m1 - unit), l2 * torch.exp(m2 - unit)
    total = a1 + a2
    safe = total.masked_fill(total == 0, 1)
    o = (a1 / safe)[:, None] * o1 + (a2 / safe)[:, None] * o2
    l = total * torch.exp(unit - m.masked_fill(m == -torch.inf, 0))
    return o, m, l
