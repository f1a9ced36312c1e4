# Torch.outer for the value's part and one exponential of minus the distance, chosen by torch.where.
import torch
from torch import Tensor


def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    old_is_larger = m >= s
    low, high = torch.minimum(m, s), torch.maximum(m, s)
    e = torch.where(low == -torch.inf, low, low - high).exp()
    old = l * torch.where(old_is_larger, 1.0, e)
    new = torch.where(old_is_larger, e, 1.0)
    total = old + new
    empty = total == 0
    divisor = total.masked_fill(empty, 1.0)
    return o * (old / divisor)[:, None] + torch.outer(new / divisor, v), high, total
