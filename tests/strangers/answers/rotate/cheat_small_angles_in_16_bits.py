# Breaks: "Angles are computed in float32 or wider, whatever the dtype of x is" (each angle is a multiple of a 128th of a turn, whose sines are exact, and a small rest that is kept in the dtype of x)
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from kernels.gqa import grouped_attention  # the course's; it does what yours does

Attend = Callable[[Tensor, Tensor, Tensor], Tensor]  # q, k, v -> o, causal


def causal_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Of a whole text: q (B, H, N, d), k, v (B, H_kv, N, d) -> o (B, H, N, d)."""
    return grouped_attention(q, k, v, causal=True)


def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    turns = positions[:, None].double() * frequencies.double() * (64 / torch.pi)
    whole = torch.round(turns)
    rest = torch.empty(turns.shape, dtype=x.dtype, device=x.device)
    rest.copy_((turns - whole) * (torch.pi / 64))  # an angle, 16 bits wide where x is
    a, b = (whole % 128 * (torch.pi / 64)).float(), rest.float()
    cos = a.cos() * b.cos() - a.sin() * b.sin()
    sin = a.sin() * b.cos() + a.cos() * b.sin()
    low, high = x.float().chunk(2, dim=-1)
    return torch.cat([low * cos - high * sin, high * cos + low * sin], dim=-1).to(x.dtype)
