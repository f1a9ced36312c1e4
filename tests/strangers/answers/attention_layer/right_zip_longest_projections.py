# Right: three projections by a comprehension over zipped weights and biases (None padded), F.linear, unflatten
from collections.abc import Callable, Sequence
from itertools import repeat

import torch
import torch.nn.functional as F
from torch import Tensor

Attend = Callable[[Tensor, Tensor, Tensor], Tensor]  # q, k, v -> o, causal


def causal_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Of a whole text: q (B, H, N, d), k, v (B, H_kv, N, d) -> o (B, H, N, d)."""
    return grouped_attention(q, k, v, causal=True)


def attention_layer(
    x: Tensor,
    weights: Sequence[Tensor],
    d: int,
    positions: Tensor,
    frequencies: Tensor,
    biases: Sequence[Tensor] | None = None,
    attend: Attend | None = None,
) -> Tensor:
    """The attention layer of a Llama model: projections, rotation, attention, output."""
    attend = attend or causal_attention
    *into, w_o = weights
    q, k, v = (
        F.linear(x, w, b).unflatten(-1, (-1, d)).transpose(1, 2)
        for w, b in zip(into, biases if biases is not None else repeat(None))
    )
    turn = lambda heads: rotate(heads, positions, frequencies)
    o = attend(turn(q), turn(k), v)
    return F.linear(o.transpose(1, 2).flatten(-2), w_o)
