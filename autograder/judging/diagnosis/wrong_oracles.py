"""Attention with another mask, scale, base or merge of tiles: what an answer computes, however it is written.

Every exercise whose oracle is attention shares these. An exercise's own mistakes are edits of one solution; a
stranger's answer is no edit of it, and still may align its mask at the wrong corner.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from ...runner.arrays import as_torch
from ...spec.exercise import Arguments, Exercise
from ..prepare import Prepared, prepare
from ..tolerance import absolute_error, compare
from ..verdict import Diagnosis
from .mistakes import equal, largest


@dataclass(frozen=True)
class Formula:
    """O = normalise(weights(S)) V, and L. The fields are what may go wrong; as they stand here nothing does.

    scale: from the right scale and d. width_of: the argument whose width the default scale is made of. sees: from the
    positions of a query (on the axis of keys) and of a key, and the shift N_k - N_q. hidden: the score of what is not
    seen. early_unseen: the first N_q - N_k queries see nothing, without a mask too. keys: which keys take part, of how
    many. more: how many keys of score and value 0 come after them. one_maximum: all rows of a head have the same.
    maximum_sees_all: hidden keys have no weight, but count for the maximum. sum_sees_all: nor any in the output, but in
    the denominator. dtype: in which it is computed. lse: from a row's maximum and the logarithm of its denominator.
    lse_of_raw: its maximum is that before the scale. merge: from O (T, ..., N_q, d) and L (T, ..., N_q) of T tiles of
    keys.
    """

    scale: Callable[[float, int], float] = lambda scale, d: scale
    width_of: str = "q"
    causal: Callable[[Tensor, Tensor, int], Tensor] = lambda i, j, shift: j <= i
    hidden: float = -math.inf
    early_unseen: bool = False
    keys: Callable[[int], slice] = slice
    more: Callable[[int], int] = lambda n: 0
    over_queries: bool = False
    divided: bool = True
    values: str = "v"
    head: Callable[[Tensor, int, int], Tensor] = lambda h, heads, kv_heads: h // (heads // kv_heads)
    one_maximum: bool = False
    maximum_sees_all: bool = False
    sum_sees_all: bool = False
    dtype: torch.dtype = torch.float64
    lse: Callable[[Tensor, Tensor], Tensor] = lambda m, log_l: m + log_l
    lse_of_raw: bool = False
    merge: Callable[[Tensor, Tensor], tuple[Tensor, Tensor]] | None = None


RIGHT = Formula()
LOG2E = math.log2(math.e)


def _whole_tiles(tile: int) -> Formula:
    return replace(RIGHT, keys=lambda n: slice(0, n - n % tile))


def _filled_tiles(tile: int) -> Formula:
    return replace(RIGHT, more=lambda n: -n % tile)


def _lse_added(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    total = L.sum(0)
    return (o * (L - total).exp()[..., None]).sum(0), total


# What can be wrong, by the part of the formula that it is in, so that two of them go together. The sentence completes
# "Your answer is what you get when ...".
SCALES = {
    ("not-scaled", "the scores are not scaled"): replace(RIGHT, scale=lambda scale, d: 1.0),
    ("scaled-twice", "the scores are scaled twice"): replace(RIGHT, scale=lambda scale, d: scale * scale),
    ("scaled-once-more", "the scores are scaled, and then divided by the root of d once more"): replace(
        RIGHT, scale=lambda scale, d: scale * d**-0.5
    ),
    ("scaled-by-d", "the scores are divided by d instead of by its root"): replace(RIGHT, scale=lambda scale, d: 1 / d),
    ("multiplied", "the scores are multiplied by the root of d instead of divided"): replace(
        RIGHT, scale=lambda scale, d: d**0.5
    ),
    ("scale-divides", "the scores are divided by the scale instead of multiplied by it"): replace(
        RIGHT, scale=lambda scale, d: 1 / scale if scale else math.inf
    ),
    ("scale-ignored", "the scale that is given is ignored"): replace(RIGHT, scale=lambda scale, d: d**-0.5),
    ("scale-0-ignored", "a scale of 0 counts as none, and the default takes its place"): replace(
        RIGHT, scale=lambda scale, d: scale or d**-0.5
    ),
    ("scale-unsigned", "the sign of the scale is lost"): replace(RIGHT, scale=lambda scale, d: abs(scale)),
    ("scale-of-values", "the default scale is made of the width of the values instead of the keys'"): replace(
        RIGHT, width_of="v"
    ),
    ("base-2", "the weights are powers of 2 instead of e"): replace(RIGHT, scale=lambda scale, d: scale / LOG2E),
    ("log2e-too-much", "log2(e) is in the scale, and the weights are powers of e all the same"): replace(
        RIGHT, scale=lambda scale, d: scale * LOG2E
    ),
}
MASKS = {
    ("not-masked", "nothing is masked"): replace(RIGHT, causal=lambda i, j, shift: j < math.inf),
    ("top-left", "the causal mask is aligned at the top left instead of the bottom right"): replace(
        RIGHT, causal=lambda i, j, shift: j <= i - shift
    ),
    (
        "top-left-of-several",
        "the causal mask of several queries is aligned at the top left instead of the bottom right; one alone has none",
    ): replace(RIGHT, causal=lambda i, j, shift: j <= i - shift * (len(i) > 1)),
    (
        "shift-clamped",
        "where there are more queries than keys, the first ones see keys all the same: N_k - N_q is never negative",
    ): replace(RIGHT, causal=lambda i, j, shift: j <= i - min(shift, 0)),
    ("diagonal-hidden", "a query does not see the key at its own position"): replace(
        RIGHT, causal=lambda i, j, shift: j < i
    ),
    ("one-too-far", "a query sees one key past its own position"): replace(
        RIGHT, causal=lambda i, j, shift: j <= i + 1
    ),
    ("mask-inverted", "the mask hides what a query should see, and shows the rest"): replace(
        RIGHT, causal=lambda i, j, shift: j > i
    ),
    ("mask-transposed", "the mask is that of the keys: a query sees its own key and the later ones"): replace(
        RIGHT, causal=lambda i, j, shift: j >= i
    ),
    ("hidden-is-0", "hidden scores are 0 instead of -inf, so that each has a weight"): replace(RIGHT, hidden=0.0),
    ("hidden-is-finite", "a finite number stands for -inf, which is a weight in rows that see nothing"): replace(
        RIGHT, hidden=-1e30
    ),
}
KEYS = {
    ("first-key-missing", "the first key is left out"): replace(RIGHT, keys=lambda n: slice(1, n)),
    ("last-key-missing", "the last key is left out"): replace(RIGHT, keys=lambda n: slice(0, n - 1)),
    **{
        (f"last-tile-missing-{tile}", f"the keys behind the last whole tile of {tile} are left out"): _whole_tiles(tile)
        for tile in (16, 32, 64)
    },
    **{
        (f"padding-counted-{tile}", f"keys past the end, up to a whole tile of {tile}, count with score 0"): (
            _filled_tiles(tile)
        )
        for tile in (16, 32, 64)
    },
    (
        "one-key-of-0",
        "one key more counts, of score and value 0, as where the maximum starts at 0 and the denominator at 1",
    ): replace(RIGHT, more=lambda n: 1),
}
OTHERS = {
    ("over-queries", "the softmax runs over the queries instead of over the keys"): replace(RIGHT, over_queries=True),
    ("not-divided", "the weighted sum is not divided by the sum of the weights"): replace(RIGHT, divided=False),
    ("keys-for-values", "the keys stand where the values belong"): replace(RIGHT, values="k"),
    ("heads-interleaved", "query head h meets KV head h mod H_kv instead of h // g"): replace(
        RIGHT, head=lambda h, heads, kv_heads: h % kv_heads
    ),
    ("one-kv-head", "every query head meets the first KV head"): replace(
        RIGHT, head=lambda h, heads, kv_heads: torch.zeros_like(h)
    ),
    ("lse-base-2", "L is left in base 2: it lacks the factor ln 2"): replace(
        RIGHT, lse=lambda m, log_l: (m + log_l) * LOG2E
    ),
    ("lse-maximum-base-2", "L is the maximum in base 2 and the natural logarithm of the denominator"): replace(
        RIGHT, lse=lambda m, log_l: m * LOG2E + log_l
    ),
    ("lse-logarithm-base-2", "L is the natural maximum and the logarithm of the denominator to base 2"): replace(
        RIGHT, lse=lambda m, log_l: m + log_l * LOG2E
    ),
    ("lse-not-scaled", "L is the maximum before the scale, and the logarithm of the denominator"): replace(
        RIGHT, lse_of_raw=True
    ),
    (
        "maximum-sees-all",
        "hidden keys count for the maximum, beside which the weights of what is seen underflow",
    ): replace(RIGHT, maximum_sees_all=True, dtype=torch.float32),
    (
        "early-unseen",
        "the first N_q - N_k queries count as seeing nothing, and without a mask they see every key",
    ): replace(RIGHT, early_unseen=True),
    (
        "one-maximum",
        "all queries of a head share one maximum, beside which the weights of those that score lower underflow",
    ): replace(RIGHT, one_maximum=True, dtype=torch.float32),
    ("lse-negative", "L has the wrong sign"): replace(RIGHT, lse=lambda m, log_l: -(m + log_l)),
    (
        "masked-after-softmax",
        "the mask is applied to the weights after softmax, which then no longer sum to 1",
    ): replace(RIGHT, sum_sees_all=True),
}
MERGES = {
    ("tiles-averaged", "each tile of keys is normalised by itself, and the outputs of the tiles are averaged"): replace(
        RIGHT, merge=lambda o, L: (o.mean(0), L.logsumexp(0))
    ),
    ("tiles-added", "each tile of keys is normalised by itself, and the outputs of the tiles are added"): replace(
        RIGHT, merge=lambda o, L: (o.sum(0), L.logsumexp(0))
    ),
    ("lse-added", "the log-sum-exps of the tiles are added up, instead of the sums of which they are logarithms"): (
        replace(RIGHT, merge=_lse_added, dtype=torch.float32)  # in which it overflows
    ),
    ("lse-of-last-tile", "L is the log-sum-exp of the last tile of keys, and not of all keys"): replace(
        RIGHT, merge=lambda o, L: ((L.softmax(0)[..., None] * o).sum(0), L[-1])
    ),
}
PARTS = (SCALES, MASKS, KEYS, OTHERS, MERGES)
TILE = 64  # of keys, where the arguments leave it to the default


def matching_oracle(
    exercise: Exercise, seed: str, failed: Sequence[tuple[int, Sequence[np.ndarray]]], passed: Sequence[int]
) -> Diagnosis | None:
    """The wrong formula, or pair of them, that gives the answers of all failed cases and is right on the others."""
    cases = [(prepare(exercise.name, index, seed), outputs) for index, outputs in failed]
    right = [prepare(exercise.name, index, seed) for index in passed]
    if not all(is_attention(exercise, prepared) for prepared in [*(p for p, _ in cases), *right]):
        return None
    for candidates in (_single(), _pairs()):
        found = []
        for key, name, formula, parts in candidates:
            if (
                all(_gives(formula, prepared, outputs) for prepared, outputs in cases)
                and all(_is_right(formula, prepared) for prepared in right)
                and all(any(not _is_right(part, prepared) for prepared, _ in cases) for part in parts)
            ):
                found.append(Diagnosis(key, name))
        if found:  # where several give these very numbers, each says truly what the answer does
            return found[0]
    return None


def _single() -> Iterator[tuple[str, str, Formula, tuple[Formula, ...]]]:
    for part in PARTS:
        for (key, name), formula in part.items():
            yield key, name, formula, ()


def _pairs() -> Iterator[tuple[str, str, Formula, tuple[Formula, ...]]]:
    """Of different parts, each of which changes other fields, and the two of them by themselves, since both have to
    be wrong: where nothing is hidden, no mask is.
    """
    for one, other in itertools.combinations(PARTS, 2):
        for ((key, name), a), ((key_2, name_2), b) in itertools.product(one.items(), other.items()):
            changed = {field: value for field, value in vars(b).items() if value is not getattr(RIGHT, field)}
            yield f"{key}-{key_2}", f"{name}, and {name_2}", replace(a, **changed), (a, b)


def is_attention(exercise: Exercise, prepared: Prepared) -> bool:
    """Whether the right formula gives the oracle's answer, so that the wrong ones say something here."""
    names = [output.name for output in exercise.outputs]
    if names not in (["O"], ["O", "L"]) and not (exercise.engine.has_ranks and names == ["o", "L"]):
        return False
    return _is_right(RIGHT, prepared)


def _is_right(formula: Formula, prepared: Prepared) -> bool:
    outputs = _outputs(formula, prepared)
    return outputs is not None and all(compare(x, e).ok for x, e in zip(outputs, prepared.expected, strict=True))


def _gives(formula: Formula, prepared: Prepared, outputs: Sequence[np.ndarray]) -> bool:
    """Whether the formula's answer is the given one, and not the right one.

    Of scores that it makes larger float32 rounds off more: so they may be apart by twice what a float32 run of it is
    off, twice, as long as that is a small part of what the formula does wrong.
    """
    theirs = _outputs(formula, prepared)
    if theirs is None or len(theirs) != len(outputs) or _is_right(formula, prepared):
        return False
    most = [_wrong_by(x, expected.truth) / 25 for x, expected in zip(theirs, prepared.expected)]

    def are_equal(slack: Sequence[float]) -> bool:
        return all(equal(a, b, prepared, i, slack[i]) for i, (a, b) in enumerate(zip(outputs, theirs, strict=True)))

    if not are_equal(most):
        return False
    narrow = _outputs(replace(formula, dtype=torch.float32), prepared) or theirs
    return are_equal([min(4 * _wrong_by(a, b), room) for a, b, room in zip(narrow, theirs, most, strict=True)])


def _wrong_by(x: np.ndarray, truth: np.ndarray) -> float:
    return largest(absolute_error(x, truth)) if x.shape == truth.shape else 0.0


def _outputs(formula: Formula, prepared: Prepared) -> list[np.ndarray] | None:
    """O and L as the exercise has them, in its dtypes; None where these arguments are not those of attention."""
    given = prepared.arguments
    try:
        o, L = map(torch.cat, zip(*(attention(formula, call) for call in calls_of(given))))
        found = (o, L) if type(given["q"]) is not list else _of_each_rank(o, L, given["q"])
    except (KeyError, RuntimeError, IndexError, TypeError, AttributeError, ValueError):
        return None
    pairs = zip(found, prepared.expected)  # L only where it is asked for
    with np.errstate(over="ignore"):  # a wrong formula may well overflow
        return [x.numpy().astype(expected.dtype) for x, expected in pairs]


def calls_of(given: Arguments) -> list[Arguments]:
    """The calls of attention of q, k and v that these arguments ask for: one for each sequence whose blocks are in a
    pool, else one, of what a cache holds, or of the shards of all ranks behind one another.
    """
    if "k_pool" in given:
        return [_of_one_sequence(given, b) for b in range(len(given["q"]))]
    if "k_cache" in given:
        filled = {name: given[f"{name}_cache"][..., : given["length"], :] for name in "kv"}
        return [given | filled | {"causal": True}]
    whole = {name: np.concatenate(x, axis=-2) if type(x) is list else x for name, x in given.items()}
    return [{"causal": "prompt" in given or "chunk" in given} | whole]


def _of_one_sequence(given: Arguments, b: int) -> Arguments:
    """Its queries (1, H, N_q, d), and the keys and values (1, H_kv, N_k, d) that its blocks hold."""
    keys = int(given["lengths"][b])
    blocks = given["tables"][b][: -(-keys // given["k_pool"].shape[2])]
    k, v = (given[f"{name}_pool"][blocks].swapaxes(0, 1) for name in "kv")
    k, v = (x.reshape(1, len(x), -1, x.shape[-1])[:, :, :keys] for x in (k, v))
    return {"q": given["q"][b : b + 1], "k": k, "v": v, "scale": given.get("scale"), "causal": True}


def _of_each_rank(o: Tensor, L: Tensor, shards: Sequence[np.ndarray]) -> list[Tensor]:
    lengths = [shard.shape[-2] for shard in shards]
    return [x for pair in zip(o.split(lengths, -2), L.split(lengths, -1), strict=True) for x in pair]


def attention(formula: Formula, given: Arguments) -> tuple[Tensor, Tensor]:
    """O and L of q (..., N_q, d) and k, v (..., N_k, d), with fewer heads than q or as many.

    Other arguments that it knows: scale, causal, window, sinks, positions. Raises KeyError without q, k or v.
    """
    scale, s, hidden, v = scores(formula, given)
    if formula.merge is None:
        return _weighted(formula, scale, s, hidden, v)
    tile = given.get("tile_n") or TILE
    tiles = zip(s.split(tile, -1), hidden.split(tile, -1), v.split(tile, -2))
    o, L = zip(*(_weighted(formula, scale, *x) for x in tiles))
    return formula.merge(torch.stack(o), torch.stack(L))


def scores(formula: Formula, given: Arguments) -> tuple[float, Tensor, Tensor, Tensor]:
    """The scale, the scores (..., N_q, N_k) before it, which of them are hidden, and the values (..., N_k, d)."""
    q, k, v = (as_torch(given[name], formula.dtype) for name in ("q", "k", formula.values))
    n_q, n_k, d = q.shape[-2], k.shape[-2], np.shape(given[formula.width_of])[-1]
    if q.ndim > 2 and q.shape[-3] != k.shape[-3]:
        heads = formula.head(torch.arange(q.shape[-3]), q.shape[-3], k.shape[-3])
        k, v = k[..., heads, :, :], v[..., heads, :, :]
    hidden = _hidden(formula, given, n_q, n_k)
    scale = given.get("scale")
    scale = formula.scale(d**-0.5 if scale is None else float(scale), d)
    s = q @ k.transpose(-1, -2)
    kept = formula.keys(n_k)
    s, hidden, v = s[..., kept], hidden[..., kept], v[..., kept, :]
    if more := formula.more(n_k):
        s, hidden = (torch.nn.functional.pad(x, (0, more)) for x in (s, hidden))
        v = torch.nn.functional.pad(v, (0, 0, 0, more))
    return scale, s, hidden, v


def _weighted(formula: Formula, scale: float, raw: Tensor, hidden: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
    """O and L of scores (..., N_q, N_k) before the scale, of which some are hidden, and values (..., N_k, d)."""
    axis = -2 if formula.over_queries else -1
    all_scores = raw * scale
    s = all_scores if formula.sum_sees_all else all_scores.masked_fill(hidden, formula.hidden)
    m = highest(all_scores if formula.maximum_sees_all else s, axis)
    m = m.amax(dim=(-2, -1), keepdim=True).expand_as(m) if formula.one_maximum else m
    m = torch.where(torch.isneginf(m), torch.zeros_like(m), m)
    p = torch.exp(s - m)
    l = p.sum(dim=axis, keepdim=True)
    if formula.sum_sees_all:
        p = p.masked_fill(hidden, 0)
    o = p / torch.where(l == 0, 1, l) @ v if formula.divided else p @ v
    m = highest(raw.masked_fill(hidden, -math.inf), axis) if formula.lse_of_raw else m
    return o, formula.lse(m.squeeze(axis), l.log().squeeze(axis))


def highest(s: Tensor, axis: int = -1) -> Tensor:
    """The maximum along an axis, which is kept; -inf where there are no scores."""
    return s.amax(dim=axis, keepdim=True) if s.shape[axis] else s.sum(dim=axis, keepdim=True) - math.inf


def _hidden(formula: Formula, given: dict[str, Any], n_q: int, n_k: int) -> Tensor:
    """(N_q, N_k), true where a query does not see a key."""
    j, shift = torch.arange(n_k), n_k - n_q
    i = torch.arange(n_q)[:, None] + shift
    if "positions" in given:  # of the tokens of each rank
        at = torch.from_numpy(np.concatenate(given["positions"]))
        return ~formula.causal(at[:, None], at, 0)
    window, sinks = given.get("window"), given.get("sinks") or 0
    if not given.get("causal") and window is None:
        return (i < 0).expand(n_q, n_k) if formula.early_unseen else torch.zeros(n_q, n_k, dtype=torch.bool)
    seen = formula.causal(i, j, shift)
    if window is not None:
        seen = seen & ((j > i - window) | (j < sinks))
    return ~seen
