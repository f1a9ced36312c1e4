# Divides by the row sum so that rows sum to 1: wrong for a tile of the keys.
import torch
from torch import Tensor


def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    exponent = torch.nn.functional.linear(scale * q, k) - torch.where(L.isneginf(), 0, L)[:, None]
    if mask is not None:
        exponent = torch.where(mask, exponent, -torch.inf)
    p = exponent.exp()
    total = p.sum(1, keepdim=True)
    return p / torch.where(total > 0, total, 1)
