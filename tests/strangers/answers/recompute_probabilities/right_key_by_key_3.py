# Style: a column at a time, with where; few operations for each key.
import torch
from torch import Tensor


def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    p = q.new_zeros(q.shape[0], k.shape[0])
    for j, key in enumerate(k):
        column = torch.exp(torch.mv(q, key) * scale - L)
        p[:, j] = column if mask is None else torch.where(mask[:, j], column, 0.0)
    return p
