"""Flash-decoding, its number of splits, the two kernels, and the function that launches both."""

import functools
import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
from numpy.random import Generator

from autograder.exercises import draws, flash_tiles
from autograder.spec.exercise import (
    ONE_TILE_EACH,
    Arguments,
    Bound,
    Budget,
    Case,
    Exercise,
    Output,
    Quantity,
    Question,
    launched,
    once,
)
from kernels import flash_decoding
from kernels.oracles import flash_decoding as right

COUNTS = draws.SIZES_ONLY | {
    "masked row": "programs are counted here; nothing is masked",
    "cross": "programs are counted here, neither queries nor keys",
    "grouped": "the number of programs is given; query heads that share keys come in the next step",
}
ONE_QUERY = {"cross": "the one query stands at the end of its sequence and sees every key: the mask would hide nothing"}


# Inputs.


def first_of(shares: list[Fraction], wanted: Fraction, other: int) -> int:
    return next((s for s, share in enumerate(shares, 1) if share >= wanted), other)


def up_to_the_first_fall(shares: list[Fraction]) -> Fraction:
    return next((a for a, b in itertools.pairwise(shares) if b < a), shares[-1])


# Wrong rules for the number of splits, from the efficiencies of all of them and programs / slots.
RULES: dict[str, Callable[[list[Fraction], Fraction], int]] = {
    "the best": lambda shares, w: first_of(shares, max(shares), 0),
    "outright": lambda shares, w: first_of(shares, Fraction(17, 20), len(shares)),
    "the largest": lambda shares, w: max(s for s, share in enumerate(shares, 1) if 20 * share >= 17 * max(shares)),
    "without the last": lambda shares, w: first_of(shares, Fraction(17, 20) * max(shares[:-1]), 0),
    "the library's": lambda shares, w: 1 if w >= 0.8 else 0,
    "the library's skips": lambda shares, w: first_of(
        [share if ceil(s * w) != ceil((s - 1) * w) or s * w <= 1 else Fraction(0) for s, share in enumerate(shares, 1)],
        Fraction(17, 20) * max(shares),
        0,
    ),
    "the first tooth": lambda shares, w: first_of(shares, Fraction(17, 20) * up_to_the_first_fall(shares), 0),
    "one": lambda shares, w: 1,
    "all": lambda shares, w: len(shares),
}


@draws.drawn
def sizes(rng: Generator, /, unlike: tuple[str, ...] = (), **given: int | tuple[int, int]) -> Arguments:
    """Whole numbers: as given, or drawn from (low, high), both included.

    Drawn again if the rules `unlike` give the right number too, or an efficiency is so near to 0.85 of the best that
    rounding, in float32 as well, would decide.
    """
    while True:
        drawn = draws.numbers(**given)(rng)
        shares = right.efficiencies(**drawn)
        if any(abs(20 * share / (17 * max(shares)) - 1) < 1e-5 for share in shares):
            continue
        w, wanted = Fraction(drawn["programs"], drawn["slots"]), right.fewest_splits(**drawn)
        if all(RULES[name](shares, w) != wanted for name in unlike):
            return drawn


@draws.drawn
def caches(rng: Generator, /, *shape: int, lengths: Sequence[int], dtype="float32", **rest: Any) -> Arguments:
    """One query per sequence and its caches, shape = (H, H_kv, N, d), with `lengths` keys in use, see `draws.qkv`.

    level: of each query head. After a sequence's end lie the values of another.
    """
    heads, kv_heads, room, d = shape
    given = draws.qkv(rng, (len(lengths), heads, d), (len(lengths), kv_heads, room, d), dtype="float64", **rest)
    for sequence, n in enumerate(lengths):
        given["v"][sequence, :, n:] += 20
    return given | {name: given[name].astype(dtype) for name in "qkv"} | {"lengths": np.array(lengths, np.int32)}


@draws.drawn
def billions_below(rng: Generator, /, draw: draws.Draw) -> Arguments:
    """What `draw` makes for d = 16, but all keys score -2^31 for the first query head: nothing is rounded there."""
    given = draw(rng)
    given["q"][:, 0], given["k"][..., -1] = 0, 4
    given["q"][:, 0, -1] = -(2.0**31)
    return given


@draws.drawn
def tokens_first(rng: Generator, /, *shape: int, **rest: Any) -> Arguments:
    """The same, with keys that are (B, N, H_kv, d) in memory, values (N, H_kv, B, d) with gaps, and q (H, B, d)."""
    given = caches(*shape, **rest)(rng)
    v = draws.swapped(np.repeat(given["v"], 2, axis=2), 0, 2)[:, :, ::2]
    return given | {"q": draws.swapped(given["q"], 0, 1), "k": draws.swapped(given["k"]), "v": v}


@draws.drawn
def caches_apart(rng: Generator, /, *shape: int, **rest: Any) -> Arguments:
    """The same, and q is contiguous: there is nothing that might be copied."""
    given = tokens_first(*shape, **rest)(rng)
    return given | {"q": given["q"].copy()}


def without_splits(draw: draws.Draw) -> draws.Draw:
    return lambda rng: {name: value for name, value in draw(rng).items() if name != "splits"}


@draws.drawn
def split_results(rng: Generator, /, *shape: int, d=16, level=0.0, unseen=(), blind=False, light=()) -> Arguments:
    """o and L of shape[-1] splits for shape[:-1] = (B, H) query heads; L is about `level`, a number or one per split.

    unseen: splits without keys. blind: the last head has no key in any split. light: splits as `draws.lighten_part` has
    them.
    """
    drift = np.linspace(-2, 2, shape[-1])[:, None]
    o, L = rng.standard_normal((*shape, d)) + drift, rng.standard_normal(shape) + level
    nothing = np.zeros(shape, bool)
    nothing[..., list(unseen)] = True
    nothing[:, -1] |= blind
    o[nothing], L[nothing] = 0, -np.inf
    for split in light:
        draws.lighten_part(o[..., split, :], L[..., split])
    return {"o_parts": o.astype(np.float32), "L_parts": L.astype(np.float32)}


# What a call may move.


def bytes_of_splits(b: int, h: int, splits: int, d: int) -> int:
    """o and L of every split, in float32."""
    return 4 * b * h * splits * (d + 1)


def split_stores(given: Arguments) -> int:
    b, h, d = given["q"].shape
    return bytes_of_splits(b, h, given["splits"], d)


def split_loads(given: Arguments) -> int:
    """Keys and values once, q once for each split, and a length for each program."""
    b, h, d = given["q"].shape
    kv_heads, splits = given["k"].shape[1], given["splits"]
    numbers = 2 * kv_heads * int(given["lengths"].sum()) * d + b * h * splits * d
    return given["q"].itemsize * numbers + 4 * b * kv_heads * splits


def combine_stores(given: Arguments) -> int:
    b, h, _, d = given["o_parts"].shape
    return bytes_of_splits(b, h, 1, d)


def one_split(given: Arguments) -> int:
    """What a program takes for one split of the longest sequence and all queries of a KV head."""
    (_, h, d), kv_heads, tile_n = given["q"].shape, given["k"].shape[1], given.get("tile_n", 64)
    keys = ceil(ceil(int(given["lengths"].max()) / given["splits"]) / tile_n) * tile_n
    group = h // kv_heads
    return given["q"].itemsize * d * (2 * keys + group) + 4 + 4 * group * (d + 1)


def all_splits(given: Arguments) -> int:
    return int(len(given["q"]) * given["k"].shape[1] * given["splits"])


def one_merge(given: Arguments) -> int:
    """What a program takes for the splits of one query, and its o and L."""
    *_, splits, d = given["o_parts"].shape
    return 4 * (splits + 1) * (d + 1)


def split_and_merge(given: Arguments) -> int:
    given = with_splits(given)
    return one_split(given) + 4 * (given["splits"] + 1) * (given["q"].shape[2] + 1)


def asked_of_the_rule(given: Arguments) -> np.ndarray:
    """What number_of_splits takes: the programs, the slots and the most splits."""
    b, kv_heads, n, _ = given["k"].shape
    return np.array([b * kv_heads, given.get("slots", 264), min(128, max(1, n // 256))])


def with_splits(given: Arguments) -> Arguments:
    return given | {"splits": right.fewest_splits(*asked_of_the_rule(given).tolist())}


def both_loads(given: Arguments) -> int:
    return split_loads(with_splits(given)) + split_stores(with_splits(given))


def both_stores(given: Arguments) -> int:
    return split_stores(with_splits(given)) + given["q"].nbytes + 4 * given["q"][..., 0].size


# The situations.
EXACTLY = "the smallest number of splits reaches 0.85 of the best exactly"
CAPPED = "few programs: the largest number of splits allowed is the best by more than 15 %"
FEWER = "a number of splits is nearly as good as the best one, and smaller"
PLAIN = "few programs, about four times as many slots"
HUNDREDS = "one program on an H200, and more than 128 splits are allowed"
FULL_WAVE = "10^10 programs, and as many slots: one wave, exactly full"
LONG_TEXT = "one long sequence on an H200"
FILLED = "the programs fill 80 % of the slots and more, and splits still pay"
MANY_PROGRAMS = "more programs than three times the slots"
WAVES = [
    Case("plain", PLAIN, sizes(("the best",), programs=(3, 5), slots=(14, 26), most=8)),
    Case("single", "one program, one split", sizes(programs=1, slots=(1, 9), most=1)),
    Case("full-wave", FULL_WAVE, sizes(programs=10**10, slots=10**10, most=(9, 16))),
    Case("long-text", LONG_TEXT, sizes(("the best",), programs=(5, 9), slots=264, most=(100, 128))),
    Case("hundreds", HUNDREDS, sizes(("the best",), programs=1, slots=264, most=(240, 400))),
    Case("ragged", "the last wave is not full", sizes(("one", "all"), programs=(11, 19), slots=10, most=8)),
    Case("never-full", "no number of splits reaches 0.85", sizes(("outright",), programs=(6, 8), slots=10, most=2)),
    Case("fewer-suffice", FEWER, sizes(("the best", "the largest"), programs=(15, 17), slots=132, most=(8, 16))),
    Case("nearly-idle", CAPPED, sizes(("without the last",), programs=(1, 9), slots=264, most=(2, 8))),
    Case(
        "library-shortcut",
        FILLED,
        sizes(
            ("the library's", "the library's skips", "one", "the first tooth"),
            programs=(80, 130),
            slots=100,
            most=(4, 16),
        ),
    ),
    Case("low-cap", "a cap that leaves most slots idle", sizes(("the best",), programs=(1, 4), slots=264, most=(5, 9))),
    Case("more-programs", MANY_PROGRAMS, sizes(("one",), programs=(793, 1100), slots=264, most=16)),
    Case("exactly-enough", EXACTLY, draws.numbers(programs=17, slots=20, most=20)),
    Case("random", "any numbers", sizes(programs=(1, 200), slots=(20, 300), most=(1, 40))),
]

BILLIONS = "all keys score -2^31 for the first of two query heads: no stand-in for -inf is lower"
GROUPED = "6 query heads on 2 KV heads: three share each"
NO_KEYS = "sequences of 20 keys, no key and one key"
NO_COPIES = "memory: keys lie token by token, values have gaps, and a copy of either is too large"
half_caches = functools.partial(caches, 3, 3, 40, 128, tile_n=16, dtype="float16")
STRIDED = "keys lie token by token in memory, values and q with heads outside sequences, and values have gaps"


def situations(room: int, splits: int, **rest: Any) -> list[Case]:
    """Those of one sequence with query heads on one KV head, 33 keys in a cache with `room`, and tiles of 16."""

    def one(d: int = 16, heads: int = 2, **changes: object) -> draws.Draw:
        return caches(heads, 1, room, d, lengths=[33], **{"splits": splits, "tile_n": 16} | rest | changes)

    once: dict[str, Any] = {"tile_n": 16} | rest | {"splits": 1}
    long = caches(2, 1, 256, 32, lengths=[256], flat=True, dtype="float16", **once)
    return [
        Case("scaled", "the scale is given: 0.2, not 1/sqrt(16)", one(scale=0.2)),
        Case("rising", "the maximum grows in every tile of keys", one(profile=flash_tiles.climb(room))),
        Case("falling", flash_tiles.FALLING, one(profile=flash_tiles.cliff(room))),
        Case("light", draws.LIGHT, draws.light(one(), 16, 32)),
        Case("large-positive", flash_tiles.LARGE, one(d=64, level=flash_tiles.up(2))),
        Case("very-negative", flash_tiles.SMALL, one(level=flash_tiles.down(2))),
        Case("far-below", draws.FAR_BELOW, one(level=np.array(draws.DEEP))),
        Case("billions-below", BILLIONS, billions_below(one())),
        Case("jump", draws.JUMP, one(profile=np.pad(draws.jump(33), (0, room - 33), "edge"))),
        Case("float16", flash_tiles.HALF, one(flat=True, dtype="float16")),
        Case(
            "float16-rising",
            flash_tiles.COARSE,
            one(heads=4, profile=16 * flash_tiles.twelve_a_tile(room), flat=True, dtype="float16"),
        ),
        Case("float16-sums", flash_tiles.LOST, draws.one_outweighs(long)),
        Case("float16-scores", flash_tiles.UNROUNDED, draws.opposed(one(d=32, dtype="float16"))),
    ]


MQA = "float16, 70 query heads on one KV head, 140 keys in 3 splits of whole tiles of 128"
EMPTY_SPLITS = "20 keys in 4 splits: in tiles of 16, two splits have no key"
MANY_SPLITS = "20 keys in 34 splits: more splits than a tile has keys, and all but two are empty"
SPLIT_PLAIN = "40 keys in a cache with room for 64, 2 query heads on one KV head, 2 splits: 32 keys and 8"
RAGGED = "sequences of 21, 37 and 5 keys, 2 splits"
TRAFFIC = "bytes are counted: 6 query heads on 2 KV heads, 184 and 135 keys in 3 splits"
SPLIT = [
    Case("plain", SPLIT_PLAIN, caches(2, 1, 64, 16, lengths=[40], splits=2, tile_n=16)),
    Case("single", "one key, one head, one split", caches(1, 1, 1, 16, lengths=[1], splits=1, tile_n=16)),
    Case("one-key-left", "33 keys in 2 splits: 32 and 1", caches(2, 1, 64, 16, lengths=[33], splits=2, tile_n=16)),
    Case("empty-splits", EMPTY_SPLITS, caches(2, 1, 32, 16, lengths=[20], splits=4, tile_n=16)),
    Case("many-splits", MANY_SPLITS, caches(2, 1, 32, 16, lengths=[20], splits=34, tile_n=16)),
    Case("ragged", RAGGED, caches(2, 1, 40, 16, lengths=[21, 37, 5], splits=2, tile_n=16)),
    Case("fully-masked", NO_KEYS, caches(2, 1, 24, 16, lengths=[20, 0, 1], splits=2, tile_n=16)),
    Case("grouped", GROUPED, caches(6, 2, 48, 128, lengths=[40, 19], splits=2, tile_n=16)),
    Case("mqa", MQA, caches(70, 1, 144, 64, lengths=[140], splits=3, tile_n=128, dtype="float16")),
    draws.own_tiles(caches(2, 1, 100, 16, lengths=[100], splits=2), "tile_n"),
    Case("mha", "d = 64, every query head has its own keys", caches(3, 3, 48, 64, lengths=[45], splits=1, tile_n=32)),
    *situations(64, 1),
    Case("strided", STRIDED, tokens_first(4, 2, 40, 32, lengths=[37, 18], splits=2, tile_n=32)),
    draws.metered("strided-memory", NO_COPIES, caches_apart(4, 2, 40, 32, lengths=[37, 18], splits=2, tile_n=32)),
    draws.metered("traffic", TRAFFIC, caches(6, 2, 200, 16, lengths=[184, 135], splits=3, tile_n=16)),
    Case("wide-heads", draws.WIDE_HEADS, draws.wide(half_caches(lengths=[37, 9, 20], splits=2), k=1, v=0)),
]

C_FIRST = "the first of five splits is empty, and each of the others lies 400 above the one before"
C_SHARE = "one split lies 11 above the other, which counts for little, and counts"
C_FAR = "log-sum-exps of -2^31, and two splits are empty, whose -inf is lower still"
C_RISING = "each split's log-sum-exp is about 4 larger than the one before"
FAR_APART = "log-sum-exps 4000 apart: one split outweighs the other by e^4000"
COMBINE = [
    Case("plain", "one head, two splits", split_results(1, 1, 2)),
    Case("single", "one head, one split, d = 1", split_results(1, 1, 1, d=1)),
    Case("ragged", "five splits: not a power of two", split_results(2, 3, 5, d=32)),
    Case("rising", C_RISING, split_results(1, 3, 6, level=4 * np.arange(6), d=64)),
    Case("large-positive", "log-sum-exps around 200, where exp overflows", split_results(1, 3, 4, level=200, d=128)),
    Case("very-negative", "log-sum-exps around -300, where every exp is 0", split_results(1, 3, 4, level=-300)),
    Case("far-apart", FAR_APART, split_results(1, 3, 2, level=np.array([200, -3800]))),
    Case("first-empty", C_FIRST, split_results(1, 3, 5, level=400.0 * np.arange(-4, 1), unseen=(0,))),
    Case("small-share", C_SHARE, split_results(1, 3, 2, level=np.array([11, 0]))),
    Case("light", draws.LIGHT_PART, split_results(1, 3, 5, light=(2,))),
    Case("empty-splits", "the last three of seven splits are empty", split_results(2, 2, 7, unseen=(4, 5, 6))),
    Case("far-below", C_FAR, split_results(1, 3, 5, level=-(2.0**31), unseen=(1, 4))),
    Case("fully-masked", "one query head sees no key in any split", split_results(2, 2, 3, unseen=(2,), blind=True)),
    Case("many-splits", "d = 256, 100 splits", split_results(1, 2, 100, d=256)),
    draws.metered("traffic", "bytes are counted: 2 sequences of 3 heads, 11 splits", split_results(2, 3, 11)),
]

MOST_SPLITS = "bytes are counted: one program, 80 slots, room for 36,000 keys, 40 in use: 68 of at most 128 splits"
B_SPLIT = "bytes are counted: 3 query heads on one KV head, 2 programs, 6 slots, room for 767 keys: two splits"
B_MANY = "bytes are counted: one program, 19 slots, room for 4,900 keys, 270 in use: 17 splits, a tile each"
B_WHOLE = "bytes are counted: 9 query heads on 3 KV heads, 3 programs, 4 slots, room for 520 keys: one split fills 75 %"
DECODE_PLAIN = "one sequence of 40 keys, 2 query heads on one KV head"
DECODE_RAGGED = "sequences of 100, 21 and 5 keys, room for 512: two splits"
Q_COLUMNS = "q is a view of (B, d, H)"
DECODE = [
    Case("plain", DECODE_PLAIN, caches(2, 1, 64, 16, lengths=[40], slots=8, tile_n=16)),
    Case("single", "one key, one head", caches(1, 1, 1, 16, lengths=[1], slots=8, tile_n=16)),
    draws.metered("large-capacity", MOST_SPLITS, caches(1, 1, 36_000, 16, lengths=[40], slots=80, tile_n=16)),
    Case("ragged", DECODE_RAGGED, caches(2, 1, 512, 16, lengths=[100, 21, 5], slots=6, tile_n=16)),
    Case("fully-masked", NO_KEYS, caches(2, 1, 520, 16, lengths=[20, 0, 1], slots=6, tile_n=16)),
    Case("grouped", GROUPED, caches(6, 2, 48, 128, lengths=[40, 19], slots=6, tile_n=16)),
    *[replace(case, draw=without_splits(case.draw)) for case in situations(512, 2, slots=6)],
    draws.own_tiles(caches(4, 2, 700, 64, lengths=[500, 30], slots=8, dtype="float16"), "tile_n", "slots"),
    Case("strided", STRIDED, tokens_first(4, 2, 40, 32, lengths=[37, 18], slots=6, tile_n=32)),
    Case(
        "columns-inside",
        Q_COLUMNS,
        draws.views(caches(4, 2, 40, 32, lengths=[37, 18], slots=6, tile_n=32), q=(1, 2)),
        ("strided",),
    ),
    draws.metered("strided-memory", NO_COPIES, caches_apart(4, 2, 40, 32, lengths=[37, 18], slots=6, tile_n=32)),
    draws.metered("traffic-split", B_SPLIT, caches(3, 1, 767, 16, lengths=[60, 33], slots=6, tile_n=16)),
    draws.metered("traffic-many", B_MANY, caches(2, 1, 4_900, 16, lengths=[270], slots=19, tile_n=16)),
    draws.metered("traffic-whole", B_WHOLE, caches(9, 3, 520, 16, lengths=[40], slots=4, tile_n=16)),
    Case("wide-heads", draws.WIDE_HEADS, draws.wide(half_caches(lengths=[37, 9, 20], slots=6), k=1, v=0)),
]

kernel = functools.partial(Exercise, backend="triton", forbidden=flash_tiles.FORBIDDEN)
EXERCISES = [
    Exercise(
        function=flash_decoding.number_of_splits,
        oracle=right.fewest_splits,
        outputs=(Output("splits", "int64", exact=True),),
        points=2,
        cases=WAVES,
        without=COUNTS,
    ),
    kernel(
        function=flash_decoding.split_decode,
        kernels=(flash_decoding.split_decode_kernel,),
        oracle=right.splits_of_sequences,
        outputs=(Output("o", "float32"), Output("L", "float32")),
        points=5,
        allowed=("clone",),
        cases=SPLIT,
        mutants=flash_tiles.in_base_2("m_new", in_dot=True),
        without=ONE_QUERY,
        compiled=caches(16, 2, 512, 128, lengths=[512, 300], dtype="float16", splits=3, tile_n=64),
        budget=Budget(
            is_the_point=True,
            loads=Bound(
                split_loads, "every key and value once for all query heads that share it, q once for each split"
            ),
            stores=Bound(split_stores, "o and L of every split once"),
            memory=Bound(split_stores, "o and L of every split"),
            programs=Bound(all_splits, "one for each split of each KV head", exactly=True),
            busiest=draws.a_quarter_more(one_split, "a split of the longest sequence"),
            widest=flash_tiles.widest_in_a_split("tile_n", merges=False),
            at_a_time=flash_tiles.at_a_time_in_a_split("tile_n", merges=False),
            products=flash_tiles.products_of_splits("tile_n", merges=False),
            met=Bound(flash_tiles.one_product_of_splits),
        ),
    ),
    kernel(
        function=flash_decoding.combine_splits,
        kernels=(flash_decoding.combine_splits_kernel,),
        oracle=right.merged,
        outputs=(Output("o"), Output("L")),
        points=3,
        cases=COMBINE,
        without={
            "cross": "queries and keys have become splits by now",
            "strided": "what split_decode returns is contiguous",
            "grouped": "every query head has splits of its own",
        },
        compiled=split_results(2, 64, 33, d=128),
        budget=Budget(
            loads=Bound(lambda a: a["o_parts"].nbytes + a["L_parts"].nbytes, "o and L of every split once"),
            stores=Bound(combine_stores, "o and L once"),
            memory=Bound(combine_stores, "o and L"),
            programs=Bound(lambda a: a["L_parts"][..., 0].size, "one for each query head", exactly=True),
            busiest=draws.a_quarter_more(one_merge, "the merge of a query"),
        ),
    ),
    kernel(
        function=flash_decoding.flash_decode,
        oracle=right.whole,
        outputs=(Output("o"), Output("L", "float32")),
        points=2,
        allowed=("clone",),
        calls={"number_of_splits": once, "split_decode": once},
        takes={"number_of_splits": ("programs, slots, and the most splits", asked_of_the_rule)},
        cases=DECODE,
        without=ONE_QUERY,
        budget=Budget(
            is_the_point=True,
            again=ONE_TILE_EACH,
            loads=Bound(
                both_loads, "what the two kernels may move together, with as many splits as number_of_splits says"
            ),
            stores=Bound(
                both_stores, "what the two kernels may move together, with as many splits as number_of_splits says"
            ),
            memory=Bound(both_stores, "o and L, and those of every split"),
            programs=Bound(
                lambda a: flash_tiles.splits_and_heads(with_splits(a)),
                "one for each split of a KV head, one for each query head",
                least=lambda a: all_splits(with_splits(a)),
            ),
            launches=launched(2, "each of the two kernels once"),
            busiest=draws.a_quarter_more(split_and_merge, "a split of the longest sequence, and the merge of a query"),
            met=Bound(lambda a: flash_tiles.one_product_of_splits(with_splits(a))),
        ),
    ),
]

QUESTIONS = [
    Question(
        name="splits_for_one_wave",
        ask="8 KV heads, one sequence, 264 slots: into how many splits must the keys be cut so that every slot has "
        "exactly one program?",
        answer=Quantity(33, "splits"),
        why="8 * 33 = 264. With 32 splits 8 slots stay empty; with 34 there are 272 programs, and 8 of them need a "
        "second wave.",
    ),
    Question(
        name="share_of_partials",
        ask="8 query heads share a KV head, 4096 keys in bf16, 16 splits: how many bytes of partial outputs o "
        "(float32, written and read) are moved, as a percentage of the cache's bytes?",
        answer=Quantity(6.25, "%", rel=0.01),
        why="For one KV head: 2 * 4 * 8 * 16 * d bytes of o against 2 * 2 * 4096 * d bytes of K and V, that is "
        "2 * 8 * 16 / 4096 = 6.25 %. In general 2 g S / n.",
    ),
    Question(
        name="operations_a_byte",
        ask="16 rows in the tile, padding included, K and V in 16 bits: how many operations do the two products do for "
        "each byte of the cache?",
        answer=Quantity(16, "operations per byte"),
        why="A key and its value are 4 d bytes; each row does 2 d operations with either: 16 * 4 d / 4 d = 16.",
    ),
]
