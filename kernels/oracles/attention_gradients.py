"""The oracles of `attention_gradients`."""

from typing import Any

import torch
from torch import Tensor

from kernels import reference


def through_softmax(p: Tensor, dp: Tensor) -> Tensor:
    """Each row of dP times the Jacobian diag(P) - P P^T, written as its two terms."""
    return p * dp - p * (p * dp).sum(dim=-1, keepdim=True)


def from_lse(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None, causal: bool = False
) -> Tensor:
    """exp(S - L), 0 where a score is masked."""
    s = reference.scores(q, k, causal, scale)
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    return torch.where(torch.isneginf(s), 0, torch.exp(s - L[..., None]))


def through_scores(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    return p * (do @ v.T - (do * o).sum(dim=-1, keepdim=True))


def through_attention(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, L: Tensor, delta: Tensor, causal: bool = False,
    scale: float | None = None, **tiles: int | None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """dQ, dK, dV with whole matrices, any leading axes; tile sizes must not matter."""
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    p = from_lse(q, k, L, scale=scale, causal=causal)
    ds = p * (do @ v.transpose(-1, -2) - delta[..., None])
    return scale * (ds @ k), scale * (ds.transpose(-1, -2) @ q), p.transpose(-1, -2) @ do


def gradients(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, **tiles: int,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """The same from o."""
    return through_attention(q, k, v, do, L, one_number_a_query(o, do), causal, scale)


def to_keys_and_values(**given: Any) -> tuple[Tensor, Tensor]:
    return through_attention(**given)[1:]


def to_queries(**given: Any) -> Tensor:
    return through_attention(**given)[0]


def one_number_a_query(o: Tensor, do: Tensor, tile_m: int = 64) -> Tensor:
    """rowsum(dO * O)."""
    return (o * do).sum(dim=-1)
