"""FlashAttention forward in Triton: whole tiles, any length, powers of two and the log-sum-exp."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.random import Generator

from autograder.exercises import draws, flash_tiles
from autograder.spec.edits import Mutant, Swap
from autograder.spec.exercise import Arguments, Bound, Budget, Case, Exercise, Output, Quantity, Question
from kernels import flash_forward
from kernels.oracles import flash_forward as right

CONTIGUOUS = {"strided": "contiguous inputs are part of the contract until the kernel with descriptors"}
NO_MASK = {
    "cross": "the causal mask comes in the next lesson; lengths of queries and keys differ in the other cases",
    "masked row": "without a causal mask every query sees every key",
}


# Inputs.


@draws.drawn
def heads(rng: Generator, /, b: int, h: int, n_q: int, n_k: int, d: int, *, tiles=(16, 16), **rest: Any) -> Arguments:
    """q, k, v (B, H, N, d) as `draws.qkv` makes them, and the tile sizes."""
    given = draws.qkv(rng, (b, h, n_q, d), (b, h, n_k, d), **rest)
    return given | {"tile_m": tiles[0], "tile_n": tiles[1]}


@draws.drawn
def one_outweighs(rng: Generator, /, n_q: int, d: int) -> Arguments:
    """Key 0 outweighs all others by 40,000, and a tile of 16 of them weighs less than half of what fp16 sees at 1."""
    first = np.where(np.arange(256) < 1, 16 * 10.6, 0)
    given = heads(1, 1, n_q, 256, d, profile=first, flat=True, dtype="float16")(rng)
    given["v"][..., 0, :] -= 2000
    return given


def on_a_gpu(**rest: object) -> draws.Draw:
    """Shapes of a real call: two heads of 256 queries and keys, d = 64, fp16."""
    return heads(1, 2, 256, 256, 64, tiles=(128, 64), dtype="float16", **rest)


# What a call may move.


def loads(given: Arguments) -> int:
    """q once; for each tile of a KV head's rows all tiles of k and v, or those that the causal mask does not hide."""
    keys = flash_tiles.keys_of_tiles(given, given["tile_m"], given["tile_n"])
    return given["q"].nbytes + 2 * given["k"][:, :, 0].nbytes * keys


def by_a_tile(given: Arguments, keys: int) -> int:
    """What a program moves whose tile of queries meets so many keys."""
    d, tile_m = given["q"].shape[3], given["tile_m"]
    return int(2 * given["q"].itemsize * d * (tile_m + keys) + 4 * tile_m)


def a_tile(given: Arguments) -> int:
    """What the program moves whose tile of queries meets most keys."""
    most = max(flash_tiles.keys_of_each_tile(given, given["tile_m"], given["tile_n"]), default=0)
    return by_a_tile(given, most)


ALL_KEYS = Budget(
    is_the_point=True,
    loads=Bound(loads, "q once, k and v once for each tile of queries"),
    stores=Bound(draws.bytes_of("q"), "o once"),
    memory=Bound(draws.bytes_of("q"), "the output"),
    programs=flash_tiles.BY_QUERIES,
    region=flash_tiles.OF_QUERIES,
    raised=flash_tiles.SEEN_SCORES,
    busiest=draws.a_quarter_more(a_tile, "a tile of queries"),
    widest=flash_tiles.TWO_TILES,
    **flash_tiles.A_PAIR_AT_A_TIME,
    products=Bound(flash_tiles.products_of_both, flash_tiles.SEEN_PAIRS),
    product_calls=flash_tiles.twice_the_calls(flash_tiles.products_of_both),
    met=flash_tiles.ALL_TILES,
)
ALL_KEYS_LSE = replace(
    ALL_KEYS,
    stores=Bound(flash_tiles.output_and_lse_bytes, "o and L once"),
    memory=Bound(flash_tiles.output_and_lse_bytes, "o and L"),
)
IN_BASE_2 = replace(ALL_KEYS_LSE, natural=Bound(lambda a: 0, "all of them to base 2"))

# The situations, in the same words for every exercise that has them.

HEADS = "two batches of three heads, tiles of 16 queries and 32 keys, d = 128"


def situations(n_q: int, n_k: int) -> list[Case]:
    """Those that need no more than queries, keys and a scale, with n_q queries and n_k keys in tiles of 16.

    In 16 bits sums are looked at in heads of each size that is promised.
    """
    one, half = partial(heads, 1, 1, n_q, n_k, 16), dict[str, Any](flat=True, dtype="float16")
    case = partial(Case, tile=(16, 16))
    return [
        case("scaled", flash_tiles.SCALED, one(scale=0.2)),
        case("rising", flash_tiles.LEAPING, one(profile=flash_tiles.leap(n_k))),
        case("falling", flash_tiles.PEAKS, one(profile=flash_tiles.peaks(n_k), alike=(0, 1))),
        case("light", draws.LIGHT, draws.light(one(), 16, 32)),
        case("large-positive", flash_tiles.LARGE, heads(1, 1, n_q, n_k, 64, level=flash_tiles.up(n_q))),
        case("very-negative", flash_tiles.LOW, one(level=flash_tiles.low(n_q))),
        case("float16", flash_tiles.HALF, heads(1, 1, n_q, n_k, 32, **half), budget=True),
        case("float16-sums", flash_tiles.LOST, one_outweighs(16, 64), budget=True),
        case(
            "float16-rising", flash_tiles.COARSE, one(profile=16 * flash_tiles.twelve_a_tile(n_k), **half), budget=True
        ),
        case(
            "float16-scores",
            flash_tiles.UNROUNDED,
            draws.opposed(heads(1, 1, 16, 32, 128, dtype="float16")),
            budget=True,
        ),
    ]


# A multiple of 120 for one key in each tile: at the scale -0.5 the maximum of a row is not where it was.
def negative_scale(n_q: int, n_k: int) -> Case:
    spikes = heads(1, 1, n_q, n_k, 16, profile=np.where(np.arange(n_k) % 16 == 5, 120.0, 0.0), scale=-0.5)
    return Case("negative-scale", "the scale is -0.5: the smallest product is the largest score", spikes, tile=(16, 16))


def zero_scale(n_q: int, n_k: int) -> Case:
    return Case(
        "zero-scale", "the scale is 0: all keys weigh alike", heads(1, 1, n_q, n_k, 16, scale=0.0), tile=(16, 16)
    )


SINGLE = "one query and one key, in tiles of 16"
RAGGED = "21 queries, 33 keys: neither is a multiple of the tile 16, and the last tile holds one key"

TRAFFIC = "bytes are counted: two heads, 256 queries, 96 keys, tiles of 128 and 16"
WIDE_TRAFFIC = "bytes are counted: 32 queries, 64 keys, tiles of 16 and 32"
FULL = [
    Case("plain", "one head, 16 queries, 32 keys, tiles of 16", heads(1, 1, 16, 32, 16), tile=(16, 16)),
    Case("heads", HEADS, heads(2, 3, 32, 64, 128, tiles=(16, 32)), tile=(16, 32)),
    draws.own_tiles(heads(1, 2, 128, 256, 16)),
    *situations(32, 48),
    negative_scale(16, 32),
    zero_scale(16, 32),
    draws.metered("traffic-wide-tiles", WIDE_TRAFFIC, heads(1, 1, 32, 64, 32, tiles=(16, 32)), tile=(16, 32)),
    draws.metered("traffic", TRAFFIC, heads(1, 2, 256, 96, 16, tiles=(128, 16)), tile=(128, 16)),
]

RAGGED_HEADS = "two batches of three heads, 17 queries, 48 keys: one tile of 32 keys and half of one"
ONE_TILE_NEGATIVE = "one whole tile, scores from -500 to -150"
LOW_ALONE = "two queries and one key, on which the first scores -2e9: what is masked has to be lower still"
UNEVEN_WIDE = "bytes are counted: 20 queries, 75 keys, tiles of 16 and 32"
UNEVEN_TALL = "bytes are counted: two heads, 150 queries, 83 keys, tiles of 128 and 16"
RAGGED_ENDS = [
    Case("plain", "one head, 20 queries, 40 keys, tiles of 16", heads(1, 1, 20, 40, 16), tile=(16, 16)),
    Case("single", SINGLE, heads(1, 1, 1, 1, 16)),
    Case("ragged", RAGGED, heads(1, 2, 21, 33, 16), tile=(16, 16)),
    replace(draws.billions_below(heads(1, 1, 2, 1, 16)), name=LOW_ALONE),
    Case("one-tile-negative", ONE_TILE_NEGATIVE, heads(1, 1, 16, 16, 16, level=flash_tiles.down(16)), tile=(16, 16)),
    Case("heads", f"{RAGGED_HEADS}, d = 128", heads(2, 3, 17, 48, 128, tiles=(16, 32)), tile=(16, 32)),
    draws.own_tiles(heads(1, 2, 70, 150, 16)),
    *situations(21, 33),
]
UNEVEN_TRAFFIC = [
    draws.metered("traffic-wide-tiles", UNEVEN_WIDE, heads(1, 1, 20, 75, 32, tiles=(16, 32)), tile=(16, 32)),
    draws.metered("traffic", UNEVEN_TALL, heads(1, 2, 150, 83, 16, tiles=(128, 16)), tile=(128, 16)),
]
UNEVEN = [*RAGGED_ENDS, negative_scale(21, 37), zero_scale(21, 37), *UNEVEN_TRAFFIC]
UNEVEN_LSE = [*RAGGED_ENDS, *UNEVEN_TRAFFIC]
LAST_TILE_ONLY = "the sums of the earlier tiles are forgotten, so that only the last tile of keys counts"

# Mistakes.


def new_terms(exp: str, at: str, scores: str = "s") -> list[Mutant]:
    """Mistakes in the factor alpha and in P; `scores` is what the exponent takes."""
    alpha, p = f"tl.{exp}(m - {at})", f"tl.{exp}({scores} - {at}[:, None])"
    return [
        Mutant(
            "last-tile-only", LAST_TILE_ONLY, Swap(f"alpha = {alpha}", "alpha = tl.zeros_like(m)"), killed_by="plain"
        ),
        Mutant(
            "upside-down",
            "the factor is upside down: e^(m' - m) instead of e^(m - m')",
            Swap(f"alpha = {alpha}", f"alpha = tl.where(m < {at} - 1e30, 0.0, tl.{exp}({at} - m))"),
            killed_by="rising",
        ),
        Mutant(
            "old-max-for-p",
            "the new exponentials are measured from the old max",
            Swap(f"p = {p}", f"p = tl.{exp}({scores} - tl.where(m == float('-inf'), {at}, m)[:, None])"),
            killed_by="rising",
        ),
    ]


# Mistakes where the scores are scaled at once, and exponents are to base e.
IN_BASE_E = [
    *flash_tiles.running_sums("exp", "m_new", flash_tiles.MAX),
    *new_terms("exp", "m_new"),
    *flash_tiles.rescaling(flash_tiles.ACC),
    flash_tiles.START_AT_ZERO,
    flash_tiles.SCALE_IGNORED,
]

LSE_WITHOUT_LOG = "L is the maximum alone, without the logarithm of the denominator"
WRONG_LSE = [
    Mutant(
        "lse-without-log", LSE_WITHOUT_LOG, Swap(flash_tiles.LSE, "m * 0.6931471805599453"), killed_by="plain", hint=3
    ),
    Mutant(
        "lse-unshifted",
        "the sum whose logarithm is L is taken without the maximum, and overflows or vanishes",
        Swap("(m + tl.log2(l)) *", "tl.log2(l * tl.exp2(m)) *"),
        killed_by="large-positive",
        hint=3,
    ),
]


def max_before_mask(maximum: str) -> Mutant:
    masked, m_new = 's = tl.where(keys < n_k, s, float("-inf"))', f"m_new = {maximum}"
    return Mutant(
        "max-before-mask",
        "the maximum is taken before the keys past the end are masked, so it counts their zeros",
        Swap(f"{masked}\n        {m_new}", f"{m_new}\n        {masked}"),
        killed_by="very-negative",
    )


FLASH_FULL = Exercise(
    function=flash_forward.flash_full,
    kernels=(flash_forward.flash_full_kernel,),
    oracle=right.without_lse,
    outputs=(Output("O"),),
    points=3,
    backend="triton",
    forbidden=flash_tiles.FORBIDDEN,
    cases=FULL,
    compiled=on_a_gpu(),
    budget=ALL_KEYS,
    without=draws.NO_GROUPS_YET
    | CONTIGUOUS
    | NO_MASK
    | {"single": "whole tiles only; one query comes in step 2", "ragged": "lengths are multiples of the tiles here"},
    mutants=IN_BASE_E,
)

FLASH_LSE = replace(
    FLASH_FULL,
    function=flash_forward.flash_lse,
    kernels=(flash_forward.flash_lse_kernel,),
    oracle=right.with_lse,
    outputs=(Output("O"), Output("L", "float32")),
    points=3,
    cases=UNEVEN_LSE,
    budget=IN_BASE_2,
    without=draws.NO_GROUPS_YET | CONTIGUOUS | NO_MASK,
    mutants=[
        *WRONG_LSE,
        *flash_tiles.in_base_2("m_new"),
        *flash_tiles.half_folded_scale(flash_tiles.ALPHA_THEN_P.format("m_new")),
        max_before_mask(flash_tiles.MAX_2),
        *new_terms("exp2", "m_new", "s * scale_2"),
    ],
)

EXERCISES = [
    FLASH_FULL,
    replace(
        FLASH_FULL,
        function=flash_forward.flash_ragged,
        kernels=(flash_forward.flash_ragged_kernel,),
        points=2,
        cases=UNEVEN,
        without=draws.NO_GROUPS_YET | CONTIGUOUS | NO_MASK,
        mutants=[max_before_mask(flash_tiles.MAX), *IN_BASE_E],
    ),
    FLASH_LSE,
]

QUESTIONS = [
    Question(
        name="programs_to_multiprocessors",
        ask="One sequence, 16 heads, 16,384 queries in tiles of 128: how many programs are there for each of the 132 "
        "multiprocessors of an H200?",
        answer=Quantity(15.5, "programs", rel=0.02),
        why="16,384 / 128 = 128 tiles of queries for each of 16 heads are 2048 programs, 15.5 for each multiprocessor. "
        "One program per head would leave 116 of them idle.",
    ),
    Question(
        name="float16_sum",
        ask="Start from 0 and add 1, 4096 times, rounding to float16 after every addition. Where do you arrive?",
        answer=Quantity(2048),
        why="From 2048 on neighbouring float16 numbers are 2 apart: 2049 lies between 2048 and 2050 and is rounded to "
        "the even one, 2048. The sum never gets any further.",
    ),
    Question(
        name="loads_to_inputs",
        ask="One head, N = 4096 queries and keys, tiles of 128 queries: how many times as many bytes do all programs "
        "load as Q, K and V have together?",
        answer=Quantity(21.7, "times as many", rel=0.02),
        why="Q is loaded once, K and V by each of the 32 tiles of queries: 1 + 2 * 32 = 65 matrices of 4096 rows, and "
        "Q, K and V are three: 65 / 3 = 21.7, however large the tiles of keys are.",
    ),
    Question(
        name="exponentials_to_products",
        ask="3.9e12 exponentials and 989e12 operations of matrix products per second, d = 64: how long do the "
        "exponentials take, as a multiple of the time of the products?",
        answer=Quantity(0.99, rel=0.03),
        why="A score costs one exponential, 1 / 3.9e12 s, and 4 d = 256 operations, 256 / 989e12 s. The ratio is 989 / "
        "(3.9 * 256) = 0.99.",
    ),
]
