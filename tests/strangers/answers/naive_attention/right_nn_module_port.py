# Right: ported from the style of a library: an nn.Module with register_buffer-free forward, F.softmax, logging
import logging
from typing import Optional

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor

logger = logging.getLogger("attention")


class ScaledDotProduct(nn.Module):
    def __init__(self, scale: Optional[float] = None, is_causal: bool = False) -> None:
        super().__init__()
        self.scale = scale
        self.is_causal = is_causal

    def extra_repr(self) -> str:
        return f"scale={self.scale}, is_causal={self.is_causal}"

    def forward(self, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        L, S = query.size(-2), key.size(-2)
        scale_factor = query.size(-1) ** -0.5 if self.scale is None else self.scale
        attn_weight = torch.bmm(query, key.transpose(-2, -1)) * scale_factor
        if self.is_causal:
            temp_mask = torch.ones(L, S, dtype=torch.bool).tril(diagonal=S - L)
            attn_bias = torch.zeros(L, S, dtype=query.dtype)
            attn_bias.masked_fill_(temp_mask.logical_not(), float("-inf"))
            attn_weight = attn_weight + attn_bias
            attn_weight = torch.where(temp_mask, F.softmax(attn_weight, dim=-1), 0.0)
        else:
            attn_weight = F.softmax(attn_weight, dim=-1)
        logger.debug("weights %s", tuple(attn_weight.shape))
        return torch.bmm(attn_weight, value)


def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    """Attention as the formula is written, from whole rows of scores."""
    module = ScaledDotProduct(scale, is_causal=causal).eval()
    return module(q, k, v)
