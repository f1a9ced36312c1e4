"""Lesson 17: flash-decoding, its number of splits, the two kernels, and the function that launches both."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import ceil

import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor

from autograder.exercises.draws import swapped
from autograder.exercises.flash_forward import cliff, climb, down, up
from autograder.spec.exercise import Arguments, Budget, Case, Exercise, Mutant, Output, Question
from kernels import flash_decoding, reference

Draw = Callable[[Generator], Arguments]

COUNTS = {
    "rising max": "programs are counted here, and no score is computed",
    "large positive": "programs are counted here, and no score is computed",
    "very negative": "programs are counted here, and no score is computed",
    "masked row": "programs are counted here; nothing is masked",
    "cross": "programs are counted here, neither queries nor keys",
    "strided": "the arguments are single numbers",
    "grouped": "the programs come counted; query heads that share keys are the next step",
}
ONE_QUERY = {"cross": "the one query stands at the end of its sequence and sees every key: the mask would hide nothing"}
FORBIDDEN = ("softmax", "logsumexp", "logaddexp", "scaled_dot_product", "matmul", "bmm", "einsum")


# What is right.


def efficiencies(programs: int, slots: int, most: int) -> list[Fraction]:
    """Of 1 to `most` parts: the programs, and the slots of the waves in which they run."""
    counts = range(programs, programs * most + 1, programs)
    return [Fraction(count, slots * ceil(Fraction(count, slots))) for count in counts]


def fewest_parts(programs: int, slots: int, most: int) -> int:
    """Without rounding: 17/20 of the best efficiency is wanted."""
    shares = efficiencies(programs, slots, most)
    return 1 + next(i for i, share in enumerate(shares) if 20 * share >= 17 * max(shares))


def scores_of_groups(q: Tensor, k: Tensor, lengths: Tensor, scale: float | None) -> Tensor:
    """(B, H_kv, group, 1, N): -inf behind the end of a sequence."""
    b, h, d = q.shape
    grouped = q.reshape(b, k.shape[1], h // k.shape[1], 1, d)
    behind = torch.arange(k.shape[2]) >= lengths[:, None]
    return reference.scores(grouped, k[:, :, None], scale=scale).masked_fill(behind[:, None, None, None], -torch.inf)


def parts_of_sequences(
    q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, splits: int, scale: float | None = None, tile_n: int = 64
) -> tuple[Tensor, Tensor]:
    """All scores at once; part s sees the keys from s * part to (s + 1) * part."""
    part = torch.tensor([ceil(ceil(n / splits) / tile_n) * tile_n for n in lengths.tolist()])
    part_of_key = torch.arange(k.shape[2]) // part.clamp(min=1)[:, None]
    inside = part_of_key[:, None] == torch.arange(splits)[:, None]  # (B, S, N)
    s = scores_of_groups(q, k, lengths, scale).masked_fill(~inside[:, None, None], -torch.inf)
    return (reference.softmax(s) @ v[:, :, None]).flatten(1, 2), reference.log_sum_exp(s).flatten(1, 2)


def merged(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    """A part acts like one key whose score is its log-sum-exp and whose value is its output."""
    weights = reference.softmax(L_parts)
    return (weights[..., None, :] @ o_parts)[..., 0, :], reference.log_sum_exp(L_parts)


def whole(
    q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, scale: float | None = None, slots: int = 264, tile_n: int = 64
) -> tuple[Tensor, Tensor]:
    """All keys at once: how many parts there are must not matter."""
    k, v = (x[:, :, : int(lengths.max())] for x in (k, v))
    s = scores_of_groups(q, k, lengths, scale)[..., 0, :]
    return (reference.softmax(s) @ v).flatten(1, 2), reference.log_sum_exp(s).flatten(1, 2)


# Inputs.


def sizes(**given: int | tuple[int, int]) -> Draw:
    """Whole numbers: as given, or drawn from (low, high), both included.

    Drawn again if an efficiency is exactly 0.85 of the best, where rounding would decide.
    """

    def draw(rng: Generator) -> Arguments:
        while True:
            drawn = {
                name: int(rng.integers(value[0], value[1] + 1)) if isinstance(value, tuple) else value
                for name, value in given.items()
            }
            shares = efficiencies(**drawn)
            if not any(20 * share == 17 * max(shares) for share in shares):
                return drawn

    return draw


def caches(*shape: int, lengths=(), level=0.0, profile=0.0, flat=False, dtype="float32", **rest: object) -> Draw:
    """One query a sequence and its caches, shape = (H, H_kv, N, d), with `lengths` keys in use; `rest` is handed on.

    The scores, at the scale 1/sqrt(d), are about 2 * N(0, 1) + level + profile: `level` is a number or one for each
    query head, `profile` a number or one for each key. q and k are multiples of 1/16, so the products are exact in any
    order of summation. The values drift along the keys. Behind a sequence's end lie keys and values of another text.
    `flat`: all scores are near 0 and all values near 3000.
    """
    heads, kv_heads, room, d = shape
    b = len(lengths)

    def draw(rng: Generator) -> Arguments:
        q = np.round(16 * 1.5 * rng.standard_normal((b, heads, d))) / 16
        k = np.round(16 * 1.5 * rng.standard_normal((b, kv_heads, room, d))) / 16
        if np.any(level) or np.any(profile):
            q[..., -1], k[..., -1] = (level, d**0.5) if np.any(level) else (d**0.5, profile)
        v = rng.standard_normal((b, kv_heads, room, d)) + np.linspace(-2, 2, room)[:, None]
        if flat:
            q, v = q / 16, 3000 + 100 * v
        for sequence, n in enumerate(lengths):
            v[sequence, :, n:] += 20
        given = {name: x.astype(dtype) for name, x in (("q", q), ("k", k), ("v", v))}
        return given | {"lengths": np.array(lengths, np.int32)} | rest

    return draw


def tokens_first(*shape: int, **rest: object) -> Draw:
    """The same, with caches that are (B, N, H_kv, d) in memory, and every second head of a larger q."""

    def draw(rng: Generator) -> Arguments:
        given = caches(*shape, **rest)(rng)
        moved = {name: swapped(given[name]) for name in "kv"}
        return given | moved | {"q": np.repeat(given["q"], 2, axis=1)[:, ::2]}

    return draw


def without_splits(draw: Draw) -> Draw:
    return lambda rng: {name: value for name, value in draw(rng).items() if name != "splits"}


def parts(*shape: int, d=16, level=0.0, unseen=(), blind=False) -> Draw:
    """o and L of shape[-1] parts for shape[:-1] = (B, H) query heads; L is about `level`, a number or one a part.

    unseen: parts without keys. blind: the last head has no key in any part.
    """

    def draw(rng: Generator) -> Arguments:
        drift = np.linspace(-2, 2, shape[-1])[:, None]
        o, L = rng.standard_normal((*shape, d)) + drift, rng.standard_normal(shape) + level
        nothing = np.zeros(shape, bool)
        nothing[..., list(unseen)] = True
        nothing[:, -1] |= blind
        o[nothing], L[nothing] = 0, -np.inf
        return {"o_parts": o.astype(np.float32), "L_parts": L.astype(np.float32)}

    return draw


# What a call may move.


def bytes_of_parts(b: int, h: int, splits: int, d: int) -> int:
    """o and L of every part, in float32."""
    return 4 * b * h * splits * (d + 1)


def split_stores(given: Arguments) -> int:
    b, h, d = given["q"].shape
    return bytes_of_parts(b, h, given["splits"], d)


def split_loads(given: Arguments) -> int:
    """Keys and values once, q once for each part, and a length for each program."""
    b, h, d = given["q"].shape
    kv_heads, splits = given["k"].shape[1], given["splits"]
    numbers = 2 * kv_heads * int(given["lengths"].sum()) * d + b * h * splits * d
    return given["q"].itemsize * numbers + 4 * b * kv_heads * splits


def combine_loads(given: Arguments) -> int:
    return given["o_parts"].nbytes + given["L_parts"].nbytes


def combine_stores(given: Arguments) -> int:
    b, h, _, d = given["o_parts"].shape
    return bytes_of_parts(b, h, 1, d)


def with_splits(given: Arguments) -> Arguments:
    b, kv_heads, n, _ = given["k"].shape
    return given | {"splits": fewest_parts(b * kv_heads, given["slots"], min(128, max(1, n // 256)))}


def both_loads(given: Arguments) -> int:
    return split_loads(with_splits(given)) + split_stores(with_splits(given))


def both_stores(given: Arguments) -> int:
    return split_stores(with_splits(given)) + given["q"].nbytes + 4 * given["q"][..., 0].size


# The situations.


EIGHT = "8 programs, 264 slots, up to 128 parts: one long text on an H200"
RELATIVE = "7 programs, 10 slots, up to 2 parts: no number of parts reaches 0.85"
CAPPED = "2 programs, 264 slots, up to 8 parts: 7 parts fill 0.053 of them, 8 parts 0.061"
FEWER = "16 programs, 132 slots, up to 9 parts: 8 fill 97 %, 7 fill 85 %"

WAVES = [
    Case("plain", "3 programs, 12 slots, up to 8 parts", sizes(programs=3, slots=12, most=8)),
    Case("single", "one program, one slot, one part", sizes(programs=1, slots=1, most=1), ("single",)),
    Case("full-wave", "132 programs, 132 slots: one wave, exactly full", sizes(programs=132, slots=132, most=16)),
    Case("long-text", EIGHT, sizes(programs=8, slots=264, most=128)),
    Case("ragged", "12 programs, 10 slots, up to 8 parts", sizes(programs=12, slots=10, most=8), ("ragged",)),
    Case("never-full", RELATIVE, sizes(programs=7, slots=10, most=2)),
    Case("fewer-suffice", FEWER, sizes(programs=16, slots=132, most=9)),
    Case("nearly-idle", CAPPED, sizes(programs=2, slots=264, most=8)),
    Case("low-cap", "a cap that leaves most slots idle", sizes(programs=(1, 4), slots=264, most=(5, 9))),
    Case("more-programs", "more programs than slots", sizes(programs=(300, 900), slots=264, most=16)),
    Case("random", "any numbers", sizes(programs=(1, 200), slots=(20, 300), most=(1, 40))),
]

SCALED = "the scale is given: 0.2, not 1/sqrt(16)"
RISING = "the maximum grows in every tile of keys"
FALLING = "the first 16 keys score 120 more than the rest: the maximum falls after the first tile"
LARGE = "scores from 150 to 250, where exp overflows"
SMALL = "scores from -500 to -150, where every exp is 0"
HALF = "fp16, values around 3000: undivided, their sum does not fit into fp16"
GROUPED = "6 query heads on 2 KV heads: three share each"
NO_KEYS = "sequences of 20 keys, of none and of one"
STRIDED = "heads lie inside tokens in the caches, and q has gaps"


def situations(splits: int, **rest: object) -> list[Case]:
    """Those of one sequence with two query heads on one KV head, 37 keys and tiles of 16."""

    def one(**changes: object) -> Draw:
        return caches(2, 1, 64, 16, lengths=[37], **{"splits": splits, "tile_n": 16} | rest | changes)

    return [
        Case("scaled", SCALED, one(scale=0.2)),
        Case("rising", RISING, one(profile=climb(64)), ("rising max",)),
        Case("falling", FALLING, one(profile=cliff(64))),
        Case("large-positive", LARGE, one(level=up(2)), ("large positive",)),
        Case("very-negative", SMALL, one(level=down(2)), ("very negative",)),
        Case("float16", HALF, one(flat=True, dtype="float16")),
    ]


EMPTY_PARTS = "20 keys in 4 parts: in tiles of 16, two parts have no key"
SPLIT = [
    Case(
        "plain",
        "40 keys in a cache with room for 64, 2 query heads on one KV head, 2 parts: 32 keys and 8",
        caches(2, 1, 64, 16, lengths=[40], splits=2, tile_n=16),
    ),
    Case("single", "one key, one head, one part", caches(1, 1, 1, 16, lengths=[1], splits=1, tile_n=16), ("single",)),
    Case("one-key-left", "33 keys in 2 parts: 32 and 1", caches(2, 1, 64, 16, lengths=[33], splits=2, tile_n=16)),
    Case("empty-splits", EMPTY_PARTS, caches(2, 1, 32, 16, lengths=[20], splits=4, tile_n=16)),
    Case(
        "ragged",
        "sequences of 37, 21 and 5 keys, 2 parts",
        caches(2, 1, 40, 16, lengths=[37, 21, 5], splits=2, tile_n=16),
        ("ragged",),
    ),
    Case("fully-masked", NO_KEYS, caches(2, 1, 24, 16, lengths=[20, 0, 1], splits=2, tile_n=16), ("masked row",)),
    Case("grouped", GROUPED, caches(6, 2, 48, 16, lengths=[40, 19], splits=2, tile_n=16), ("grouped",)),
    Case("mqa", "20 query heads on one KV head", caches(20, 1, 48, 16, lengths=[40], splits=2, tile_n=16)),
    Case("mha", "d = 64, every query head has its own keys", caches(3, 3, 48, 64, lengths=[45], splits=1, tile_n=32)),
    *situations(1),
    Case("strided", STRIDED, tokens_first(4, 2, 40, 32, lengths=[37, 18], splits=2, tile_n=32), ("strided",)),
    Case(
        "traffic",
        "bytes are counted: 6 query heads on 2 KV heads, 50 and 23 keys in 3 parts",
        caches(6, 2, 64, 16, lengths=[50, 23], splits=3, tile_n=16),
        budget=True,
    ),
]

ALL_EMPTY = "one query head sees no key in any part"
C_LARGE = "log-sum-exps around 200, where exp overflows"
C_SMALL = "log-sum-exps around -300, where every exp is 0"
C_RISING = "each part's log-sum-exp is about 4 larger than the one before"
COMBINE = [
    Case("plain", "one head, two parts", parts(1, 1, 2)),
    Case("single", "one head, one part", parts(1, 1, 1), ("single",)),
    Case("ragged", "five parts: not a power of two", parts(2, 3, 5), ("ragged",)),
    Case("rising", C_RISING, parts(1, 3, 6, level=4 * np.arange(6)), ("rising max",)),
    Case("large-positive", C_LARGE, parts(1, 3, 4, level=200), ("large positive",)),
    Case("very-negative", C_SMALL, parts(1, 3, 4, level=-300), ("very negative",)),
    Case(
        "far-apart",
        "log-sum-exps 400 apart: one part outweighs the other by e^400",
        parts(1, 3, 2, level=np.array([200, -200])),
    ),
    Case("empty-splits", "the last three of seven parts are empty", parts(2, 2, 7, unseen=(4, 5, 6))),
    Case("fully-masked", ALL_EMPTY, parts(2, 2, 3, unseen=(2,), blind=True), ("masked row",)),
    Case("many-splits", "d = 128, 33 parts", parts(1, 2, 33, d=128)),
    Case("traffic", "bytes are counted: 2 sequences of 3 heads, 11 parts", parts(2, 3, 11), budget=True),
]

FOUR_PARTS = "one program, 5 slots, room for 1100 keys, 100 in use: four parts"
B_SPLIT = "bytes are counted: 3 query heads on one KV head, 2 programs, 4 slots, room for 600 keys: two parts"
B_WHOLE = "bytes are counted: 9 query heads on 3 KV heads, 3 programs, 4 slots, room for 520 keys: one part fills 75 %"
DECODE = [
    Case(
        "plain",
        "one sequence of 40 keys, 2 query heads on one KV head",
        caches(2, 1, 64, 16, lengths=[40], slots=8, tile_n=16),
    ),
    Case("single", "one key, one head", caches(1, 1, 1, 16, lengths=[1], slots=8, tile_n=16), ("single",)),
    Case("large-capacity", FOUR_PARTS, caches(2, 1, 1100, 16, lengths=[100], slots=5, tile_n=16)),
    Case(
        "ragged",
        "sequences of 37, 21 and 5 keys, two parts",
        caches(2, 1, 520, 16, lengths=[37, 21, 5], slots=6, tile_n=16),
        ("ragged",),
    ),
    Case("fully-masked", NO_KEYS, caches(2, 1, 520, 16, lengths=[20, 0, 1], slots=6, tile_n=16), ("masked row",)),
    Case("grouped", GROUPED, caches(6, 2, 48, 16, lengths=[40, 19], slots=6, tile_n=16), ("grouped",)),
    *[replace(case, draw=without_splits(case.draw)) for case in situations(1, slots=6)],
    Case("strided", STRIDED, tokens_first(4, 2, 40, 32, lengths=[37, 18], slots=6, tile_n=32), ("strided",)),
    Case("traffic-split", B_SPLIT, caches(3, 1, 600, 16, lengths=[60, 33], slots=4, tile_n=16), budget=True),
    Case("traffic-whole", B_WHOLE, caches(9, 3, 520, 16, lengths=[40], slots=4, tile_n=16), budget=True),
]


# Mistakes.

KEPT = 's = tl.where(keys < end, s, float("-inf"))'
MAX = "tl.maximum(m, tl.max(s, axis=1) * scale_2)"
ACC = 'acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")'
BOTTOM = "L = (m + tl.log2(l)) * 0.6931471805599453"
VALUES = "v = tl.load(v_ptr + keys[:, None] * v_row + columns, mask=there, other=0)"
PART = "part = tl.cdiv(tl.cdiv(n, splits), TILE_N) * TILE_N"

CUTTING = [
    Mutant("every program takes the first part", "begin = split * part", "begin = 0 * part", "plain", 2),
    Mutant(
        "every part begins at the first key, so that the later parts repeat the earlier ones",
        old="range(begin, end, TILE_N)",
        new="range(0, end, TILE_N)",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "the last part does not end where its sequence ends, and takes in what lies behind",
        old="tl.minimum(begin + part, n)",
        new="begin + part",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "a part's length is not rounded up to whole tiles", old=PART, new="part = tl.cdiv(n, splits)",
        killed_by="plain", hint=2,
    ),
    Mutant(
        "a part's length is rounded down before it is rounded up, so that the last key belongs to no part",
        old="tl.cdiv(n, splits)",
        new="n // splits",
        killed_by="one-key-left",
        hint=2,
    ),
    Mutant(
        "all sequences are cut as if they were as long as the first one",
        old=PART,
        new="part = tl.cdiv(tl.cdiv(tl.load(lengths_ptr), splits), TILE_N) * TILE_N",
        killed_by="ragged",
        hint=2,
    ),
]  # fmt: skip
ENDS = [
    Mutant(
        "keys past the end of a part keep their score 0, so each of them gets the weight of a key",
        old=f"{KEPT}\n        ",
        new="",
        killed_by="plain",
        hint=2,
    ),
    Mutant("one key past the end is counted", old=KEPT, new=KEPT.replace("<", "<="), killed_by="plain", hint=2),
    Mutant(
        "a part without keys divides 0 by 0, which is NaN",
        old="tl.where(l == 0, 1.0, l)",
        new="l + 0.0",
        killed_by="empty-splits",
        hint=3,
    ),
    Mutant(
        "a part without keys reports L = 0, which is the weight of one key, instead of -inf",
        old=BOTTOM,
        new='L = tl.where(m == float("-inf"), 0.0, (m + tl.log2(l)) * 0.6931471805599453)',
        killed_by="empty-splits",
        hint=3,
    ),
]
GROUPS = [
    Mutant(
        "query heads are dealt out in turn (head h uses KV head h mod H_kv) instead of in blocks",
        old="(b * kv_heads + kv_head) * GROUP + rows",
        new="(b * GROUP + rows) * kv_heads + kv_head",
        killed_by="grouped",
        hint=1,
    ),
    Mutant(
        "every sequence is asked the queries of the first one",
        old="q_ptr + heads[:, None] * D",
        new="q_ptr + (kv_head * GROUP + rows)[:, None] * D",
        killed_by="ragged",
        hint=2,
    ),
    Mutant(
        "all query heads of a group use the first head's query",
        old="q_ptr + heads[:, None] * D",
        new="q_ptr + (heads - rows)[:, None] * D",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "the results lie part by part, and within a part head by head",
        old="heads.to(tl.int64) * splits + split",
        new="(split * tl.num_programs(2) * kv_heads * GROUP + heads).to(tl.int64)",
        killed_by="plain",
        hint=4,
    ),
    Mutant(
        "the values of a head are looked for in one piece, without regard to the stride from one to the next",
        old="keys[:, None] * v_row",
        new="keys[:, None] * D",
        killed_by="strided",
        hint=2,
    ),
]
SOFTMAX = [
    Mutant(
        "the running max is left out: the exponentials are taken of the scores as they are",
        old=MAX,
        new="tl.zeros_like(m)",
        killed_by="large-positive",
        hint=2,
    ),
    Mutant(
        "the running max starts at 0 instead of at -inf",
        old='tl.full((ROWS,), float("-inf"), tl.float32)',
        new="tl.zeros((ROWS,), tl.float32)",
        killed_by="very-negative",
        hint=2,
    ),
    Mutant(
        "the denominator l is not rescaled when the running max grows",
        old="l = alpha * l +",
        new="l = l +",
        killed_by="rising",
        hint=2,
    ),
    Mutant(
        "the accumulator is not rescaled when the running max grows",
        old="acc * alpha[:, None]",
        new="acc",
        killed_by="rising",
        hint=2,
    ),
    Mutant(
        "the maximum of the tile replaces the running max, which may then fall",
        old=MAX,
        new="tl.max(s, axis=1) * scale_2",
        killed_by="falling",
        hint=2,
    ),
    Mutant(
        "the accumulator is kept in fp16",
        old=ACC,
        new=f"{ACC}.to(tl.float16).to(tl.float32)",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "the output of a part is not divided by its denominator",
        old="acc / l[:, None]",
        new="acc",
        killed_by="plain",
        hint=3,
    ),
    Mutant("L is left in base 2: it lacks the factor ln 2", old=BOTTOM, new="L = m + tl.log2(l)", killed_by="plain"),
    Mutant(
        "L is the maximum alone, without the logarithm of the denominator",
        old="(m + tl.log2(l))",
        new="m",
        killed_by="plain",
        hint=3,
    ),
    Mutant(
        "log2(e) is left out of the scale, so that the weights are powers of 2 instead of e",
        old=" * math.log2(math.e)",
        new="",
        killed_by="plain",
        hint=4,
    ),
    Mutant(
        "the scale that is given is ignored",
        old="d**-0.5 if scale is None else scale",
        new="d**-0.5",
        killed_by="scaled",
        hint=4,
    ),
    Mutant(
        "the keys are loaded a second time, beside the values",
        old=VALUES,
        new=f"{VALUES}\n        k = tl.load(k_ptr + keys[:, None] * k_row + columns, mask=there, other=0)",
        killed_by="traffic",
        hint=1,
    ),
]

SHIFT = 'shift = tl.where(top == float("-inf"), 0.0, top)'

EXERCISES = [
    Exercise(
        function=flash_decoding.number_of_splits,
        oracle=fewest_parts,
        outputs=(Output("splits", "int64", exact=True),),
        points=2,
        cases=WAVES,
        without=COUNTS,
        mutants=[
            Mutant(
                "only the best efficiency will do, although a smaller number comes within 15 % of it",
                old="0.85 * max(efficiencies)",
                new="max(efficiencies)",
                killed_by="fewer-suffice",
                hint=1,
            ),
            Mutant(
                "0.85 is asked for outright instead of 0.85 of the best",
                old="return next(s for s, e in enumerate(efficiencies, start=1) if e >= wanted)",
                new="return next((s for s, e in enumerate(efficiencies, start=1) if e >= 0.85), most)",
                killed_by="never-full",
                hint=2,
            ),
            Mutant(
                "the largest number of parts that is good enough is taken instead of the smallest",
                old="return next(s for s, e in enumerate(efficiencies, start=1) if e >= wanted)",
                new="return max(s for s, e in enumerate(efficiencies, start=1) if e >= wanted)",
                killed_by="full-wave",
                hint=1,
            ),
            Mutant("numbers of parts are counted from 0", old="start=1", new="start=0", killed_by="plain", hint=2),
            Mutant(
                "the largest number allowed is never tried",
                old="range(1, most + 1)",
                new="range(1, max(most, 2))",
                killed_by="nearly-idle",
                hint=2,
            ),
            Mutant(
                "a wave that is exactly full counts as two",
                old="math.ceil(w)",
                new="(w // 1 + 1)",
                killed_by="full-wave",
                hint=3,
            ),
            Mutant(
                "the work of the last wave is left out of the efficiency: waves are rounded to the nearest number",
                old="math.ceil(w)",
                new="max(1, round(w))",
                killed_by="ragged",
                hint=3,
            ),
            Mutant(
                "the fewest waves are looked for, whatever share of their slots is in use",
                old="w / math.ceil(w)",
                new="1 / math.ceil(w)",
                killed_by="plain",
                hint=3,
            ),
        ],
        hints=[
            "Two steps: the efficiency of every s from 1 to most, then the first s that is good enough. A part more "
            "costs something, so the smallest wins, and good enough is 15 % below the best.",
            "waves = s * programs / slots is a fraction; the GPU takes ceil(waves) of them. Their quotient is the "
            "share of slots that are in use. The threshold is 0.85 times the largest of these quotients.",
            "3 programs, 12 slots: s = 1 fills 3 of 12 slots, 0.25; s = 2 0.5; s = 3 0.75; s = 4 1.0; s = 5 takes two "
            "waves for 15 programs, 15/24 = 0.625. The best is 1.0, so 0.85 is wanted, and s = 4 is the first.",
        ],
    ),
    Exercise(
        function=flash_decoding.split_decode,
        kernels=(flash_decoding.split_decode_kernel,),
        oracle=parts_of_sequences,
        outputs=(Output("o", "float32"), Output("L", "float32")),
        points=5,
        backend="triton",
        forbidden=FORBIDDEN,
        allowed=("clone",),
        cases=SPLIT,
        without=ONE_QUERY,
        compiled=caches(16, 2, 512, 128, lengths=[512, 300], dtype="float16", splits=3, tile_n=64),
        budget=Budget(
            loads=split_loads,
            stores=split_stores,
            traffic_is="every key and value once for all query heads that share it, q once for each part; o and L of "
            "every part once",
            memory=split_stores,
            memory_is="o and L of every part",
        ),
        mutants=[*CUTTING, *ENDS, *GROUPS, *SOFTMAX],
        hints=[
            "It is the loop of lesson 08 from `begin` to `end` instead of over all keys, and a tile of queries whose "
            "rows are query heads. What it leaves behind is what a block leaves in lesson 04: o, divided, and L.",
            "Part number `split` begins at split * part and ends at the next one's beginning, or where the sequence "
            "ends if that is earlier; ceil, not //, twice. The query heads of KV head j of sequence b are the next "
            "GROUP rows of q from (b * kv_heads + j) * GROUP on. Rows from GROUP on are neither loaded nor stored.",
            "n = 40, 2 parts, tiles of 16: ceil(40 / 2) = 20, rounded up 32. Part 0 holds keys 0-31, part 1 keys "
            "32-39. With 4 parts and n = 20: ceil(20 / 4) = 5, rounded up 16; parts 0-15, 16-19, and two whose begin "
            "lies behind the end. Their loop never runs, l = 0: divide by 1 there, and L = -inf comes out of log2(0).",
        ],
    ),
    Exercise(
        function=flash_decoding.combine_splits,
        kernels=(flash_decoding.combine_splits_kernel,),
        oracle=merged,
        outputs=(Output("o"), Output("L")),
        points=3,
        backend="triton",
        forbidden=FORBIDDEN,
        cases=COMBINE,
        without={
            "cross": "queries and keys have become parts by now",
            "strided": "what split_decode returns is contiguous",
            "grouped": "every query head has parts of its own",
        },
        compiled=parts(2, 64, 33, d=128),
        budget=Budget(
            loads=combine_loads,
            stores=combine_stores,
            traffic_is="o and L of every part once; o and L once",
            memory=combine_stores,
            memory_is="o and L",
        ),
        mutants=[
            Mutant(
                "the parts are averaged instead of weighted",
                old="weights = tl.exp(L_parts - shift)",
                new="weights = tl.where(there, 1.0, 0.0)",
                killed_by="plain",
                hint=1,
            ),
            Mutant("the weights do not sum to 1", old=" / total", new="", killed_by="plain", hint=2),
            Mutant(
                "the largest L is not subtracted before exp",
                old="weights = tl.exp(L_parts - shift)",
                new='weights = tl.exp(L_parts)\n    top = tl.where(top == float("-inf"), top, 0.0)',
                killed_by="large-positive",
                hint=2,
            ),
            Mutant(
                "a head without any key computes -inf - (-inf), which is NaN",
                old=SHIFT,
                new="shift = top",
                killed_by="fully-masked",
                hint=3,
            ),
            Mutant(
                "the largest L is taken for the new L",
                old="top + tl.log(total)",
                new="top",
                killed_by="plain",
                hint=2,
            ),
            Mutant(
                "the largest L is not added back after the logarithm",
                old="top + tl.log(total)",
                new="tl.log(total)",
                killed_by="plain",
                hint=2,
            ),
            Mutant(
                "the weights are powers of 2 instead of e", old="tl.exp(", new="tl.exp2(", killed_by="plain", hint=2
            ),
            Mutant("the logarithm is to base 2", old="tl.log(", new="tl.log2(", killed_by="plain", hint=2),
            Mutant(
                "places of the tile that hold no part count as parts with L = 0",
                old='mask=there, other=float("-inf")',
                new="mask=there, other=0",
                killed_by="ragged",
                hint=3,
            ),
            Mutant(
                "the last part is left out",
                old="there = parts < splits",
                new="there = (parts < splits - 1) | (splits == 1)",
                killed_by="plain",
                hint=3,
            ),
            Mutant(
                "the new L is the sum of the parts' L: that is the logarithm of a product",
                old="top + tl.log(total)",
                new="tl.sum(tl.where(there, L_parts, 0.0), axis=0)",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the log-sum-exps are loaded a second time",
                old="weights = tl.exp(L_parts - shift)",
                new='weights = tl.exp(tl.load(L_parts_ptr + here, mask=there, other=float("-inf")) - shift)',
                killed_by="traffic",
                hint=1,
            ),
        ],
        hints=[
            "It is merge_lse of lesson 04 for S parts at once, and no loop: a part is a key whose score is its L and "
            "whose value is its o, so this is softmax attention of one query over S keys.",
            "Subtract the largest L from all of them, take exp, sum. o is the weighted sum divided by that total, L "
            "the largest one plus the logarithm of the total.",
            "L = 0, ln 3 and -inf, o = 10, 2 and 0, in a tile of 4: relative to ln 3 the weights are 1/3, 1, 0, and 0 "
            "for the place without a part; total = 4/3; o = (10/3 + 2) / (4/3) = 4, L = ln 3 + ln(4/3) = ln 4. If all "
            "are -inf subtract 0 instead, and divide by 1.",
        ],
    ),
    Exercise(
        function=flash_decoding.flash_decode,
        oracle=whole,
        outputs=(Output("o"), Output("L", "float32")),
        points=2,
        backend="triton",
        forbidden=FORBIDDEN,
        allowed=("clone",),
        calls=("number_of_splits", "split_decode"),
        cases=DECODE,
        without=ONE_QUERY,
        budget=Budget(
            loads=both_loads,
            stores=both_stores,
            traffic_is="what the two kernels may move together, with as many parts as number_of_splits says",
            memory=both_stores,
            memory_is="o and L, and those of every part",
        ),
        mutants=[
            Mutant(
                "only the first part counts",
                old="o_parts, L_parts, o, L, splits",
                new="o_parts[:, :, :1].contiguous(), L_parts[:, :, :1].contiguous(), o, L, 1",
                killed_by="large-capacity",
                hint=3,
            ),
            Mutant(
                "keys and values have changed places",
                old="split_decode(q, k, v",
                new="split_decode(q, v, k",
                killed_by="plain",
            ),
            Mutant(
                "the scale is not handed on",
                old="splits, scale, tile_n)",
                new="splits, None, tile_n)",
                killed_by="scaled",
            ),
            Mutant(
                "the output is float32 whatever the query is",
                old="dtype=q.dtype",
                new="dtype=torch.float32",
                killed_by="float16",
            ),
            Mutant(
                "the programs are counted by query heads, but a program takes all that share a KV head",
                old="batch * kv_heads, slots",
                new="batch * heads, slots",
                killed_by="traffic-whole",
                hint=2,
            ),
            Mutant(
                "a cache is cut into parts for fewer than 256 keys",
                old="n // 256",
                new="n // 64",
                killed_by="traffic-whole",
                hint=2,
            ),
            Mutant(
                "the largest number of parts allowed is taken, without looking at the waves",
                old="number_of_splits(batch * kv_heads, slots, most)",
                new="max(most, number_of_splits(batch * kv_heads, slots, most))",
                killed_by="traffic-whole",
                hint=1,
            ),
        ],
        hints=[
            "Four lines: how many parts are allowed, how many are taken, split_decode, and a launch of the second "
            "kernel, which writes into tensors that you allocate here.",
            "number_of_splits wants programs, and there is one for each sequence and KV head. It may take up to n // "
            "256 parts, n being the room of the cache, but at least 1 and at most 128.",
            "combine_splits allocates o in float32. Launch combine_splits_kernel yourself, on a grid of B * H "
            "programs, with an o in the dtype of q: a store converts. PARTS is triton.next_power_of_2(splits).",
        ],
    ),
]

QUESTIONS = [
    Question(
        name="parts_for_one_wave",
        ask="8 KV heads, one text, 264 slots: into how many parts must the keys be cut so that every slot has exactly "
        "one program?",
        answer=33,
        rel=0,
        why="8 * 33 = 264. With 32 parts 8 slots stay empty, with 34 there are 272 programs, and 8 of them need a "
        "second wave.",
        unit="parts",
    ),
    Question(
        name="share_of_partials",
        ask="8 query heads share a KV head, 4096 keys in bf16, 16 parts: how many bytes of partial outputs o (float32, "
        "written and read) are moved, as a percentage of the cache's bytes?",
        answer=6.25,
        rel=0.01,
        why="For one KV head: 2 * 4 * 8 * 16 * d bytes of o against 2 * 2 * 4096 * d bytes of K and V, that is "
        "2 * 8 * 16 / 4096 = 6.25 %. In general 2 g S / n.",
        unit="%",
    ),
    Question(
        name="operations_a_byte",
        ask="16 rows in the tile, padding included, K and V in 16 bits: how many operations do the two products do for "
        "each byte of the cache?",
        answer=16,
        rel=0,
        why="A key and its value are 4 d bytes; each row does 2 d operations with either: 16 * 4 d / 4 d = 16.",
        unit="operations a byte",
    ),
]
