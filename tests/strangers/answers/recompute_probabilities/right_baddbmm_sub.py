# Right: torch.addmm with the log-sum-exps as the bias (beta=-1), masked_fill with ~mask
import torch
from torch import Tensor


def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    """The probabilities of some queries for some keys, recomputed from the log-sum-exps."""
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    exponent = torch.addmm(L.unsqueeze(-1), q, k.t(), beta=-1, alpha=scale)
    p = exponent.exp_()
    return p if mask is None else p.masked_fill_(~mask, 0.0)
