# style: NamedTuple result, type hints, torch.max returning (values, indices)
from typing import NamedTuple, Optional

import torch
from torch import Tensor


class BlockResult(NamedTuple):
    o: Tensor
    m: Tensor
    l: Tensor


def attention_block(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Optional[Tensor] = None,
    scale: Optional[float] = None,
) -> BlockResult:
    if scale is None:
        scale = float(q.size(1)) ** -0.5
    scores: Tensor = torch.mm(q, k.t()).mul(scale)
    if mask is not None:
        scores = scores.masked_fill(torch.logical_not(mask), float("-inf"))
    m, _ = torch.max(scores, dim=1)
    m_or_zero = torch.where(m.isinf(), torch.zeros_like(m), m)
    weights = torch.exp(scores - m_or_zero.view(-1, 1))
    l = weights.sum(1)
    o = torch.mm(weights, v).div(l.clamp_min(1.0).view(-1, 1))  # l is 0, or 1 at least
    return BlockResult(o, m, l)
