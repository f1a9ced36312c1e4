# Against forbidden operations: logcumsumexp, whose last entry is logsumexp.
import torch
from torch import Tensor



def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    s = q @ k.T * (q.shape[1] ** -0.5 if scale is None else scale)
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    m = s.amax(1)
    gap = s - torch.where(m.isneginf(), 0, m)[:, None]
    L = torch.logcumsumexp(gap, 1)[:, -1:]
    return torch.exp(gap - torch.where(L.isneginf(), 0, L)) @ v, m, torch.exp(L[:, 0])
