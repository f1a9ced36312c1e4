# Multiplies by the mask after the exponential: 0 times infinity is NaN where a hidden score is 90 above L, and in blind rows.
import torch
from torch import Tensor


def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    exponent = torch.nn.functional.linear(scale * q, k) - torch.where(L.isneginf(), 0, L)[:, None]
    if mask is not None:
        return exponent.exp() * mask
    return exponent.exp()
