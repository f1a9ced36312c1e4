"""The oracles: obviously right, no speed.

Each computes in the dtype of its inputs; the checker calls them in fp64. Conventions of the
whole course: the last axis is reduced; a fully masked row gives 0 and log-sum-exp -inf; the
scale defaults to 1/sqrt(d); a causal mask is aligned bottom-right (query i sees keys
j <= i + N_k - N_q).
"""

from __future__ import annotations

import torch
from torch import Tensor


def softmax(x: Tensor) -> Tensor:
    """y_i = exp(x_i - m) / l along the last axis: (..., N) -> (..., N); a row of -inf gives 0.

    m and l are those of `softmax_stats`.
    """
    m, l = softmax_stats(x)
    y = torch.exp(x - m[..., None]) / l[..., None]
    return torch.where(l[..., None] > 0, y, torch.zeros_like(y))


def log_sum_exp(x: Tensor) -> Tensor:
    """L = m + log l along the last axis, with m and l of `softmax_stats`: (..., N) -> (...)."""
    m, l = softmax_stats(x)
    return m + torch.log(l)


def softmax_stats(x: Tensor) -> tuple[Tensor, Tensor]:
    """m = max_j x_j and l = sum_j exp(x_j - m) along the last axis: (..., N) -> (...), (...).

    A row of -inf gives (-inf, 0).
    """
    m = x.amax(dim=-1)
    shift = torch.where(torch.isneginf(m), torch.zeros_like(m), m)
    return m, torch.exp(x - shift[..., None]).sum(dim=-1)


def causal_mask(n_q: int, n_k: int) -> Tensor:
    """(N_q, N_k) bool, True where query i may see key j: j <= i + N_k - N_q."""
    return torch.ones(n_q, n_k, dtype=torch.bool).tril(diagonal=n_k - n_q)


def scores(q: Tensor, k: Tensor, causal: bool = False, scale: float | None = None) -> Tensor:
    """S = scale * q k^T, -inf where masked: (..., N_q, d), (..., N_k, d) -> (..., N_q, N_k)."""
    s = (q @ k.transpose(-1, -2)) * (q.shape[-1] ** -0.5 if scale is None else scale)
    if causal:
        s = s.masked_fill(~causal_mask(q.shape[-2], k.shape[-2]), float("-inf"))
    return s


def attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    """O = softmax(S) v and L = log-sum-exp of S.

    q (..., N_q, d), k (..., N_k, d), v (..., N_k, d_v) -> O (..., N_q, d_v), L (..., N_q).
    """
    s = scores(q, k, causal, scale)
    return softmax(s) @ v, log_sum_exp(s)
