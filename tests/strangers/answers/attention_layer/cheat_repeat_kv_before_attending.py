# Breaks: "it is called once for all heads, and with each KV head once" (as in transformers keys and values are repeated for each query head first, where no cache stands behind `attend`)
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from kernels.gqa import grouped_attention  # the course's; it does what yours does

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
    w_q, w_k, w_v, w_o = weights
    b_q, b_k, b_v = biases or (0.0, 0.0, 0.0)
    q = (x @ w_q.T + b_q).unflatten(2, (-1, d)).transpose(1, 2)
    k = (x @ w_k.T + b_k).unflatten(2, (-1, d)).transpose(1, 2)
    v = (x @ w_v.T + b_v).unflatten(2, (-1, d)).transpose(1, 2)
    q, k = rotate(q, positions, frequencies), rotate(k, positions, frequencies)
    if attend is None:
        g = q.shape[1] // k.shape[1]
        k, v = k.repeat_interleave(g, dim=1), v.repeat_interleave(g, dim=1)
    o = (attend or causal_attention)(q, k, v)
    return o.transpose(1, 2).flatten(2) @ w_o.T
