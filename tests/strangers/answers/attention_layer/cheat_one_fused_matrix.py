# Breaks: "Memory: beside what `attend` takes, queries, keys, values and outputs a few times, and one copy of a matrix." (W_q, W_k and W_v are first joined to one matrix of all three, as ports of vLLM do)
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
    attend = attend or causal_attention
    w_q, w_k, w_v, w_o = weights
    sizes = [len(w_q), len(w_k), len(w_v)]
    qkv = x @ torch.cat([w_q, w_k, w_v]).T
    if biases is not None:
        qkv = qkv + torch.cat(list(biases))
    q, k, v = (y.unflatten(2, (-1, d)).transpose(1, 2) for y in qkv.split(sizes, dim=2))
    o = attend(rotate(q, positions, frequencies), rotate(k, positions, frequencies), v)
    return o.transpose(1, 2).flatten(2) @ w_o.T
