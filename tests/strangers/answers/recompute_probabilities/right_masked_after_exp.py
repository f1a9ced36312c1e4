# Right: masks before exp by masked_fill_, L without keys replaced by 0; torch.baddbmm-like addmm with beta=-1
import torch
from torch import Tensor


def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    lse = torch.where(L.isinf(), torch.zeros_like(L), L)
    S = torch.addmm(lse[:, None], q, k.mT, beta=-1, alpha=scale)
    if mask is not None:
        S.masked_fill_(torch.logical_not(mask), float("-inf"))
    return S.exp_()
