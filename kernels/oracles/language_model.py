"""The oracles of `language_model`."""

import torch
from torch import Tensor

from kernels import reference


def normalised(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    return x * weight / torch.sqrt((x * x).mean(dim=-1, keepdim=True) + eps)


def turned(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    """A pair turned by an angle is cos times the pair, and sin times the pair turned by a right angle."""
    angle = (positions.to(frequencies.dtype)[..., None] * frequencies).tile(2)
    first, second = x.chunk(2, dim=-1)
    at_right_angles = torch.cat([-second, first], dim=-1)
    return x * torch.cos(angle).to(x.dtype) + at_right_angles * torch.sin(angle).to(x.dtype)


def gated(x: Tensor, w_gate: Tensor, w_up: Tensor, w_down: Tensor) -> Tensor:
    gate = x @ w_gate.T
    return (gate / (1 + torch.exp(-gate)) * (x @ w_up.T)) @ w_down.T


def head_by_head(
    x: Tensor, weights: list[Tensor], d: int, positions: Tensor, frequencies: Tensor,
    biases: list[Tensor] | None = None, attend: tuple[Tensor, Tensor] | None = None,
) -> Tensor:  # fmt: skip
    """Each query head with its rows of the matrices, its KV head, and its columns of W_o."""
    w_q, w_k, w_v, w_o = weights
    q, k, v = x @ w_q.T, x @ w_k.T, x @ w_v.T
    if biases is not None:
        q, k, v = q + biases[0], k + biases[1], v + biases[2]
    heads, group = w_q.shape[0] // d, w_q.shape[0] // w_k.shape[0]
    y = torch.zeros_like(x)
    for h in range(heads):
        own, shared = slice(h * d, (h + 1) * d), slice(h // group * d, (h // group + 1) * d)
        q_h, k_h = (turned(z, positions, frequencies) for z in (q[..., own], k[..., shared]))
        v_h = v[..., shared]
        if attend is not None:
            k_h, v_h = (torch.cat([kept[:, h // group], new], dim=1) for kept, new in zip(attend, (k_h, v_h)))
        y = y + reference.attention(q_h, k_h, v_h, causal=True)[0] @ w_o[:, own].T
    return y


def surprise(logits: Tensor, tokens: Tensor) -> Tensor:
    """Forecast by forecast."""
    batch, n = tokens.shape
    each = [
        reference.log_sum_exp(logits[b, i]) - logits[b, i, tokens[b, i + 1]] for b in range(batch) for i in range(n - 1)
    ]
    return torch.stack(each).sum(dim=0) / len(each)
