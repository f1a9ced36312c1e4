# Torch.addmm with beta=-1 subtracts L in the product, torch.where at the end.
import torch
from torch import Tensor


def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    p = torch.addmm(L[:, None], q, k.T, beta=-1, alpha=scale).exp()
    return p if mask is None else torch.where(mask, p, 0.0)
