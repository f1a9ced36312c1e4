# BREAKS: "Memory: beside what `attend` takes, queries, keys, values and outputs a few times, and one copy of a matrix."
# COSTS: projections as complex products with twins of each matrix: two copies of it and four times the products
from collections.abc import Callable, Sequence
import torch
from torch import Tensor
from kernels.gqa import grouped_attention  # the course's; it does what yours does


Attend = Callable[[Tensor, Tensor, Tensor], Tensor]


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
    def times(x, w, bias=None):
        y = (torch.complex(x, x) @ torch.complex(w, -w).mT).real / 2
        return y if bias is None else y + bias
    b_q, b_k, b_v = biases or (None,) * 3
    q, k, v = (
        times(x, w, bias).unflatten(2, (-1, d)).transpose(1, 2)
        for w, bias in ((w_q, b_q), (w_k, b_k), (w_v, b_v))
    )
    o = attend(rotate(q, positions, frequencies), rotate(k, positions, frequencies), v)
    return times(o.transpose(1, 2).flatten(2), w_o)
