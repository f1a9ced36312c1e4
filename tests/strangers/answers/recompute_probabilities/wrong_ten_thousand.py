# Masks with -1e4, with L = -inf mended: where L is lower still, what is hidden is infinite.
import torch
from torch import Tensor


def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = scale * (q @ k.T)
    s = s if mask is None else s.masked_fill(~mask, -1e4)
    return torch.exp(s - L.nan_to_num(neginf=0.0)[:, None])
