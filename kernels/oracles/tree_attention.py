"""The oracles of `tree_attention`."""

from __future__ import annotations

import torch
from torch import Tensor

from kernels.oracles.ring_attention import Shards, merged, with_block


def tree_of(size: int) -> tuple[int, bool]:
    """log2 of the largest power of two up to the number of ranks, and whether ranks are left over."""
    levels = size.bit_length() - 1
    return levels, size > 2**levels


def of_shard(q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, scale: float | None = None) -> tuple[Tensor, Tensor]:
    """One sequence after the other; a scale that is not 1/sqrt(d) is put into the query."""
    factor = 1.0 if scale is None else scale * q.shape[-1] ** 0.5
    o, L = q.new_zeros(*q.shape[:2], v.shape[3]), q.new_full(q.shape[:2], -torch.inf)
    for b, n in enumerate(map(int, lengths)):
        if n:
            each, sums = with_block(factor * q[b][:, None], k[b, :, :n], v[b, :, :n])
            o[b], L[b] = each[:, 0], sums[:, 0]
    return o, L


def over_ranks(o: Shards, L: Shards) -> list[tuple[Tensor, Tensor]]:
    """One rank after the other, the first one merged with a block without keys."""
    nothing = torch.zeros_like(o[0]), torch.full_like(L[0], -torch.inf)
    return [merged([nothing, *zip(o, L, strict=True)])] * len(o)


def counted(way: str, size: int, n: int, heads: int, kv_heads: int, d: int, width: int) -> tuple[int, int]:
    """Message by message: the rounds, and what the busiest rank sends."""
    if way == "ring":
        return size - 1, sum(n // size * kv_heads * 2 * d * width for _ in range(1, size))
    levels, folds = tree_of(size)
    return levels + 2 * folds, sum(4 * heads * (d + 1) for _ in range(levels + folds))


def whole_sequences(q: Tensor, k: Shards, v: Shards, k_new: Tensor, v_new: Tensor, lengths: Tensor) -> Shards:
    """Each sequence in one piece, its tokens taken from the ranks in turns; every W-th is a block to be merged.

    What is merged from log-sum-exps is as exact as these, so it is merged here too.
    """
    size, steps = len(k), len(q)
    o = q.new_zeros(*q.shape[:3], v_new.shape[3])
    for b, n in enumerate(map(int, lengths)):
        keys, values = (
            torch.stack([*(x[i % size][b, :, i // size] for i in range(n)), *new[:, b]], dim=1)
            for x, new in ((k, k_new), (v, v_new))
        )
        at, last = torch.arange(n + steps), n + torch.arange(steps)[:, None]
        stripes = [slice(rank, None, size) for rank in range(min(size, n + steps))]
        blocks = (with_block(q[:, b].transpose(0, 1), keys[:, s], values[:, s], last < at[s]) for s in stripes)
        o[:, b] = merged(blocks)[0].transpose(0, 1)
    return [o] * size
