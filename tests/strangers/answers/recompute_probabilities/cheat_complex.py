# BREAKS: "Products: one, made twice at the most."
# COSTS: one complex product with both factors doubled is four real ones
import torch
from torch import Tensor


def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = scale / 2 * (torch.complex(q, q) @ torch.complex(k, -k).mT).real
    p = torch.exp(s - L[:, None])
    return p if mask is None else torch.where(mask, p, 0.0)
