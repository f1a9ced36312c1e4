# style: minGPT port: masked_fill with a tril buffer, F.softmax, nan_to_num
import math

import torch
import torch.nn.functional as F
from torch import Tensor


def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    T, S = q.size(-2), k.size(-2)
    scale = 1.0 / math.sqrt(k.size(-1)) if scale is None else scale
    att = (q @ k.transpose(-2, -1)) * scale
    if causal:
        bias = torch.ones(T, S, dtype=torch.bool).tril(diagonal=S - T)
        att = att.masked_fill(bias.logical_not(), float("-inf"))
        att = F.softmax(att, dim=-1)
        att = att.masked_fill(~bias.any(dim=-1, keepdim=True), 0.0)  # queries that see nothing
    else:
        att = F.softmax(att, dim=-1)
    y = att @ v  # (nh, T, S) x (nh, S, hs) -> (nh, T, hs)
    return y
