"""Attention over blocks of keys, merged from maxima and denominators or from log-sum-exps."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import ArrayLike

from autograder.exercises import draws
from autograder.exercises.draws import (
    ANOTHER_NAN,
    LAST_HIGHER,
    NO_QUERY_MEETS_ANOTHER,
    SIX_A_QUERY,
    Draw,
    billions_below,
    drawn,
    half_hidden,
    metered,
    on_grid,
    one_nan,
    swapped,
)
from autograder.exercises.flash_tiles import PRODUCT_OF_A_CHUNK, SEEN_BY_TORCH, SWAYED_BY_A_TILE
from autograder.spec.exercise import Arguments, Bound, Budget, Case, Exercise, Output, Quantity, Question, Tolerance
from kernels import block_merge, reference
from kernels.oracles import block_merge as right

Blocks = Callable[[Generator], list[tuple[np.ndarray, np.ndarray, np.ndarray]]]  # (o, m, l) of each block

ONE_HEAD = {"grouped": "one head at a time here; grouped heads come in the lesson on grouped queries"}
FORBIDDEN = ("softmax", "logsumexp", "logaddexp", "scaled_dot_product")


# Inputs.


@drawn
def heads(
    rng: Generator, /, n_q: int, n_k: int, d: int = 16, d_v: int = 8, level: ArrayLike = 0.0,
    twins: tuple[int, int] = (0, 0), above: float = 800, **rest: Any,
) -> Arguments:  # fmt: skip
    """q, k, v of one head, see `draws.qkv`. twins: two keys that are the same, whose scores lie `above` the rest."""
    made: dict[str, Any] = {"spread": (2, 1), "steps": 4 if np.any(level) else 32, "level": level, "d_v": d_v}
    if twins[1]:
        made |= {"profile": above * np.isin(np.arange(n_k), twins), "alike": twins}
    return draws.qkv(rng, (n_q, d), (n_k, d), **made, **rest)


@drawn
def masked(rng: Generator, /, n_q: int, n_k: int, hidden_rows: tuple[int, ...] = (), **rest: Any) -> Arguments:
    """A head with a mask that hides half of the keys at random, and every key from `hidden_rows`."""
    mask = ~half_hidden(rng, n_q, n_k)
    mask[list(hidden_rows)] = False
    mask[0, list(rest.get("twins", ()))] = False
    return heads(n_q, n_k, **rest)(rng) | {"mask": mask}


def one_seen(rng: Generator) -> Arguments:
    mask = rng.permuted(np.tile(np.arange(12) == 0, (8, 1)), axis=1)
    return heads(8, 12, level=-2e9)(rng) | {"mask": mask}


def bottom_right(rng: Generator) -> Arguments:
    return heads(11, 15)(rng) | {"mask": reference.causal_mask(11, 15).numpy()}


@drawn
def all_views(rng: Generator, /, n_q: int = 19, n_k: int = 21, **rest: object) -> Arguments:
    """A head whose q is a transposed view, k every other row of a longer array, v every other column of a wider one."""
    q, k, v = heads(n_q, n_k)(rng).values()
    return {"q": swapped(q, 0, 1), "k": np.repeat(k, 2, axis=0)[::2], "v": np.repeat(v, 2, axis=1)[:, ::2]} | rest


def masked_views(rng: Generator) -> Arguments:
    """The same with a mask that is a transposed view."""
    return all_views()(rng) | {"mask": swapped(~half_hidden(rng, 19, 21), 0, 1)}


def others_nan(rng: Generator) -> Arguments:
    """Blocks 4, 1 and 2 are visited, and in blocks 0 and 3 there is nothing but NaN."""
    given = heads(20, 37, order=[4, 1, 2], tile_n=8)(rng)
    for name in ("k", "v"):
        given[name][np.isin(np.arange(37) // 8, (0, 3))] = np.nan
    return given


def sorted_keys(rng: Generator) -> Arguments:
    """For the even queries the maximum grows with every block, for the odd ones it falls."""
    given = heads(16, 40)(rng)
    given["q"][:, 0] = np.where(np.arange(16) % 2, -8, 8)
    given["k"][:, 0] = on_grid(np.linspace(-8, 8, 40), 32)
    return given | {"order": [0, 1, 2, 3, 4], "tile_n": 8}


@drawn
def two_blocks(
    rng: Generator,
    /,
    n: int,
    keys: tuple[int, int],
    d_v: int = 6,
    levels: tuple[ArrayLike, ArrayLike] = (0, 0),
    unseen: tuple[Iterable[int], Iterable[int]] = ((), ()),
    ties: bool = False,
) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """(o, m, l) in fp64 of two blocks whose scores lie around `levels`; the rows `unseen` see no key of that block.

    ties: both have the same maximum and the same denominator.
    """
    blocks = []
    for side in (0, 1):
        s = 2 * rng.standard_normal((n, keys[side])) + np.reshape(levels[side], (-1, 1))
        s[list(unseen[side])] = -np.inf
        v = rng.standard_normal((keys[side], d_v)) + (1, -1)[side]
        m, l = (x.numpy() for x in reference.softmax_stats(torch.from_numpy(s)))
        o = reference.softmax(torch.from_numpy(s)).numpy() @ v
        o[6 * side + 6 :: 12] = 0  # as of values that are 0: no sign of a block without keys
        blocks.append((o, m, l))
    return [blocks[0], (blocks[1][0], *blocks[0][1:])] if ties else blocks


@drawn
def with_stats(rng: Generator, /, blocks: Blocks, strided: bool = False, first: float = 1) -> Arguments:
    """Arguments of merge_blocks; strided: every array is a view with gaps. first: how often the first block's keys
    occur.
    """
    (o1, m1, l1), (o2, m2, l2) = blocks(rng)
    given = {"o1": o1, "m1": m1, "l1": first * l1, "o2": o2, "m2": m2, "l2": l2}
    return _float32(given.items(), strided)


@drawn
def with_lse(rng: Generator, /, blocks: Blocks, strided: bool = False) -> Arguments:
    """Arguments of merge_lse; strided: every array is a view with gaps."""
    (o1, m1, l1), (o2, m2, l2) = blocks(rng)
    with np.errstate(divide="ignore"):
        given = {"o1": o1, "L1": m1 + np.log(l1), "o2": o2, "L2": m2 + np.log(l2)}
    return _float32(given.items(), strided)


def _float32(named: Iterable[tuple[str, np.ndarray]], strided: bool) -> Arguments:
    arrays = {name: x.astype(np.float32) for name, x in named}
    return {name: np.repeat(x, 2, axis=0)[::2] for name, x in arrays.items()} if strided else arrays


# The situations.
HIGH = "scores from 200 to 150000, where exp overflows"
UP = np.round(np.geomspace(200, 1.5e5, 16))
SINGLE = "one query, one key in the first block, none in the second"
FAR_APART = "maxima 800 apart: one block outweighs the other by e^800"
FIRST_UNSEEN = "the first block has no key for the first three queries"
SECOND_UNSEEN = "a causal mask hides the whole second block from the first three queries"
MANY_BELOW = "of 900,000 keys the scores lie 5 to 40 below those of nine others: some still count together"
LEVELS = np.linspace(5, 40, 32)
SMALL_SHARE = "the scores of one block lie 11 below those of the other: it counts for little, and counts"
SMALLER_SHARE = "the scores of one block lie 13 below those of the other, and float32 can tell it from nothing still"
THIRTEEN = np.repeat([0.0, 0.0, -13.0], 4)


def merge_cases(arguments: Callable[..., Draw], lowest: float) -> list[Case]:
    """The cases of a merge; `arguments` is `with_stats` or `with_lse`, and no score is below -lowest."""
    deep = -np.geomspace(1e6, lowest, 8)
    far = np.repeat([400.0, -400.0, 0.0], 4)

    def blocks(n: int, keys: tuple[int, int], strided: bool = False, **rest: Any) -> Draw:
        return arguments(two_blocks(n, keys, **rest), strided)

    return [
        Case("plain", "six queries, blocks of three and five keys", blocks(6, (3, 5), d_v=4)),
        Case("single", SINGLE, blocks(1, (1, 1), d_v=1, unseen=((), (0,)))),
        Case("ragged", "the second block is ragged: 16 keys and 5 keys", blocks(33, (16, 5))),
        Case("rising", "the second block has the larger scores", blocks(16, (12, 20), levels=(0, 5))),
        Case("falling", "the first block has the larger scores", blocks(16, (20, 12), levels=(5, 0))),
        Case("large-positive", HIGH, blocks(16, (12, 12), levels=(UP, UP + 2))),
        Case(
            "very-negative",
            "scores from -200 down to -150000; some queries see no key of the first block, some none of the second",
            blocks(16, (12, 12), levels=(-UP, 2 - UP), unseen=((3, 14), (4, 15))),
        ),
        Case(
            "far-below",
            f"scores from -1e+06 down to {-lowest:.0e}: no stand-in for -inf is lower",
            blocks(8, (5, 7), levels=(deep, deep), unseen=((1, 6), (2, 7))),
        ),
        Case("far-apart", FAR_APART, blocks(12, (9, 9), levels=(far, -far))),
        Case("first-unseen", FIRST_UNSEEN, blocks(12, (4, 4), unseen=(range(3), ()))),
        Case("second-unseen", SECOND_UNSEEN, blocks(12, (4, 4), unseen=((), range(3))), ("cross",)),
        Case("fully-masked", "two queries see no key of either block", blocks(12, (5, 7), unseen=((1, 4), (0, 1, 4)))),
        Case("small-share", SMALL_SHARE, blocks(12, (9, 9), levels=(far / 800 * 11, -far / 800 * 11))),
        Case("smaller-share", SMALLER_SHARE, blocks(12, (9, 9), levels=(THIRTEEN, THIRTEEN[::-1]))),
        Case("first-empty", "no query sees a key of the first block", blocks(6, (4, 4), unseen=(range(6), ()))),
        Case("second-empty", "no query sees a key of the second block", blocks(6, (4, 4), unseen=((), range(6)))),
        Case("both-empty", "no query sees a key of either block", blocks(6, (4, 4), unseen=(range(6), range(6)))),
        Case("equal-maxima", "both blocks have the same m and l", blocks(12, (5, 7), ties=True)),
        Case("strided", "every array is every other row of a larger one", blocks(16, (9, 11), strided=True)),
        Case("another-is-nan", ANOTHER_NAN, one_nan(blocks(8, (5, 7)), "o1", 4)),
        metered("many-rows", "200 queries: products are counted", blocks(200, (5, 7))),
    ]


GIVEN = "the scale is given: -1/8 instead of 1/sqrt(16)"
SCALED = "half of the keys masked; " + GIVEN
NO_SCALE = "the scale is 0: a query takes the mean of the values it sees"
HALF_SCALE = "half of the keys masked; " + NO_SCALE
TOWER = "two equal keys score 800 more than the rest"

VERY_NEGATIVE = "scores from -200 down to -150000, below any finite stand-in for -inf, and half of the keys masked"
HIDDEN_HIGHER = "half of the keys masked; the keys 3 and 17 score 2e9 more than the rest, also where they are masked"
BLOCK = [
    Case("plain", "six queries, a block of eight keys, d = 5, no mask", heads(6, 8, d=5, d_v=4)),
    Case("single", "one query, one key, one value", heads(1, 1, d=1, d_v=1)),
    Case("partly-masked", "half of the keys are masked at random", masked(32, 37)),
    Case("cross", "11 queries, 15 keys, a causal mask aligned bottom-right", bottom_right),
    Case("scaled", SCALED, masked(32, 21, scale=-0.125)),
    Case("scaled-full", "no mask, and the scale is given: 1/2 instead of 1/sqrt(16)", heads(32, 21, scale=0.5)),
    Case("zero-scale", HALF_SCALE, masked(8, 21, scale=0.0)),
    Case("large-positive", HIGH, heads(16, 21, level=UP)),
    Case("very-negative", VERY_NEGATIVE, masked(16, 21, level=-UP)),
    Case("outlier", TOWER, heads(16, 21, twins=(3, 17))),
    Case("hidden-higher", HIDDEN_HIGHER, masked(16, 21, twins=(3, 17), above=2e9)),
    Case("billions-below", "scores of -2e9, and every query sees one key only", one_seen),
    Case("fully-masked", "two queries see no key of the block", masked(32, 20, hidden_rows=(2, 5))),
    Case(
        "hidden-from-all", "no query sees a key of the block", masked(4, 9, hidden_rows=(0, 1, 2, 3)), ("masked row",)
    ),
    Case("strided", "q, k, v and the mask are views, each laid out in its own way", masked_views),
    metered("many-keys", "four queries, a block of 200 keys: products are counted", heads(4, 200)),
]

SOME = "causal, three of five blocks, visited 4, 1, 2: the first four queries see keys of block 0 only, that is none"
OTHERS_NAN = "three of five blocks, visited 4, 1, 2; the others hold NaN"
EDGE_KEY = "causal, 3 queries, 17 keys: query 0 sees the block of 16 but for its last key, only query 2 key 16"
PLAIN = "six queries, nine keys in blocks of three, visited 0, 1, 2"
RAGGED = "the last block is ragged (37 = 16 + 16 + 5) and comes first"
CROSS = "13 queries, 21 keys, causal aligned bottom-right"
VISITS_FULLY_MASKED = "16 queries, 11 keys, causal: the first five queries see no key"
VISITS_SCALED = f"causal; {GIVEN}, and the two largest products weigh least"
VISITS_HIDDEN_HIGHER = "causal; the keys 12 and 17, hidden from the first queries, score 800 more than the rest"
MORE_QUERIES = "20 queries, 13 keys, and no mask: every query sees every key"
CAUSAL = "causal, 24 queries and keys, visited 2, 0, 1"
VISITS_VERY_NEGATIVE = "causal, scores from -200 down to -150000, below any finite stand-in for -inf"
MANY_BLOCKS = "32 queries, 1920 keys, of which 40 blocks of 16 are visited, causal: memory is counted"
MANY_VIEWS = "views of 300 queries and 320 keys in 20 blocks: memory is counted"
VISITS = [
    Case("plain", PLAIN, heads(6, 9, d=4, order=[0, 1, 2], tile_n=3)),
    Case("single", "one query, one key, one block of 4", heads(1, 1, d=1, d_v=1, order=[0], tile_n=4)),
    Case("out-of-order", "four blocks visited 2, 0, 3, 1; d = 6", heads(20, 32, d=6, order=[2, 0, 3, 1], tile_n=8)),
    Case("ragged", RAGGED, heads(20, 37, order=[2, 0, 1], tile_n=16)),
    Case("more-queries", MORE_QUERIES, heads(20, 13, order=[1, 0], tile_n=8)),
    Case("causal", CAUSAL, heads(24, 24, order=[2, 0, 1], tile_n=8, causal=True)),
    Case("cross", CROSS, heads(13, 21, order=[0, 1, 2], tile_n=8, causal=True)),
    Case("fully-masked", VISITS_FULLY_MASKED, heads(16, 11, order=[1, 0, 2], tile_n=4, causal=True)),
    Case("rising", "the maximum grows with every block for half of the queries", sorted_keys),
    Case("light", draws.LIGHT, draws.light(heads(16, 24, order=[0, 1, 2], tile_n=8), 8, 16)),
    Case("large-positive", HIGH, heads(16, 21, level=UP, order=[1, 2, 0], tile_n=8)),
    Case("very-negative", VISITS_VERY_NEGATIVE, heads(16, 21, level=-UP[::-1], order=[1, 0, 2], tile_n=8, causal=True)),
    Case("outlier", TOWER, heads(16, 21, twins=(3, 17), order=[1, 2, 0], tile_n=8)),
    Case("hidden-higher", VISITS_HIDDEN_HIGHER, heads(24, 24, twins=(12, 17), order=[2, 0, 1], tile_n=8, causal=True)),
    Case("max-last", LAST_HIGHER, heads(16, 17, twins=(16, 16), order=[1, 2, 0], tile_n=8)),
    billions_below(heads(24, 24, order=[2, 0, 1], tile_n=8, causal=True)),
    Case("scaled", VISITS_SCALED, heads(20, 21, twins=(3, 17), scale=-0.125, causal=True, order=[0, 1, 2], tile_n=8)),
    Case("some-blocks", SOME, heads(33, 37, order=[4, 1, 2], tile_n=8, causal=True)),
    Case("others-are-nan", OTHERS_NAN, others_nan),
    Case("edge-key", EDGE_KEY, heads(3, 17, order=[1, 0], tile_n=16, causal=True)),
    Case("zero-scale", NO_SCALE, heads(8, 21, order=[0, 1, 2], tile_n=8, scale=0.0)),
    Case("strided", "q, k and v are views, each laid out in its own way", all_views(order=[2, 1, 0], tile_n=8)),
    metered("many-keys", MANY_BLOCKS, heads(32, 1920, order=[*range(100, 120), *range(20)], tile_n=16, causal=True)),
    Case("strided-memory", MANY_VIEWS, all_views(300, 320, order=[*range(10, 20), *range(10)], tile_n=16)),
    metered("each-score-once", draws.SCORES_ONCE, heads(64, 256, d=64, d_v=4, order=[*range(7, -1, -1)], tile_n=32)),
]


def blocks_and_positions(a: Arguments) -> int:
    """40 bytes for each score of a block and each number of the output; 8 for the position of each key, for a mask."""
    return 40 * len(a["q"]) * (a["tile_n"] + a["v"].shape[1]) + draws.a_position_each(len(a["k"]))


def visited_scores(a: Arguments) -> int:
    """Nine tenths of those of the keys that are visited and seen."""
    n_q, n_k, tile_n = len(a["q"]), len(a["k"]), a["tile_n"]
    last = np.arange(n_q)[:, None] + n_k - n_q if a.get("causal") else np.full((n_q, 1), n_k)
    keys = np.concatenate([np.arange(b * tile_n, min((b + 1) * tile_n, n_k)) for b in a["order"]])
    return int((keys <= last).sum()) * 9 // 10


def visited_once(a: Arguments) -> int:
    """Multiplications of each query with the keys of all blocks that are visited, each block once."""
    keys = sum(min(a["tile_n"], len(a["k"]) - b * a["tile_n"]) for b in a["order"])
    return draws.each_score_once_in_tiles(a["q"], a["v"], keys, tile_n=a["tile_n"])


def shares(a: Arguments) -> int:
    """Those of both outputs and both denominators with a number for each query, and as many again."""
    return 4 * len(a["o1"]) * (a["o1"].shape[1] + 1)


SHARES = Budget(
    products=Bound(shares, "4 N (d_v + 1): no query meets another"),
    joined=NO_QUERY_MEETS_ANOTHER,
    powers_in_all=SIX_A_QUERY,
)


exercise = partial(Exercise, backend="torch", without=ONE_HEAD)
EXERCISES = [
    exercise(
        function=block_merge.attention_block,
        oracle=right.block_oracle,
        outputs=(Output("o"), Output("m"), Output("l")),
        points=2,
        forbidden=FORBIDDEN,
        cases=BLOCK,
        budget=Budget(
            products=Bound(
                lambda a: draws.each_score_once_in_tiles(a["q"], a["v"], len(a["k"])),
                "d + d_v + 1 for each query and each key, and two for each number of o and l",
            )
        ),
        without=ONE_HEAD
        | {
            "ragged": "one block of any length; it is not cut any further",
            "rising max": "the whole block is seen at once; there is no running max yet",
        },
    ),
    exercise(
        function=block_merge.merge_blocks,
        tolerance=Tolerance(known_like=0),
        oracle=right.merge_oracle,
        outputs=(Output("o", has_gaps=True), Output("m"), Output("l")),
        points=3,
        cases=[
            *merge_cases(with_stats, lowest=1e38),  # maxima have any size
            Case("many-below", MANY_BELOW, with_stats(two_blocks(32, (9, 9), levels=(0, LEVELS)), first=1e5)),
        ],
        budget=SHARES,
        allowed=("tolist",),
    ),
    exercise(
        function=block_merge.merge_lse,
        oracle=right.lse_oracle,
        outputs=(Output("o", has_gaps=True), Output("L")),
        points=2,
        cases=merge_cases(with_lse, lowest=3e9),
        budget=SHARES,
        allowed=("tolist",),
    ),
    exercise(
        function=block_merge.attention_by_blocks,
        oracle=right.visit_oracle,
        outputs=(Output("O"), Output("L")),
        points=3,
        forbidden=FORBIDDEN,
        cases=VISITS,
        budget=Budget(
            is_the_point=True,
            memory=Bound(blocks_and_positions, "40 N_q (tile_n + d_v) bytes, and a number for each key"),
            products=Bound(
                visited_once, "N_q (d + d_v) for each key that is visited, and what sums take: each score once"
            ),
            operators=Bound(lambda a: 100 * len(a["order"]), "100 for each block that is visited"),
            at_a_time=PRODUCT_OF_A_CHUNK,
            powers=Bound(
                lambda a: 3 * len(a["q"]) * a["tile_n"] // 2, "N_q tile_n, and half as many: the scores of one block"
            ),
            swayed=SWAYED_BY_A_TILE,
            raised=Bound(visited_scores, SEEN_BY_TORCH),
        ),
    ),
]

QUESTIONS = [
    Question(
        name="weight_of_first_block",
        ask="Block 1 has m = 2 and l = 3, block 2 has m = 5 and l = 1. What is the weight of block 1's output in "
        "the merge?",
        answer=Quantity(0.1300, rel=0.01),
        why="Relative to the maximum 5 the blocks weigh 3 e^(2 - 5) = 0.149 and 1 e^0 = 1, and 0.149 / 1.149 = "
        "0.130. A larger denominator does not outweigh a maximum that is 3 higher.",
    ),
    Question(
        name="scores_to_stats",
        ask="N = 16384 queries and keys, one head: how many times as many bytes as m and l do the scores S take?",
        answer=Quantity(8192, "times as many", rel=0.01),
        why="N^2 numbers against 2 N: N / 2 = 8192.",
    ),
    Question(
        name="keys_to_output",
        ask="One query, one head, d = d_v = 128: how many times as many bytes are 128 keys and values as what another "
        "machine needs to merge, with log-sum-exps?",
        answer=Quantity(254, "times as many", rel=0.01),
        why="128 keys and values are 2 * 128 * 128 = 32,768 numbers. A merge needs the 128 numbers of o and one L, "
        "129, however many keys the machine holds: 32,768 / 129 = 254.",
    ),
]
