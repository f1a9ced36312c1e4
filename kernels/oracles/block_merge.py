"""The oracles of `block_merge`."""

import torch
from torch import Tensor

from kernels import reference


def block_oracle(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Attention with one block of keys, with its maxima and denominators."""
    s = reference.scores(q, k, scale=scale)
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    return reference.softmax(s) @ v, *reference.softmax_stats(s)


def lse_oracle(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    """A block acts like one key whose score is the block's log-sum-exp and whose value is the block's output."""
    both = torch.stack([L1, L2], dim=-1)
    L = reference.log_sum_exp(both)
    weights = torch.exp(both - torch.where(torch.isneginf(L), 0, L)[:, None])
    return weights[:, :1] * o1 + weights[:, 1:] * o2, L


def merge_oracle(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """The mean of both outputs, weighted by their sums of exponentials as measured from the larger maximum."""
    m = torch.maximum(m1, m2)
    shift = torch.where(torch.isneginf(m), 0, m)
    a1, a2 = l1 * torch.exp(m1 - shift), l2 * torch.exp(m2 - shift)
    return ((a1[:, None] * o1 + a2[:, None] * o2) / torch.where(a1 + a2 == 0, 1, a1 + a2)[:, None], m, a1 + a2)


def visit_oracle(
    q: Tensor, k: Tensor, v: Tensor, order: list[int], tile_n: int, causal: bool = False, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    """Attention with all keys of the named blocks at once: their order must not matter."""
    s = reference.scores(q, k, causal, scale)
    others = ~torch.isin(torch.arange(len(k)) // tile_n, torch.tensor(order))
    s = s.masked_fill(others, float("-inf"))
    return reference.softmax(s) @ v.masked_fill(others[:, None], 0), reference.log_sum_exp(s)
