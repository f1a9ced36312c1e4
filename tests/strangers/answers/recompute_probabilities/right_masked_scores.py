# Style: masked scores are -inf before the exponential; L = -inf is shifted by 0.
import torch
from torch import Tensor


def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = scale * (q @ k.T)
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    return torch.exp(s - L.masked_fill(L.isneginf(), 0)[:, None])
