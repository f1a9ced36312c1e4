"""The oracles of `gqa`."""

import torch
from torch import Tensor

from kernels import reference


def with_lse(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None, **tiles: int | None
) -> tuple[Tensor, Tensor]:
    """Every query head with a copy of its group's keys and values; tile sizes must not matter."""
    group = q.shape[1] // k.shape[1]
    return reference.attention(q, k.repeat_interleave(group, 1), v.repeat_interleave(group, 1), causal, scale)


def without_lse(q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None) -> Tensor:
    return with_lse(q, k, v, causal, scale)[0]


def packed(q: Tensor, kv_heads: int) -> Tensor:
    """Row by row, as the contract says."""
    group = q.shape[1] // kv_heads
    rows = range(q.shape[2] * group)
    return torch.stack(
        [torch.stack([q[:, kv * group + r % group, r // group] for r in rows], 1) for kv in range(kv_heads)], 1
    )


def unpacked(rows: Tensor, heads: int) -> Tensor:
    group = heads // rows.shape[1]
    positions = range(rows.shape[2] // group)
    return torch.stack(
        [torch.stack([rows[:, h // group, i * group + h % group] for i in positions], 1) for h in range(heads)], 1
    )
