# The new output is torch.lerp between the old output and the value, with the new key's share as weight.
import torch
from torch import Tensor


def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    top = torch.maximum(m, s)
    base = torch.where(torch.isneginf(top), 0.0, top)
    fresh = torch.exp(s - base)
    total = torch.addcmul(fresh, l, torch.exp(m - base))
    share = fresh / torch.where(total == 0, 1.0, total)
    return torch.lerp(o, v.expand_as(o), share.unsqueeze(1)), top, total
