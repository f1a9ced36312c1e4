"""The oracles of `flash_decoding`."""

from fractions import Fraction
from math import ceil

import torch
from torch import Tensor

from kernels import reference


def efficiencies(programs: int, slots: int, most: int) -> list[Fraction]:
    """For 1 to `most` splits: the programs, as a share of the slots of the waves in which they run."""
    counts = range(programs, programs * most + 1, programs)
    return [Fraction(count, slots * ceil(Fraction(count, slots))) for count in counts]


def fewest_splits(programs: int, slots: int, most: int) -> int:
    """Without rounding: 17/20 of the best efficiency is wanted."""
    shares = efficiencies(programs, slots, most)
    wanted = 17 * max(shares)
    return 1 + next(i for i, share in enumerate(shares) if 20 * share >= wanted)


def scores_of_groups(q: Tensor, k: Tensor, lengths: Tensor, scale: float | None) -> Tensor:
    """(B, H_kv, group, 1, N): -inf behind the end of a sequence."""
    b, h, d = q.shape
    grouped = q.reshape(b, k.shape[1], h // k.shape[1], 1, d)
    behind = torch.arange(k.shape[2]) >= lengths[:, None]
    return reference.scores(grouped, k[:, :, None], scale=scale).masked_fill(behind[:, None, None, None], -torch.inf)


def splits_of_sequences(
    q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, splits: int, scale: float | None = None, tile_n: int = 64
) -> tuple[Tensor, Tensor]:
    """All scores at once; split s sees keys_per_split keys, from s * keys_per_split on."""
    keys_per_split = torch.tensor([ceil(ceil(n / splits) / tile_n) * tile_n for n in lengths.tolist()])
    split_of_key = torch.arange(k.shape[2]) // keys_per_split.clamp(min=1)[:, None]
    inside = split_of_key[:, None] == torch.arange(splits)[:, None]  # (B, S, N)
    s = scores_of_groups(q, k, lengths, scale).masked_fill(~inside[:, None, None], -torch.inf)
    return (reference.softmax(s) @ v[:, :, None]).flatten(1, 2), reference.log_sum_exp(s).flatten(1, 2)


def merged(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    """A split acts like one key whose score is its log-sum-exp and whose value is its output."""
    weights = reference.softmax(L_parts)
    return (weights[..., None, :] @ o_parts)[..., 0, :], reference.log_sum_exp(L_parts)


def whole(
    q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, scale: float | None = None, slots: int = 264, tile_n: int = 64
) -> tuple[Tensor, Tensor]:
    """All keys at once: how many splits there are must not matter."""
    k, v = (x[:, :, : int(lengths.max())] for x in (k, v))
    s = scores_of_groups(q, k, lengths, scale)[..., 0, :]
    return (reference.softmax(s) @ v).flatten(1, 2), reference.log_sum_exp(s).flatten(1, 2)
