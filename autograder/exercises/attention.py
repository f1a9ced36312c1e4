"""Attention with the whole score matrix, lazily in tiles, and with an output normalised at every key."""

from dataclasses import replace
from functools import partial
from math import ceil, prod
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from autograder.exercises import draws, flash_tiles
from autograder.exercises.draws import (
    ANOTHER_NAN,
    NO_QUERY_MEETS_ANOTHER,
    SIX_A_QUERY,
    a_position_each,
    drawn,
    metered,
    one_nan,
    sized,
)
from autograder.exercises.flash_tiles import CROSS, FALLING, LEAPING, cliff, dropped, in_torch, leap, scores_and_mask
from autograder.spec.exercise import Arguments, Bound, Budget, Case, Exercise, Output, Quantity, Question, Tolerance
from kernels import attention
from kernels.oracles import attention as right

GIVEN_SCORES = {"cross": "the scores are given, and with them any mask", "grouped": "there are no heads here"}


# Inputs.


@drawn
def heads(rng: Generator, /, *shape: int, level: ArrayLike = 0.0, profile: ArrayLike = 0.0, **rest: Any) -> Arguments:
    """q, k, v with shape = (H, N_q, N_k, d, d_v), or one head without H, as `draws.qkv` makes them.

    Around a level or a profile q and k are multiples of 1/4, so that the scores, up to 200000, are exact.
    """
    *h, n_q, n_k, d, d_v = shape
    made: dict[str, Any] = {"level": level, "profile": profile, "d_v": d_v}
    steps = 4 if np.any(level) or np.any(profile) else 0
    return draws.qkv(rng, (*h, n_q, d), (*h, n_k, d), steps=steps, **made, **rest)


@drawn
def tokens_first(rng: Generator, /, *shape: int, **rest: object) -> Arguments:
    """The same as views: q with tokens first in memory, k with d before the keys, v every other column."""
    given = draws.views(heads(*shape), q=(0, 1), k=(-2, -1))(rng)
    return given | {"v": np.repeat(given["v"], 2, axis=-1)[..., ::2]} | rest


@drawn
def state(
    rng: Generator, /, r: int, c: int | None = None, d_v: int = 6, old=0.0, new=0.0, start=(), masked=(), ties=False,
    seen=1,
) -> Arguments:  # fmt: skip
    """A state of R queries and the scores and values of C more keys (None: of one, without an axis for it).

    Maxima lie around `old`, scores around `new`, each a number or one for each query. The queries `start` have seen no
    key yet, the queries `masked` see none of the new ones. ties: the first and the last of the new scores are equal to
    the old maximum, and no other one is larger. seen: how often each of the keys before has come.
    """
    o, m, l = rng.standard_normal((r, d_v)), old + rng.standard_normal(r), seen * (1 + 9 * rng.random(r))
    s = 2 * rng.standard_normal((r, c or 1)) + np.reshape(new, (-1, 1))
    v = rng.standard_normal((c or 1, d_v)) + 2
    if ties:
        s = np.minimum(s, m[:, None])
        s[:, 0] = s[:, -1] = m
    rows, none = list(start), list(masked)
    o[rows], m[rows], l[rows] = 0, -np.inf, 0
    s[none] = -np.inf
    if c is None:
        s, v = s[:, 0], v[0]
    return {n: x.astype(np.float32) for n, x in (("o", o), ("m", m), ("l", l), ("s", s), ("v", v))}


def half_masked(rng: Generator) -> Arguments:
    """A mask that hides half of the keys at random, and every key from queries 0 and 4; 0 and 1 had none before."""
    given = state(32, 9, old=BELOW, new=BELOW, start=(0, 1), masked=(0, 4))(rng)
    given["s"][draws.half_hidden(rng, 32, 9)] = -np.inf
    return given


@drawn
def columns(rng: Generator, /, r: int, c: int | None = None) -> Arguments:
    """The scores are columns of a larger matrix, v is a transposed view."""
    given = state(r, c)(rng)
    for name in ("s", "v"):
        wide = np.repeat(given[name], 2, axis=-1) if c else np.repeat(given[name][:, None], 2, axis=1)
        given[name] = wide[:, ::2] if c else wide[:, 0]
    return given


# The situations, in the same words for every exercise that has them.

CAUSAL = "causal, as many queries as keys"
MORE_QUERIES = "more queries than keys, and no mask: every query sees every key"
UNSEEN = "causal, 21 queries and only 5 keys: the first 16 queries see none, and their rows are 0"
SCALED = "causal, and the scale is given: -0.5, not 1/sqrt(16); every fifth product is large, and weighs least"
SCALED_FULL = "not causal, and the scale is given: 0.75, not 1/sqrt(16)"
NO_SCALE = "causal, and the scale is 0: a query takes the mean of the values it sees"
LARGE = "scores from 150 to 150000, where exp overflows"
SMALL = "causal, scores from -150 down to -150000, below any finite stand-in for -inf"
TOWER = "two equal keys score 800 more than the rest"
STRIDED = "q, k and v are views, each laid out in its own way"

UP = np.round(np.geomspace(150, 1.5e5, 11))
DOWN: dict[str, Any] = {"level": -UP[::-1], "causal": True}  # the lowest queries see the fewest keys
FIFTHS: dict[str, Any] = {"profile": np.where(np.arange(37) % 5 == 2, 800.0, 0.0)}  # so that no tile is without one
TWINS: dict[str, Any] = {"profile": np.isin(np.arange(37), (20, 33)) * 800.0, "alike": (20, 33)}

HEADS_APART = "the scores of one head lie 400 below those of the other"
LOWER_HEAD = np.array([[0], [-400]])


def attention_cases(h: tuple[int, ...], **tiles: int) -> list[Case]:
    """The situations of attention over tiles, with heads `h` and the tile sizes given."""
    n = tiles["tile_n"]
    grid = (tiles.get("tile_m", 11), n)
    turned = dict(zip(tiles, reversed(tiles.values()), strict=True))
    return [
        Case("rising", LEAPING, heads(*h, 11, 49, 16, 8, profile=leap(49), **tiles), tile=grid),
        Case("falling", FALLING, heads(*h, 11, 53, 16, 8, profile=cliff(53), **tiles), tile=grid),
        Case("light", draws.LIGHT, draws.light(heads(*h, 11, 3 * n + 2, 16, 8, **tiles), n, 2 * n)),
        Case("large-positive", LARGE, heads(*h, 11, 37, 16, 8, level=UP, **tiles), tile=grid),
        Case("very-negative", SMALL, heads(*h, 11, 37, 16, 8, **DOWN, **tiles), tile=grid),
        Case(
            "values-alike",
            draws.VALUES_ALIKE,
            draws.values_alike(heads(*h, 11, 37, 16, 8, level=draws.MILLIONS, **tiles)),
        ),
        Case("outlier", TOWER, heads(*h, 11, 37, 16, 8, **TWINS, **tiles), tile=grid),
        Case("scaled", SCALED, heads(*h, 11, 37, 16, 8, **FIFTHS, scale=-0.5, causal=True, **tiles), tile=grid),
        Case("scaled-full", SCALED_FULL, heads(*h, 11, 37, 16, 8, scale=0.75, **tiles), tile=grid),
        Case("zero-scale", NO_SCALE, heads(*h, 11, 37, 16, 8, scale=0.0, causal=True, **tiles), tile=grid),
        Case("more-queries", MORE_QUERIES, heads(*h, 21, 13, 16, 8, **tiles)),
        Case("causal", CAUSAL, heads(*h, 37, 37, 16, 8, causal=True, **turned)),
        Case("cross", CROSS, heads(*h, 5, 21, 16, 8, causal=True, **tiles), tile=grid),
        Case(
            "hidden-higher",
            draws.HIDDEN_HIGHER,
            heads(*h, 21, 21, 16, 8, profile=draws.stairs(21), causal=True, **tiles),
        ),
        draws.billions_below(heads(*h, 21, 21, 16, 8, causal=True, **tiles)),
        Case("fully-masked", UNSEEN, heads(*h, 21, 5, 16, 8, causal=True, **tiles), tile=grid),
        *([Case("heads-apart", HEADS_APART, heads(*h, 11, 37, 16, 8, level=LOWER_HEAD, **tiles))] if h else []),
        Case("strided", STRIDED, tokens_first(*h, 37, 37, 16, 8, **tiles), tile=grid),
    ]


NAIVE = [
    Case("plain", "one head, 6 queries and 6 keys", heads(1, 6, 6, 4, 8)),
    Case("single", "one query, one key, d = 1", heads(1, 1, 1, 1, 1)),
    Case("wide-values", "two heads, 7 queries, 12 keys, values wider than keys", heads(2, 7, 12, 4, 6)),
    Case("more-queries", MORE_QUERIES, heads(2, 12, 7, 16, 8)),
    Case("scaled", SCALED, heads(2, 11, 37, 16, 8, **FIFTHS, scale=-0.5, causal=True)),
    Case("scaled-full", SCALED_FULL, heads(2, 7, 12, 16, 8, scale=0.75)),
    Case("zero-scale", NO_SCALE, heads(2, 7, 12, 16, 8, scale=0.0, causal=True)),
    metered("causal", CAUSAL, heads(2, 70, 70, 16, 8, causal=True)),
    Case("cross", CROSS, heads(2, 5, 21, 16, 8, causal=True)),
    Case("hidden-higher", draws.HIDDEN_HIGHER, heads(2, 9, 9, 16, 8, profile=draws.stairs(9), causal=True)),
    draws.billions_below(heads(2, 9, 9, 16, 8, causal=True)),
    Case("fully-masked", UNSEEN, heads(2, 21, 5, 16, 8, causal=True)),
    Case("large-positive", LARGE, heads(2, 11, 37, 16, 8, level=UP)),
    Case("very-negative", SMALL, heads(2, 11, 37, 16, 8, **DOWN)),
    Case("strided", STRIDED, tokens_first(2, 9, 9, 16, 8)),
    Case("heads-apart", HEADS_APART, heads(2, 9, 9, 16, 8, level=LOWER_HEAD)),
    Case("max-last", draws.LAST_HIGHER, heads(2, 7, 12, 16, 8, profile=draws.at_last(12))),
    metered("each-score-once", draws.SCORES_ONCE, heads(1, 64, 256, 64, 4)),
]


LAZY_RAGGED = "ragged on both sides: 33 queries = 16 + 16 + 1, 49 keys = 4 * 12 + 1"
EDGE = "causal, 3 queries and 17 keys: query 0 sees the first tile of 16 but for its last key, only query 2 key 16"
MANY_KEYS = "memory: 32 queries, some 1000 keys, tiles of 32 x 8: a row of scores is too large"
MANY_VIEWS = "memory: views of 200 queries and keys, each laid out in its own way"

PLAIN = "one head, 6 queries and 6 keys in tiles of 2 x 3"
MANY_QUERIES = "memory: some 70 queries in tiles of 2, 70 keys in tiles of 64: neither size does for the other side"
MANY_OF_BOTH = "memory: some 240 queries and keys, tiles of 32 x 32: a mask of one byte per pair is too large"
LAZY = [
    Case("plain", PLAIN, heads(1, 6, 6, 4, 8, tile_m=2, tile_n=3), tile=(2, 8)),
    Case("single", "one query, one key, tiles of 8 x 8", heads(1, 1, 1, 1, 1, tile_m=8, tile_n=8)),
    Case("ragged", LAZY_RAGGED, heads(2, 33, 49, 16, 8, tile_m=16, tile_n=12), tile=(16, 8)),
    *attention_cases((2,), tile_m=4, tile_n=16),
    Case("edge-key", EDGE, heads(2, 3, 17, 16, 8, causal=True, tile_m=3, tile_n=16)),
    metered("many-keys", MANY_KEYS, sized(heads, 1, 32, range(950, 1050), 4, 4, causal=True, tile_m=32, tile_n=8)),
    metered("many-queries", MANY_QUERIES, sized(heads, 2, range(62, 80), 70, 4, 64, causal=True, tile_m=2, tile_n=64)),
    metered(
        "many-of-both",
        MANY_OF_BOTH,
        sized(heads, 1, range(232, 256), range(232, 256), 4, 4, causal=True, tile_m=32, tile_n=32),
    ),
    metered(
        "few-of-both", draws.FEW_OF_BOTH, sized(heads, 6, draws.SOME_FORTY, draws.SOME_FORTY, 4, 4, tile_m=4, tile_n=4)
    ),
    Case("strided-memory", MANY_VIEWS, tokens_first(1, 200, 200, 4, 4, tile_m=32, tile_n=32)),
    metered("each-score-once", draws.SCORES_ONCE, heads(1, 64, 256, 64, 4, tile_m=32, tile_n=32)),
]


def divided_once(a: Arguments) -> int:
    """The rows of the output, where there is one tile of queries. Of several four times: a tile that is set to 0 or put
    in its place again counts as long as that comes to no more rows than there are.
    """
    several = a["q"].shape[-2] > a.get("tile_m", 0)
    return (4 if several else 1) * prod(a["q"].shape[:-1])


def divided_by_chunk(a: Arguments) -> int:
    """Four times the rows of the output for every chunk, as above."""
    return ceil(len(a["k"]) / a["tile_n"]) * divided_once(a)


def lazy_operators(a: Arguments) -> int:
    """60 for each pair of tiles, and for each tile of queries."""
    n_q, n_k = a["q"].shape[-2], a["k"].shape[-2]
    return 60 * ceil(n_q / a["tile_m"]) * (1 + ceil(n_k / a["tile_n"]))


def lazy_memory(a: Arguments) -> int:
    """Twice the query's rows and the output's, eight times what one tile needs, and the position of each key."""
    (h, n_q, d), (n_k, d_v), tile_m, tile_n = a["q"].shape, a["v"].shape[1:], a["tile_m"], a["tile_n"]
    return 4 * h * (2 * n_q * (d + d_v) + 8 * tile_m * (tile_n + d_v)) + a_position_each(n_k)


def online_memory(a: Arguments) -> int:
    """The state and a few copies of one chunk's scores, and the position of each key."""
    (n_q, d), (n_k, d_v) = a["q"].shape, a["v"].shape
    return 4 * n_q * (7 * a["tile_n"] + 5 * (d + d_v)) + a_position_each(n_k)


ONCE = Bound(
    lambda a: draws.each_score_once_in_tiles(a["q"], a["v"], a["k"].shape[-2], a.get("tile_m", 1), a.get("tile_n", 0)),
    "N_q N_k (d + d_v) for each head, and what sums and ragged tiles take: each score once",
)


def values_twice(a: Arguments) -> int:
    """Of P V, of the rows' sums and of the state beside them, which may be two keys more; twice, since values that are
    repeated for each query, beside its output, count as well.
    """
    rows, keys = len(a["s"]), a["s"][0].size
    return 2 * rows * (keys + 3) * (a["o"].shape[1] + 1)


VALUES_TWICE = Bound(values_twice, "2 R (C + 3) (d_v + 1): a query meets no other, and each value twice at the most")

FAR = "some new scores lie 800 below the old maximum, some 800 above, most between"
APART = np.repeat([-800, -200, -8, -2, 0, 2, 8, 200, 800], 4)
TIED = "the largest new score equals the old maximum"
HIGH = "scores from 200 to 400000, where exp overflows"
LOW = "scores from -200 down to -3e9; some queries have seen no key yet, others do not see the new ones"
ABOVE, BELOW = np.geomspace(200, 4e5, 32), -np.geomspace(200, 3e9, 32)

NONE_YET = "there was no key before, and no query sees one now"
SEEN_MANY = "a hundred thousand keys have come, and the new scores lie 5 to 40 above them: some still count together"
ABOVE_MANY: dict[str, Any] = {"new": np.linspace(5, 40, 32), "seen": 1e5}
FIRST_HIDDEN = "there was no key before, and two of the queries see none now"
FULLY_MASKED = "the key is masked for queries 0 and 2; query 0 had seen none before, nor had query 1"
STEP = [
    Case("plain", "8 queries that have seen some keys, and one more key", state(8)),
    Case("single", "one query, its first key, d_v = 1", state(1, d_v=1, start=[0])),
    Case("first-keys", "the first key of all: the state is still (0, -inf, 0)", state(8, start=range(8))),
    Case("first-hidden", FIRST_HIDDEN, state(8, start=range(8), masked=(1, 6)), ("masked row",)),
    Case("rising", "the new score is the largest so far", state(32, old=0, new=6)),
    Case("far-apart", FAR, state(36, new=APART)),
    Case("large-positive", HIGH, state(32, old=ABOVE, new=ABOVE + 1)),
    Case("very-negative", LOW, state(32, old=BELOW, new=BELOW + 1, start=(0, 30), masked=(4, 31))),
    Case("equal-maxima", TIED, state(32, ties=True)),
    Case("fully-masked", FULLY_MASKED, state(32, start=(0, 1), masked=(0, 2))),
    Case("hidden-from-all", "the key is masked for every query", state(8, masked=range(8)), ("masked row",)),
    Case("none-yet", NONE_YET, state(8, start=range(8), masked=range(8)), ("masked row",)),
    Case("seen-many", SEEN_MANY, state(32, **ABOVE_MANY)),
    Case("strided", "s is a column of a score matrix", columns(32)),
    Case("another-is-nan", ANOTHER_NAN, one_nan(state(8), "o", 5)),
    metered("many-queries", "200 queries: products are counted", state(200)),
]

CHUNK_FULLY_MASKED = "half of the keys are masked, all of them for queries 0 and 4; scores from -200 down to -3e9"
CHUNK = [
    Case("plain", "8 queries that have seen some keys, and a chunk of 5", state(8, 5)),
    Case("single", "one query, its first key as a chunk, d_v = 1", state(1, 1, d_v=1, start=[0])),
    Case("first-keys", "the first chunk of all: the state is still (0, -inf, 0)", state(8, 5, start=range(8))),
    Case("first-hidden", FIRST_HIDDEN, state(8, 5, start=range(8), masked=(1, 6)), ("masked row",)),
    Case("first-key", "the first chunk of all is a single key", state(36, 1, start=range(36))),
    Case("rising", "the chunk holds the largest score so far", state(32, 9, old=0, new=6)),
    Case("far-apart", FAR, state(36, 7, new=APART)),
    Case("large-positive", HIGH, state(32, 9, old=ABOVE, new=ABOVE + 1)),
    Case("very-negative", LOW, state(32, 9, old=BELOW, new=BELOW + 1, start=(0, 30), masked=(4, 31))),
    Case("equal-maxima", TIED, state(32, 9, ties=True)),
    Case("fully-masked", CHUNK_FULLY_MASKED, half_masked),
    Case("hidden-from-all", "all keys are masked for every query", state(8, 5, masked=range(8)), ("masked row",)),
    Case("none-yet", NONE_YET, state(8, 5, start=range(8), masked=range(8)), ("masked row",)),
    Case("seen-many", SEEN_MANY, state(32, 9, **ABOVE_MANY)),
    Case("strided", "s and v are every other column of larger matrices", columns(32, 7)),
    Case("another-is-nan", ANOTHER_NAN, one_nan(state(8, 5), "o", 5)),
    metered("many-keys", "a chunk of 200 keys: products are counted", state(4, 200)),
    metered("many-queries", "200 queries, a chunk of 3 keys: products are counted", state(200, 3)),
]

FEW_KEYS = "memory: some 50 queries and keys in chunks of 2: all scores at once are too large"
ONLINE_MANY_KEYS = "memory: 15 queries, some 4000 keys in chunks of 64; operations are counted, too"
ONLINE = [
    Case("plain", "6 queries and 6 keys in chunks of 2", heads(6, 6, 4, 8, tile_n=2)),
    Case("single", "one query, one key, chunks of 8", heads(1, 1, 1, 1, tile_n=8)),
    Case("ragged", "the last chunk is ragged: 49 keys = 3 * 16 + 1", heads(11, 49, 16, 8, tile_n=16)),
    *attention_cases((), tile_n=16),
    Case("edge-key", EDGE, heads(3, 17, 16, 8, causal=True, tile_n=16)),
    metered("many-keys", ONLINE_MANY_KEYS, sized(heads, 15, range(3900, 4200), 4, 4, causal=True, tile_n=64)),
    metered("few-of-both", FEW_KEYS, sized(heads, draws.SOME_FIFTY, draws.SOME_FIFTY, 4, 4, tile_n=2)),
    Case("strided-memory", MANY_VIEWS, tokens_first(200, 200, 4, 4, tile_n=16)),
    metered("each-score-once", draws.SCORES_ONCE, heads(64, 256, 64, 4, tile_n=32)),
]


exercise = partial(
    Exercise,
    oracle=right.whole,
    outputs=(Output("O"),),
    backend="torch",
    forbidden=("softmax", "logsumexp", "logaddexp", "scaled_dot_product"),
    without=draws.NO_GROUPS_YET,
)
ONLINE_STEP = exercise(
    function=attention.online_step,
    oracle=right.one_more_key,
    outputs=(Output("O", has_gaps=True), Output("m"), Output("l")),
    points=2,
    forbidden=("scaled_dot_product",),
    tolerance=Tolerance(known_like=0),
    cases=STEP,
    budget=Budget(products=VALUES_TWICE, joined=NO_QUERY_MEETS_ANOTHER, powers_in_all=SIX_A_QUERY),
    allowed=("tolist",),
    without=GIVEN_SCORES | {"ragged": "there is one key; no tile yet"},
)

EXERCISES = [
    exercise(
        function=attention.naive_attention,
        points=1,
        forbidden=("scaled_dot_product",),
        cases=NAIVE,
        budget=Budget(
            products=ONCE,
            powers=Bound(
                lambda a: 2 * prod(a["q"].shape[:-1]) * a["k"].shape[-2],
                "the scores of a row at least, twice all of them at most",
                least=lambda a: a["k"].shape[-2],
            ),
            swayed=Bound(
                lambda a: a["k"].shape[-2] + 1,
                "three quarters of its scores at least: a row is measured as a whole",
                least=lambda a: a["k"].shape[-2] * 3 // 4,
            ),
        ),
        without=draws.NO_GROUPS_YET | {"ragged": "there is no tile yet", "rising max": "the whole row is seen at once"},
        mutants=scores_and_mask("(q @ k.transpose(1, 2))"),
    ),
    exercise(
        function=attention.lazy_attention,
        points=3,
        cases=LAZY,
        budget=Budget(
            is_the_point=True,
            memory=Bound(
                lazy_memory, "4 bytes * H * (2 N_q (d + d_v) + 8 tile_m (tile_n + d_v)) and 8 N_k: o, tiles, positions"
            ),
            operators=Bound(lazy_operators, "60 for each tile of queries and each pair of tiles"),
            products=ONCE,
            at_a_time=flash_tiles.PRODUCT_OF_A_TILE,
            powers=replace(flash_tiles.POWERS_OF_A_TILE, least=lambda a: a["tile_m"] * a["tile_n"]),
            swayed=flash_tiles.SWAYED_BY_A_TILE,
            raised=flash_tiles.RAISED,
            apart=flash_tiles.NEIGHBOURS,
            normalised=Bound(
                divided_once, "the output once, at the end: four times its rows at most, and of a single tile once"
            ),
        ),
        mutants=[
            *scores_and_mask("(q_tile @ k[:, j : j + tile_n].transpose(1, 2))"),
            *dropped("keys"),
            *in_torch(row_max="s.amax(dim=-1, keepdim=True)", beside=""),
        ],
    ),
    ONLINE_STEP,
    replace(
        ONLINE_STEP,
        function=attention.online_chunk,
        oracle=right.one_more_chunk,
        cases=CHUNK,
        budget=Budget(products=VALUES_TWICE),
        without=GIVEN_SCORES | {"ragged": "a chunk has any length; there is no tile inside it"},
    ),
    exercise(
        function=attention.online_attention,
        points=2,
        cases=ONLINE,
        budget=Budget(
            is_the_point=True,
            memory=Bound(
                online_memory, "4 bytes * N_q (7 tile_n + 5 (d + d_v)) and 8 N_k: the state, a few chunks, positions"
            ),
            products=ONCE,
            at_a_time=flash_tiles.PRODUCT_OF_A_CHUNK,
            powers=Bound(
                lambda a: 2 * len(a["q"]) * a["tile_n"],
                "the scores of a chunk",
                least=lambda a: min(8, len(a["q"])) * a["tile_n"],  # queries may come in blocks, if not in smaller ones
            ),
            swayed=flash_tiles.SWAYED_BY_A_TILE,
            raised=flash_tiles.RAISED,
            apart=flash_tiles.NEIGHBOURS,
            operators=Bound(
                lambda a: 60 * (len(a["q"]) + ceil(len(a["k"]) / a["tile_n"])), "60 for each chunk and for each query"
            ),
            normalised=Bound(
                divided_by_chunk, "the output after every chunk", least=lambda a: divided_by_chunk(a) // 4
            ),
        ),
        mutants=[*scores_and_mask("(q @ k[j : j + tile_n].T)"), *dropped("keys")],
    ),
]

QUESTIONS = [
    Question(
        name="tokens_that_fill",
        ask="At how many tokens do the probabilities P of one head, in fp16, take 141 GB (10^9 bytes)?",
        answer=Quantity(265_518, "tokens", rel=0.02),
        why="2 N^2 bytes are 141e9 at N = sqrt(70.5e9) = 265,518, for one head of one layer. Twice as many tokens "
        "would take four such GPUs.",
    ),
    Question(
        name="strip_to_state",
        ask="One head, tiles of 128 queries by 64 keys, d_v = 64: how many times as many numbers as S, acc, m and l "
        "has a strip of scores of 128 queries by 32,000 keys?",
        answer=Quantity(246, "times as many", rel=0.02),
        why="S is 128 * 64 = 8192, acc is 128 * 64 = 8192, m and l are 128 each: 16,640, however long the sequence. "
        "The strip has 128 * 32,000 = 4,096,000, which grows with it.",
    ),
    Question(
        name="divisions_per_entry",
        ask="How often is each entry of O divided with 32,000 keys in chunks of 128, normalised after every chunk?",
        answer=Quantity(250, "divisions"),
        why="Once per chunk, and 32,000 / 128 = 250; the lazy form divides each entry once.",
    ),
]
