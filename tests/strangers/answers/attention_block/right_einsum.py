# style: einsum, the mask as an additive bias, nan_to_num at the end
import torch
from torch import Tensor


def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    factor = (1 / q.shape[-1] ** 0.5) if scale is None else scale
    s = torch.einsum("nd,md->nm", q * factor, k)
    if mask is not None:
        s = s + torch.zeros_like(s).masked_fill(mask.logical_not(), float("-inf"))
    m = s.max(dim=-1).values
    e = (s - m.unsqueeze(-1)).exp().nan_to_num(nan=0.0)
    l = torch.einsum("nm->n", e)
    o = torch.einsum("nm,mc->nc", e, v).div(l.unsqueeze(-1)).nan_to_num(nan=0.0)
    return o, m, l
