# Breaks: "A pair is multiplied with sines and cosines of its own position alone." (turned by the first row's position, then by the distance from there)
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from kernels.gqa import grouped_attention  # the course's; it does what yours does

Attend = Callable[[Tensor, Tensor, Tensor], Tensor]  # q, k, v -> o, causal


def causal_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Of a whole text: q (B, H, N, d), k, v (B, H_kv, N, d) -> o (B, H, N, d)."""
    return grouped_attention(q, k, v, causal=True)


def rotate(x, positions, frequencies):
    def turn(y, p):
        angle = p.double()[:, None] * frequencies.double()
        c, s = angle.cos(), angle.sin()
        a, b = y.chunk(2, dim=-1)
        return torch.cat([a * c - b * s, b * c + a * s], dim=-1)

    if len(positions) == 0:
        return x.clone()
    first = positions[:1]
    return turn(turn(x.double(), first), positions - first).to(x.dtype)
