# Right within its contract: a table of every 16th position up to the last one, and one of 16 steps, joined by the sum formulas
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from kernels.gqa import grouped_attention  # the course's; it does what yours does

Attend = Callable[[Tensor, Tensor, Tensor], Tensor]  # q, k, v -> o, causal


def causal_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Of a whole text: q (B, H, N, d), k, v (B, H_kv, N, d) -> o (B, H, N, d)."""
    return grouped_attention(q, k, v, causal=True)


def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    last = int(positions.max()) if len(positions) else 0
    step = 16
    while (last // step) > 8 * max(16, len(positions)):
        step *= 2
    f = frequencies.double()
    coarse = torch.arange(0, last + 1, step)[:, None] * f
    angles = coarse[positions // step] + (positions % step)[:, None] * f
    cos, sin = angles.cos().float(), angles.sin().float()
    low, high = x.float().chunk(2, dim=-1)
    return torch.cat([low * cos - high * sin, high * cos + low * sin], dim=-1).to(x.dtype)
