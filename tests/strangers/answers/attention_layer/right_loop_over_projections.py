# Right: F.linear with optional biases by zip, nested head-splitting function, keyword-free lambda default
import torch
import torch.nn.functional as F
from torch import Tensor
from collections.abc import Callable, Sequence

Attend = Callable[[Tensor, Tensor, Tensor], Tensor]  # q, k, v -> o, causal


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
    bsz, q_len, _ = x.shape

    def split_heads(w, b):
        return F.linear(x, w, b).view(bsz, q_len, -1, d).transpose(1, 2)

    q, k, v = (split_heads(w, b) for w, b in zip((w_q, w_k, w_v), biases or (None,) * 3))
    q, k = (rotate(t, positions, frequencies) for t in (q, k))
    o = attend(q, k, v)
    return F.linear(o.transpose(1, 2).reshape(bsz, q_len, -1), w_o)
