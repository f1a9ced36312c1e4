# Right: the mask as an additive bias that torch.baddbmm adds to the product, as in nanoGPT's ancestors.
import math

import torch
from torch import Tensor


def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    T_q, T_k = q.size(1), k.size(1)
    scale = 1.0 / math.sqrt(q.size(-1)) if scale is None else scale
    bias = q.new_zeros(T_q, T_k)
    if causal:
        bias.masked_fill_(torch.arange(T_k) > torch.arange(T_q).unsqueeze(1) + (T_k - T_q), -math.inf)
    att = torch.baddbmm(bias, q, k.transpose(1, 2), alpha=scale)
    top = att.amax(dim=-1, keepdim=True)
    att = (att - top.masked_fill(top == -math.inf, 0.0)).exp()
    total = att.sum(dim=-1, keepdim=True)
    return torch.bmm(att / total.masked_fill(total == 0, 1.0), v)
