# Early return for a block without keys, reciprocal instead of division, weights normalised before P v.
import torch
from torch import Tensor


def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    n = q.size(0)
    if not len(k):
        return q.new_zeros(n, v.size(1)), q.new_full((n,), -torch.inf), q.new_zeros(n)
    if scale is None:
        scale = 1 / q.size(1) ** 0.5
    s = torch.matmul(q * scale, k.T)
    if mask is not None:
        s = s.masked_fill(mask.logical_not(), -torch.inf)
    m, _ = s.max(dim=1)
    p = torch.exp(s - m.masked_fill(m.isneginf(), 0).unsqueeze(1))
    l = p.sum(dim=1)
    return torch.matmul(p * l.clamp_min(torch.finfo(l.dtype).tiny).reciprocal()[:, None], v), m, l
