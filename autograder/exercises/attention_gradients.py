"""The gradients of attention in torch: with whole matrices, then by tiles."""

from dataclasses import replace
from functools import partial
from math import ceil
from typing import Any

import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor

from autograder.exercises import draws
from autograder.exercises.draws import (
    FEW_OF_BOTH,
    HIDDEN_ABOVE,
    SOME_FORTY,
    a_position_each,
    drawn,
    hide_above,
    metered,
    sized,
    swapped,
)
from autograder.exercises.flash_tiles import CROSS, LARGE, POWERS_OF_A_TILE, PRODUCT_OF_A_TILE, RAISED, dropped
from autograder.spec.exercise import Arguments, Bound, Budget, Case, Exercise, Output, Quantity, Question, Tolerance
from kernels import attention_gradients, reference
from kernels.oracles import attention_gradients as right

GRADIENTS = Tolerance(factor=3)
ONE_HEAD = {"grouped": "heads come with the kernels, and groups of them with grouped queries"}
NO_MAX = {"rising max": "there is no running maximum: L is known from the start"}
NO_LOGITS = "probabilities are given, no logits"
FORBIDDEN = ("softmax", "logsumexp", "scaled_dot_product", "backward", "autograd", "requires_grad", "vjp", "jacobian")
FROM_LSE = (*FORBIDDEN, "amax")  # which a softmax anew would take


# Inputs.


def wide(x: np.ndarray) -> Tensor:
    """The array as a float64 tensor."""
    return torch.from_numpy(x.astype(np.float64))


@drawn
def rows(
    rng: Generator, /, r: int, n: int, spread: float = 1.5, level: float = 0.0, empty: tuple[int, ...] = (),
    strided: bool = False,
) -> Arguments:  # fmt: skip
    """Rows of probabilities, from logits of standard deviation `spread`, and their gradients around `level`."""
    p = torch.softmax(torch.from_numpy(spread * rng.standard_normal((r, n))), dim=-1).numpy()
    p[list(empty)] = 0
    dp = level + rng.standard_normal((r, n)) + rng.standard_normal((r, 1))
    given = {"p": p.astype(np.float32), "dp": dp.astype(np.float32)}
    return {name: swapped(x, 0, 1) for name, x in given.items()} if strided else given


@drawn
def head(
    rng: Generator, /, n_q: int, n_k: int, d: int = 16, d_v: int = 8, level: Any = 0.0, profile: Any = 0.0,
    strided: bool = False, above: bool = False, before: int = 0, light: tuple[int, int] | None = None, **rest: Any,
) -> Arguments:  # fmt: skip
    """One head after its forward pass: q, k, v, o, L, do, and what else is given in `rest`.

    level, profile: see `draws.qkv`. above: see `hide_above`. before: how many keys the forward pass saw that are not
    given. light: see `lighten`.
    """
    n_k += before
    made = draws.qkv(rng, (n_q, d), (n_k, d), d_v=d_v, level=level, profile=profile, drift=1, dtype="float64")
    q, k, v = made.values()
    do = rng.standard_normal((n_q, d_v)) + 0.5
    if above:
        hide_above(q, k, do)
    if light:
        draws.lighten(q, k, v, np.s_[..., slice(*light), :])
    given = after_forward(q, k, v, do, np.float32, strided, **rest)
    return given | {name: given[name][before:] for name in ("k", "v")}


def after_forward(q, k, v, do, dtype, strided: bool = False, **rest) -> Arguments:
    """The arguments of a backward pass; strided: every matrix is a view with its last two axes swapped in memory."""
    q, k, v, do = (x.astype(dtype) for x in (q, k, v, do))
    o, L = reference.attention(wide(q), wide(k), wide(v), rest.get("causal", False), rest.get("scale"))
    given = {"q": q, "k": k, "v": v, "o": o.numpy().astype(dtype), "L": L.numpy().astype(np.float32), "do": do}
    if strided:
        given = {n: x if n == "L" else swapped(x, -1, -2) for n, x in given.items()}
    return given | rest


def with_delta(*args, **rest) -> Arguments:
    """The same with delta."""
    given = after_forward(*args, **rest)
    delta = right.one_number_a_query(wide(given["o"]), wide(given["do"]))
    return given | {"delta": delta.numpy().astype(np.float32)}


@drawn
def part_of_forward(rng: Generator, /, n_q: int, n_k: int, first: int, stop: int, **rest: Any) -> Arguments:
    """q, k, L and mask for the keys first .. stop - 1 of a head that has n_k of them."""
    causal = bool(rest.get("causal"))
    given = head(n_q, n_k, **rest)(rng)
    seen = reference.causal_mask(n_q, n_k).numpy()[:, first:stop]
    given |= {"k": given["k"][first:stop]} | ({"mask": seen} if causal else {})
    return {name: given[name] for name in ("q", "k", "L", "mask", "scale") if name in given}


@drawn
def slice_of_keys(rng: Generator, /, n_q: int, n_k: int, first: int, stop: int, **rest: Any) -> Arguments:
    """p, v, o, do for the keys first .. stop - 1 of a head that has n_k of them."""
    given = head(n_q, n_k, **rest)(rng)
    p = right.from_lse(wide(given["q"]), wide(given["k"]), wide(given["L"]), causal=rest.get("causal", False))
    part = p[:, first:stop].numpy().astype(np.float32)
    return {"p": part, "v": given["v"][first:stop], "o": given["o"], "do": given["do"]}


def hidden_at_random(rng: Generator) -> Arguments:
    """A mask that hides half of the keys at random; L is that of the keys that are seen."""
    given = head(24, 19)(rng)
    mask = rng.random((24, 19)) < 0.5
    mask[:, 0] = True
    s = reference.scores(wide(given["q"]), wide(given["k"])).masked_fill(torch.from_numpy(~mask), float("-inf"))
    L = reference.log_sum_exp(s).numpy().astype(np.float32)
    return {"q": given["q"], "k": given["k"], "L": L, "mask": mask}


UP, DOWN = np.linspace(150, 250, 11), np.append(np.linspace(-150, -500, 8), (-12_000, -30_000, -100_000))

# The situations, in the same words for every exercise that has them.

STAIRS = -100.0 * (np.arange(21) // 5)
UNSEEN = "causal, 9 queries and only 5 keys: the first 4 queries see none, their L is -inf"
SCALED = "the scale is given: 0.125, not 1/sqrt(16)"
EARLIER = "causal, the forward pass saw 9 earlier keys, too: o and L are those of all 29"
CAUSAL_SCALED = "causal, and " + SCALED
SCALE_0 = "causal, and the scale that is given is 0: every key that is seen counts alike"
SCALE_NEGATIVE = "causal, the scale is -0.5, every five keys score 200 more: what is hidden is higher"
SMALL = "causal, scores from -150 down to -100000, where every exp is 0"
STRIDED = "every matrix is a transposed view"

CONSTANT_GRADIENT = "a gradient of about 100 everywhere, which the softmax cannot feel"
FULLY_MASKED = "rows 2 and 5 see no key: their probabilities are 0"
SOME_HUNDRED = range(90, 111)
SOFTMAX = [
    Case("plain", "two rows of 5 probabilities", rows(2, 5)),
    Case("single", "one row of one probability: it is 1, and its gradient goes nowhere", rows(1, 1)),
    Case("many-rows", "33 rows of 20", rows(33, 20)),
    Case("large-positive", "logits hundreds apart: one probability is 1, the rest are 0", rows(16, 20, spread=200)),
    Case("constant-gradient", CONSTANT_GRADIENT, rows(16, 20, level=100)),
    Case("fully-masked", FULLY_MASKED, rows(16, 20, empty=(2, 5))),
    Case("strided", "p and dp are transposed views", rows(16, 20, strided=True)),
    Case("square", "20 rows of 20: an axis too few goes unnoticed", rows(20, 20)),
    metered("many-rows-memory", "memory: some 500 rows of 4", sized(rows, range(450, 550), 4)),
    metered("memory", "memory: 4 rows of some 500", sized(rows, 4, range(450, 550))),
    Case("strided-memory", "memory: 4 rows of 500, transposed views", rows(4, 500, strided=True)),
    metered("many-entries", "operations are counted: some 100 rows of 100", sized(rows, SOME_HUNDRED, 100)),
]

MANY_ENTRIES = "operations are counted: some 100 queries and keys, and a hundred times as many pairs"
PROBABILITIES = [
    Case("plain", "six queries and all of their 8 keys", part_of_forward(6, 8, 0, 8, d=4)),
    Case("single", "one query, one key, d = 1", part_of_forward(1, 1, 0, 1, d=1)),
    Case("middle-keys", "keys 8 to 15 of 24", part_of_forward(12, 24, 8, 16)),
    Case("ragged", "the last, ragged tile: keys 32 to 36 of 37", part_of_forward(12, 37, 32, 37)),
    Case("causal", "keys 8 to 23 of 24, causal, as many queries", part_of_forward(24, 24, 8, 24, causal=True)),
    Case("cross", "keys 16 to 20 of 21, 5 queries, causal", part_of_forward(5, 21, 16, 21, causal=True)),
    Case("partly-masked", "half of the keys are masked at random", hidden_at_random),
    Case("fully-masked", UNSEEN, part_of_forward(9, 5, 0, 5, causal=True)),
    Case("scaled", CAUSAL_SCALED, part_of_forward(12, 24, 8, 16, scale=0.125, causal=True)),
    Case("zero-scale", SCALE_0, part_of_forward(12, 24, 8, 16, scale=0.0, causal=True)),
    Case("scale-negative", SCALE_NEGATIVE, part_of_forward(21, 21, 5, 21, profile=STAIRS, scale=-0.5, causal=True)),
    Case("large-positive", LARGE, part_of_forward(11, 37, 0, 37, level=UP)),
    Case("very-negative", SMALL, part_of_forward(11, 37, 0, 37, level=DOWN, causal=True)),
    Case("hidden-higher", HIDDEN_ABOVE, part_of_forward(9, 9, 0, 9, above=True, causal=True)),
    Case("strided", "q and k are transposed views", part_of_forward(12, 24, 8, 16, strided=True)),
    metered("many-entries", MANY_ENTRIES, sized(part_of_forward, 100, SOME_HUNDRED, 0, 90, d=4)),
]

SCORES = [
    Case("plain", "six queries and all of their 8 keys", slice_of_keys(6, 8, 0, 8, d_v=4)),
    Case("single", "one query, one key, d_v = 1", slice_of_keys(1, 1, 0, 1, d=1, d_v=1)),
    Case("middle-keys", "keys 8 to 15 of 24: the rows of p do not sum to 1", slice_of_keys(12, 24, 8, 16)),
    Case("square", "as many queries as keys as value columns, 8", slice_of_keys(8, 8, 0, 8, d_v=8)),
    Case("ragged", "the last, ragged tile: keys 32 to 36 of 37", slice_of_keys(12, 37, 32, 37)),
    Case("cross", "causal, keys 16 to 20 of 21, 5 queries", slice_of_keys(5, 21, 16, 21, causal=True)),
    Case("fully-masked", UNSEEN, slice_of_keys(9, 5, 0, 5, causal=True)),
    Case("strided", "every matrix is a transposed view", slice_of_keys(12, 24, 8, 16, strided=True)),
    metered("many-entries", MANY_ENTRIES, sized(slice_of_keys, 100, SOME_HUNDRED, 0, 90, d_v=4)),
    metered("one-key", "200 queries, one key: products are counted", slice_of_keys(200, 8, 3, 4, d_v=4)),
]

WHOLE = [
    Case("plain", "six queries and 8 keys", head(6, 8, 4, 6)),
    Case("single", "one query, one key, d = d_v = 1", head(1, 1, 1, 1)),
    Case("square", "as many queries as keys, 12", head(12, 12)),
    Case("more-queries", "9 queries and 5 keys, not causal: every query sees every key", head(9, 5)),
    Case("scaled", CAUSAL_SCALED, head(11, 20, scale=0.125, causal=True)),
    Case("zero-scale", SCALE_0, head(11, 20, scale=0.0, causal=True)),
    Case("scale-negative", SCALE_NEGATIVE, head(21, 21, profile=STAIRS, scale=-0.5, causal=True)),
    Case("causal", "causal, as many queries as keys", head(20, 20, causal=True)),
    Case("cross", CROSS, head(5, 21, causal=True)),
    Case("earlier-keys", EARLIER, head(12, 20, causal=True, before=9)),
    Case("fully-masked", UNSEEN, head(9, 5, causal=True)),
    Case("large-positive", LARGE, head(11, 37, level=UP)),
    Case("very-negative", SMALL, head(11, 37, level=DOWN, causal=True)),
    Case("light", draws.LIGHT, head(11, 24, light=(8, 16))),
    Case("hidden-higher", HIDDEN_ABOVE, head(9, 9, above=True, causal=True)),
    Case("strided", STRIDED, head(12, 20, strided=True)),
    metered("many-entries", MANY_ENTRIES, sized(head, 100, SOME_HUNDRED, 4, 4)),
    metered("few-keys", "200 queries, 3 keys: products are counted", head(200, 3, 4, 4)),
]

TILED_RAGGED = "ragged on both sides: 33 queries = 2 * 16 + 1, 25 keys = 2 * 12 + 1"
TILED_LARGE = "1024 queries in tiles of 256, 8 keys in one of 8: operations are counted"
MASK_OF_KEYS = "memory: 64 queries, 900 keys, tiles of 64 x 8, causal: a mask is no larger than a tile"
MASK_OF_QUERIES = "memory: 900 queries, 64 keys, tiles of 8 x 64, causal: a mask is no larger than a tile"
TILED_VIEWS = "memory: 300 queries, 280 keys, tiles of 32 x 16, transposed views"
TILED_EDGE = "causal, 3 queries, 5 keys, tiles of 3 x 4: query 0 sees keys 0, 1 and 2; only query 2 key 4"

TILED = [
    Case("plain", "six queries and 8 keys in tiles of 2 x 4", head(6, 8, 4, 6, tile_m=2, tile_n=4)),
    Case("single", "one query, one key, tiles of 8 x 8", head(1, 1, 1, 1, tile_m=8, tile_n=8)),
    Case("square", "24 queries, 24 keys, tiles of 8 x 8", head(24, 24, tile_m=8, tile_n=8)),
    Case("ragged", TILED_RAGGED, head(33, 25, tile_m=16, tile_n=12)),
    Case("scaled", CAUSAL_SCALED, head(11, 20, scale=0.125, tile_m=4, tile_n=8, causal=True)),
    Case("zero-scale", SCALE_0, head(11, 20, scale=0.0, tile_m=4, tile_n=8, causal=True)),
    Case("scale-negative", SCALE_NEGATIVE, head(21, 21, profile=STAIRS, scale=-0.5, tile_m=4, tile_n=8, causal=True)),
    Case("causal", "causal, 40 queries and keys in tiles of 16 x 8", head(40, 40, causal=True, tile_m=16, tile_n=8)),
    Case("edge-key", TILED_EDGE, head(3, 5, causal=True, tile_m=3, tile_n=4)),
    Case("cross", CROSS, head(5, 21, causal=True, tile_m=4, tile_n=8)),
    Case("earlier-keys", EARLIER, head(12, 20, causal=True, before=9, tile_m=4, tile_n=8)),
    Case("fully-masked", UNSEEN, head(9, 5, causal=True, tile_m=3, tile_n=2)),
    Case("light", draws.LIGHT, head(11, 24, light=(8, 16), tile_m=4, tile_n=8)),
    Case("large-positive", LARGE, head(11, 37, level=UP, tile_m=4, tile_n=8)),
    Case("very-negative", SMALL, head(11, 37, level=DOWN, tile_m=4, tile_n=8, causal=True)),
    Case("hidden-higher", HIDDEN_ABOVE, head(9, 9, above=True, tile_m=4, tile_n=8, causal=True)),
    Case("strided", STRIDED, head(12, 20, strided=True, tile_m=8, tile_n=8)),
    metered(
        "memory",
        "memory: some 300 queries and keys, tiles of 64 x 8",
        sized(head, range(280, 320), range(280, 320), 4, 4, causal=True, tile_m=64, tile_n=8),
    ),
    metered("few-of-both", FEW_OF_BOTH, sized(head, SOME_FORTY, SOME_FORTY, 4, 4, tile_m=4, tile_n=4)),
    metered("mask-of-keys", MASK_OF_KEYS, head(64, 900, 4, 4, causal=True, tile_m=64, tile_n=8)),
    metered("mask-of-queries", MASK_OF_QUERIES, head(900, 64, 4, 4, causal=True, tile_m=8, tile_n=64)),
    metered("large-tiles", TILED_LARGE, head(1024, 8, 4, 4, tile_m=256, tile_n=8)),
    Case("strided-memory", TILED_VIEWS, head(300, 280, 4, 4, strided=True, tile_m=32, tile_n=16)),
]


def gradients_and_tiles(a: Arguments) -> int:
    """The gradients, ten matrices as large as one tile's P, q and o, k and v together, and each row's position."""
    (n_q, d), (n_k, d_v), m, n = a["q"].shape, a["v"].shape, a["tile_m"], a["tile_n"]
    return 4 * (n_q * d + n_k * (d + d_v) + 10 * (m * n + (m + n) * (d + d_v))) + a_position_each(n_q, n_k)


def operators_of_tiles(a: Arguments) -> int:
    """80 for each pair of tiles, and for each tile of either side."""
    m, n = ceil(len(a["q"]) / a["tile_m"]), ceil(len(a["k"]) / a["tile_n"])
    return 80 * (m * n + m + n)


def operators_of_rows(a: Arguments) -> int:
    """Enough to go through queries and keys one by one, and not to vary each number of an argument."""
    return 100 + 40 * sum(a["p"].shape if "p" in a else (len(a["q"]), len(a["k"])))


def five_products(a: Arguments) -> int:
    """Multiplications of the five products of whole matrices, of which S and dP may be made twice."""
    (n_q, d), (n_k, d_v) = a["q"].shape, a["v"].shape
    return 3 * n_q * n_k * (3 * d + 2 * d_v) // 2


OF_ROWS = Bound(operators_of_rows, "100, and 40 for each query and each key")
FIVE_PRODUCTS = Bound(five_products, "3 d + 2 d_v for each query and each key, and half as many")
NO_POWERS = Bound(lambda a: 0, "none: a gradient is computed, and not seen in what a small step changes")
GRADIENT_OUTPUTS = (Output("dQ"), Output("dK"), Output("dV"))

exercise = partial(Exercise, backend="torch", forbidden=FORBIDDEN)
WHOLE_MATRICES = exercise(
    function=attention_gradients.attention_gradients,
    oracle=right.gradients,
    outputs=GRADIENT_OUTPUTS,
    forbidden=FROM_LSE,
    points=2,
    tolerance=GRADIENTS,
    cases=WHOLE,
    without=ONE_HEAD | NO_MAX | {"ragged": "there are no tiles yet"},
    budget=Budget(operators=OF_ROWS, products=FIVE_PRODUCTS),
)

EXERCISES = [
    exercise(
        function=attention_gradients.softmax_backward,
        oracle=right.through_softmax,
        outputs=(Output("dS"),),
        points=1,
        tolerance=GRADIENTS,
        cases=SOFTMAX,
        without=NO_MAX
        | {
            "ragged": "there are no tiles yet",
            "very negative": NO_LOGITS,
            "cross": "probabilities are given; a mask is zeros in them",
            "grouped": "there are no heads here",
        },
        budget=Budget(
            is_the_point=True,
            memory=Bound(lambda a: 5 * a["p"].nbytes, "five times the bytes of p: no matrix N x N or R x R"),
            operators=OF_ROWS,
            computed=Bound(lambda a: 20 * a["p"].size, "20 for each entry of p: no part of a matrix N x N or R x R"),
            products=Bound(lambda a: 2 * a["p"].size, "2 R N: a row meets itself alone"),
            powers=NO_POWERS,
        ),
    ),
    exercise(
        function=attention_gradients.recompute_probabilities,
        oracle=right.from_lse,
        outputs=(Output("P", has_zeros=True),),
        points=1,
        forbidden=FROM_LSE,
        cases=PROBABILITIES,
        budget=Budget(
            operators=OF_ROWS,
            products=Bound(lambda a: 2 * a["q"].size * len(a["k"]), "d for each query and each key, twice"),
        ),
        without=ONE_HEAD | NO_MAX,
    ),
    exercise(
        function=attention_gradients.score_gradients,
        oracle=right.through_scores,
        outputs=(Output("dS"),),
        points=2,
        tolerance=GRADIENTS,
        cases=SCORES,
        budget=Budget(
            operators=OF_ROWS,
            powers=NO_POWERS,
            products=Bound(
                lambda a: 2 * a["p"].size * (a["v"].shape[1] + 1) + a["o"].size,
                "d_v + 1 for each entry, twice, and d_v for each query: no query meets another",
            ),
        ),
        without=ONE_HEAD | NO_MAX | dict.fromkeys(("large positive", "very negative"), NO_LOGITS),
    ),
    WHOLE_MATRICES,
    replace(
        WHOLE_MATRICES,
        function=attention_gradients.attention_gradients_tiled,
        points=3,
        cases=TILED,
        without=ONE_HEAD | NO_MAX,
        budget=Budget(
            is_the_point=True,
            memory=Bound(
                gradients_and_tiles, "the three gradients and ten times what one tile needs of P, q, k, v and o"
            ),
            at_a_time=PRODUCT_OF_A_TILE,
            powers=POWERS_OF_A_TILE,
            raised=RAISED,
            products=FIVE_PRODUCTS,
            operators=Bound(operators_of_tiles, "80 for each pair of tiles, and for each tile of either side"),
        ),
        mutants=dropped("keys", "queries"),
    ),
]

QUESTIONS = [
    Question(
        name="price_of_forgetting",
        ask="If P were kept and not made again: by what percentage would the operations of the forward and the "
        "backward pass together go down?",
        answer=Quantity(14.3, "percent", rel=0.03),
        why="One of seven products, 14 percent, is S once more. It buys a memory that grows with N in place of N^2.",
    ),
    Question(
        name="longest_kept",
        ask="32 layers of 32 heads, one sequence, bf16: at how many tokens do the P that autograd keeps take 141 GB "
        "(10^9 bytes)?",
        answer=Quantity(8297, "tokens", rel=0.02),
        why="32 * 32 matrices of N * N numbers of 2 bytes are 2048 N^2 bytes: N = sqrt(141e9 / 2048) = 8297. A "
        "sequence twice as long takes four times as much.",
    ),
]
