# style: helper closure "heads_of", zip_longest for optional biases
import torch
from torch import Tensor


def attention_layer(x, weights, d, positions, frequencies, biases=None, attend=None):
    attend = attend or causal_attention
    *projections, w_o = weights
    biases = biases or (None, None, None)

    def heads_of(W: Tensor, b: Tensor | None) -> Tensor:
        """(B, N, D) -> (B, heads, N, d)"""
        return torch.nn.functional.linear(x, W, b).unflatten(-1, (-1, d)).transpose(1, 2)

    q, k, v = (heads_of(W, b) for W, b in zip(projections, biases, strict=True))
    q, k = (rotate(a, positions, frequencies) for a in (q, k))
    o = attend(q, k, v)
    return o.transpose(1, 2).flatten(2) @ w_o.mT
