# style: the formula, two where
import torch
from torch import Tensor


def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    scale = q.shape[1] ** -0.5 if scale is None else scale
    s = scale * (q @ k.T)
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    m = s.amax(dim=1)
    shift = torch.where(m == -torch.inf, 0.0, m)
    p = torch.exp(s - shift[:, None])
    l = p.sum(dim=1)
    o = (p @ v) / torch.where(l == 0, 1.0, l)[:, None]
    return o, m, l
