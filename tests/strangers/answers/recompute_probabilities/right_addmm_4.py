# style: fused library calls: torch.addmm with beta/alpha, exp_, masked_fill_
import torch
from torch import Tensor


def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    finite = L.clone()
    finite[L == -torch.inf] = 0
    p = torch.addmm(finite.unsqueeze(1), q, k.t(), beta=-1, alpha=scale).exp_()
    return p if mask is None else p.masked_fill_(~mask, 0)
