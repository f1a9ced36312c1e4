# NamedTuple state and a free function that weighs; everything out of place
from typing import NamedTuple


class Weights(NamedTuple):
    m: Tensor
    l: Tensor
    old: Tensor  # the share of what was there
    new: Tensor  # the share of the key that comes


def _weigh(m: Tensor, l: Tensor, s: Tensor) -> Weights:
    top = torch.maximum(m, s)
    anchor = torch.where(torch.isneginf(top), torch.zeros_like(top), top)
    old, new = l * torch.exp(m - anchor), torch.exp(s - anchor)
    total = old + new
    divisor = torch.where(total == 0, torch.ones_like(total), total)
    return Weights(top, total, old / divisor, new / divisor)


def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    w = _weigh(m, l, s)
    moved = w.old.unsqueeze(-1) * o + w.new.unsqueeze(-1) * v
    masked = torch.isneginf(s)
    return (
        torch.where(masked.unsqueeze(-1), o, moved),
        w.m,
        torch.where(masked, l, w.l),
    )
