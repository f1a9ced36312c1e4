"""The oracles of `ring_attention`. What is merged from log-sum-exps is as exact as these, so they merge them too."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor

from kernels import reference

Shards = list[Tensor]  # one for each rank


def joined(shards: Shards) -> Tensor:
    return torch.cat(shards, dim=1)


def with_block(q: Tensor, k: Tensor, v: Tensor, hidden: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Attention with one block, with a copy of its keys and values for each query head."""
    shared = q.shape[0] // k.shape[0]
    s = reference.scores(q, k.repeat_interleave(shared, 0))
    if hidden is not None:
        s = s.masked_fill(hidden, -torch.inf)
    return reference.softmax(s) @ v.repeat_interleave(shared, 0), reference.log_sum_exp(s)


def merged(blocks: Iterable[tuple[Tensor, Tensor]]) -> tuple[Tensor, Tensor]:
    """A block acts like one key whose score is its log-sum-exp and whose value is its output."""
    o, L = next(blocks := iter(blocks))
    for o_block, L_block in blocks:
        both = torch.stack([L, L_block], dim=-1)
        L = reference.log_sum_exp(both)
        weights = torch.exp(both - torch.where(torch.isneginf(L), 0, L)[..., None])
        o = weights[..., :1] * o + weights[..., 1:] * o_block
    return o, L


def for_ranks(whole: Iterable[Tensor], like: Shards) -> list[tuple[Tensor, ...]]:
    """What each rank has of results for all tokens."""
    lengths = [shard.shape[1] for shard in like]
    return list(zip(*(x.split(lengths, dim=1) for x in whole), strict=True))


def whole(q: Shards, k: Shards, v: Shards, lengths: tuple[int, ...]) -> list[tuple[Tensor, ...]]:
    """All queries with one block after the other."""
    blocks = [block for block in zip(k, v, strict=True) if block[0].shape[1]]
    return for_ranks(merged(with_block(joined(q), *block) for block in blocks), q)


def whole_causal(q: Shards, k: Shards, v: Shards, positions: tuple[Tensor, ...]) -> list[tuple[Tensor, ...]]:
    """The same with a mask of the positions."""
    queries, own = joined(q), torch.cat(positions)[:, None]
    blocks = [block for block in zip(k, v, positions, strict=True) if len(block[2])]
    return for_ranks(merged(with_block(queries, keys, values, own < at) for keys, values, at in blocks), q)


def on_one_device(
    q: Shards, k: Shards, v: Shards, o: Shards, L: Shards, do: Shards, lengths: tuple[int, ...]
) -> list[tuple[Tensor, ...]]:
    """The gradients with all keys at once, from the weights exp(S - L)."""
    queries, keys, values, gradient = (joined(x) for x in (q, k, v, do))
    heads, kv_heads, scale = queries.shape[0], keys.shape[0], queries.shape[2] ** -0.5
    k_each, v_each = (x.repeat_interleave(heads // kv_heads, 0) for x in (keys, values))
    p = torch.exp(reference.scores(queries, k_each) - joined(L)[..., None])
    ds = p * (gradient @ v_each.mT - (gradient * joined(o)).sum(dim=-1, keepdim=True)) * scale
    of_each = (ds.mT @ queries, p.mT @ gradient)
    dk, dv = (x.reshape(kv_heads, -1, *x.shape[1:]).sum(dim=1) for x in of_each)
    return for_ranks((ds @ k_each, dk, dv), q)


def token_by_token(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    """Each token asks on which rank it lies."""
    ends = [n * (c + 1) // (2 * size) for c in range(2 * size)]
    chunks = [next(c for c, end in enumerate(ends) if i < end) for i in range(n)]
    ranks = [i % size if layout == "stripe" else min(chunks[i], 2 * size - 1 - chunks[i]) for i in range(n)]
    order = sorted(range(n), key=lambda i: (ranks[i], i))
    starts = [sum(rank < r for rank in ranks) for r in range(size + 1)]
    return (torch.tensor(order).long(), torch.tensor(starts), torch.tensor([order.index(i) for i in range(n)]).long())
