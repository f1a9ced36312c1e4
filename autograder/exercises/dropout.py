"""Philox in numpy, then dropout of a matrix, attention with dropout and its gradients in Triton."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.random import Generator

from autograder.exercises import draws, flash_backward, flash_forward, flash_tiles
from autograder.spec.exercise import Arguments, Bound, Budget, Case, Exercise, Output, Quantity, Question, Tolerance
from kernels import dropout
from kernels.oracles import dropout as right

FORBIDDEN = ("softmax", "logsumexp", "scaled_dot_product")
COPIES = ("contiguous", "clone")
NO_ATTENTION = dict.fromkeys(
    ("rising max", "large positive", "very negative", "masked row", "cross", "grouped"), "there are no scores here"
)
KNOWN_MAX = {"rising max": "L is known from the start, so there is no running maximum"}


# Inputs.


@draws.drawn
def counters(rng: Generator, /, text: str | tuple[int, ...], key: str = "", **rest: int) -> Arguments:
    """One counter and one key: words in hexadecimal, or the shape of counters drawn at random with a random key."""
    if isinstance(text, str):
        given = [np.array([int(word, 16) for word in x.split()], dtype=np.uint32) for x in (text, key)]
    else:
        given = [rng.integers(2**32, size=shape, dtype=np.uint32) for shape in (text, (2,))]
    return {"counter": given[0], "key": given[1]} | rest


def every_other(rng: Generator) -> Arguments:
    given = counters((12, 8))(rng)
    return given | {"counter": given["counter"][::2, ::2]}


def nearly_whole(rng: Generator) -> Arguments:
    """Products of c0 and c2 whose lower halves are so near 2^32 that a float of 53 bits rounds the upper ones up."""
    given = counters((40, 4))(rng)
    for column, multiplier in ((0, right.MULTIPLIERS[0]), (2, right.MULTIPLIERS[1])):
        inverse = pow(int(multiplier), -1, 2**32)
        close = (inverse * (2**32 - np.arange(1, 512)) % 2**32).astype(np.uint32)
        given["counter"][:, column] = rng.choice(close[close >= 2**30 + 2**29], 40)
    return given | {"rounds": 1}


def stream(rng: Generator) -> Arguments:
    """A seed with two words and an offset."""
    return {"seed": int(rng.integers(2**60, 2**63)), "offset": int(rng.integers(2**31))}


@draws.drawn
def matrix(
    rng: Generator, /, *shape: int, dropout_p: float = 0.3, value: float | None = None, dtype=np.float32, **rest: object
) -> Arguments:
    """x of the shape (H, N_q, N_k), random and away from 0, or `value` everywhere; seed and offset at random."""
    x = rng.choice([-1, 1], shape) * (1 + rng.random(shape)) if value is None else np.full(shape, value)
    return {"x": x.astype(dtype), "dropout_p": dropout_p} | stream(rng) | rest


@draws.drawn
def near_the_threshold(rng: Generator, /, above: float) -> Arguments:
    """dropout_p * 2^32 is one entry's random word, or lies `above` it; in float32 the entry is on the other side."""
    given = matrix(1, 8, 32, tile_m=8, tile_n=32)(rng)
    words = right.matrix_words(1, 8, 32, given["seed"], given["offset"]).ravel()
    words = words[(words > 2**28) & (words < 2**31)].astype(np.float64)
    rounded = words.astype(np.float32)
    fits = (words + 1).astype(np.float32) <= rounded if above else rounded > words
    return given | {"dropout_p": float(words[fits][0] + above) / 2**32}


@draws.drawn
def above_a_word(rng: Generator, /, draw: draws.Draw, above: float = 0.6) -> Arguments:
    """dropout_p * 2^32 lies `above` the random word of one of the first two queries' entries: at 0.6 it is kept, and
    at 1 dropped, which takes all 32 bits to see.
    """
    given = draw(rng)
    words = right.matrix_words(1, 2, given["k"].shape[2], given["seed"], given["offset"]).astype(np.float64)
    between = words[(words > 2**30) & (words < 2**31)]
    return given | {"dropout_p": float(between[0] + above) / 2**32}


@draws.drawn
def with_infinities(rng: Generator, /, draw: draws.Draw) -> Arguments:
    given = draw(rng)
    given["x"].flat[::5] = np.inf
    return given


@draws.drawn
def heads(
    rng: Generator, /, *shape: int, dropout_p: float = 0.3, level=0.0, profile=0.0, dtype=np.float32,
    special: str = "", **rest: object,
) -> Arguments:  # fmt: skip
    """q, k, v with shape = (B, H, N_q, N_k, d); seed and offset at random unless `rest` has them.

    The scores, at the scale 1/sqrt(d), are about 2 * N(0, 1) + level + profile (see `aim`).
    special: "alike": the keys 0 and 1 are the same; "first": key 0 outweighs all others by 40,000.
    """
    b, h, n_q, n_k, d = shape
    q, k = (draws.on_grid(1.5 * rng.standard_normal((b, h, n, d))) for n in (n_q, n_k))
    draws.aim(q, k, level, profile)
    if special == "alike":
        k[..., 1, :] = k[..., 0, :]
    if special == "first":
        draws.aim(q, k, profile=np.where(np.arange(n_k) < 1, 16 * 10.6, 0))
        q = q / 16
    v = draws.on_grid(rng.standard_normal((b, h, n_k, d)) + np.linspace(-1, 2, n_k)[:, None])
    if special == "first":
        v += np.where(np.arange(n_k) < 1, 40, 100)[:, None]
    given = {name: x.astype(dtype) for name, x in (("q", q), ("k", k), ("v", v))}
    return given | {"dropout_p": dropout_p} | stream(rng) | rest


@draws.drawn
def after_forward(
    rng: Generator, /, *shape: int, swinging: bool = False, size: int = 1, summed: bool = False, above: bool = False,
    opposing: bool = False, light: tuple[int, int] | None = None, **rest: Any,
) -> Arguments:  # fmt: skip
    """The same after the forward pass: with do, L and delta. swinging: see `swing`. size: of the entries of v and do;
    where it is not 1, q and k are large too, and at the scale 2e-10 no key has much of the weight. summed: do is that
    of o.sum(). above: see `hide_above`. opposing: see `oppose`. light: see `lighten`.
    """
    given = heads(*shape, **rest)(rng)
    do = (rng.standard_normal(given["q"].shape) + 0.5).astype(given["q"].dtype)
    if size != 1:
        given |= {"q": 4096 * given["q"], "k": 4096 * given["k"], "v": size * given["v"]}
        do *= size
    if summed:
        do = draws.first_for_all(np.ones_like(do), 0, 1, 2, 3)
    if above:
        draws.hide_above(given["q"], given["k"], do)
    if opposing:
        draws.oppose(rng, given["q"], given["k"])
    if swinging:
        draws.swing(given["q"], given["k"], given["v"], do)
    if light:
        draws.lighten(given["q"], given["k"], given["v"], np.s_[..., slice(*light), :])
    wide = {name: torch.from_numpy(given[name].astype(np.float64)) for name in ("q", "k", "v")}
    o, L = right.attend(**given | wide)
    delta = (do * o.numpy()).sum(axis=-1).astype(np.float32)
    return given | {"do": do, "L": L.numpy().astype(np.float32), "delta": delta}


# The situations.

FULL = "ten rounds with every bit set: its second test vector"
MANY = "twelve rounds of 60 random counters, as (1, 20, 3, 1, 4), under one random key"

DIGITS_OF_PI = ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0")

PHILOX = [
    Case("single", "one round of counter (1, 0, 0, 0) with key (0, 0)", counters("1 0 0 0", "0 0", rounds=1)),
    Case("two-rounds", "two rounds of counter (1, 2, 3, 4) with key (5, 6)", counters("1 2 3 4", "5 6", rounds=2)),
    Case("zeros", "ten rounds of counter 0 with key 0: the first test vector of Random123", counters("0 0 0 0", "0 0")),
    Case("all-bits-set", FULL, counters("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff")),
    Case("digits-of-pi", "ten rounds with the digits of pi: its third test vector", counters(*DIGITS_OF_PI)),
    Case("seven-rounds", "seven rounds, with the digits of pi", counters(*DIGITS_OF_PI, rounds=7)),
    Case("many-counters", MANY, counters((1, 20, 3, 1, 4), rounds=12)),
    Case("upper-halves", "one round of counters whose products a float cannot hold", nearly_whole),
    Case("strided", "the counters are every other word of a larger array", every_other),
]

ONES = "an 8 x 8 matrix of ones, dropout_p = 0.5, in one tile"
FOUR_TILES = "an 8 x 32 matrix of ones in tiles of 4 x 16"
THREE_HEADS = "three heads of ones: each has its own mask"
RAGGED = "ragged on both sides: 21 rows in tiles of 16, 37 columns in tiles of 32"
BETWEEN = "x in float16, and 1 / (1 - dropout_p) falls between two numbers of float16"
LARGE_TILES = "150 rows in tiles of 128, 37 columns in tiles of 8"
FLOOR = "dropout_p * 2^32 lies 0.6 above the word of one entry, which is kept: the threshold is rounded down"
LAST_BIT = "dropout_p * 2^32 is one more than a random word, which is dropped: all 32 bits are compared"
INFINITE = "dropout_p = 0.8, and every fifth number is infinite: dropped, it is 0 as well"
FALLS_BETWEEN = 1 - 1 / (1 + 20.5 / 1024)

MATRIX = [
    Case("plain", ONES, matrix(1, 8, 8, dropout_p=0.5, value=1, tile_m=8, tile_n=8), tile=(8, 8)),
    Case("single", "one entry", matrix(1, 1, 1, tile_m=4, tile_n=4)),
    Case("four-tiles", FOUR_TILES, matrix(1, 8, 32, value=1, tile_m=4, tile_n=16), tile=(4, 16)),
    Case("heads", THREE_HEADS, matrix(3, 8, 16, value=1, tile_m=8, tile_n=16), tile=(8, 16)),
    Case("nothing-dropped", "dropout_p = 0: nothing is dropped", matrix(2, 8, 16, dropout_p=0.0, tile_m=8, tile_n=16)),
    Case("mostly-dropped", INFINITE, with_infinities(matrix(2, 16, 16, dropout_p=0.8, tile_m=8, tile_n=16))),
    Case("ragged", RAGGED, matrix(2, 21, 37, tile_m=16, tile_n=32), tile=(16, 32)),
    draws.own_tiles(matrix(2, 40, 150)),
    Case("other-tiles", LARGE_TILES, matrix(2, 150, 37, tile_m=128, tile_n=8), tile=(128, 8)),
    Case("on-the-threshold", "one entry lies exactly on the threshold, and is kept", near_the_threshold(0)),
    Case("rounded-down", FLOOR, near_the_threshold(0.6)),
    Case("under-the-threshold", "one entry lies right below the threshold, and is dropped", near_the_threshold(1)),
    Case("small-numbers", "seed 1 and offset 0", matrix(2, 8, 16, tile_m=8, tile_n=16, seed=1, offset=0)),
    Case("float16", "x in float16", matrix(2, 16, 32, dtype=np.float16, tile_m=16, tile_n=16)),
    Case("float16-factor", BETWEEN, matrix(2, 16, 32, dropout_p=FALLS_BETWEEN, dtype=np.float16, tile_m=16, tile_n=16)),
    Case("strided", "x is a transposed view", draws.views(matrix(2, 21, 19, tile_m=8, tile_n=16), x=(1, 2))),
    draws.metered("counted", "traffic and memory: two heads of 50 x 70", matrix(2, 50, 70, tile_m=32, tile_n=32)),
]

PLAIN = "one head, 8 queries and 8 keys, dropout_p = 0.5, in one tile"
NOTHING = "dropout_p = 0: plain attention, of more queries than keys"
WHOLE_TILES = "dropout_p = 0.998: of most tiles of 16 x 16 nothing is left"
HEADS = "three batches of three heads: nine masks; d = 128"
TAILS = "ragged: 33 queries in tiles of 16, 65 keys in tiles of 32: the last tile of either side holds one"
NO_SCALE = "causal, and the scale is 0: all keys that a query sees weigh alike"
OTHER_TILES = "129 queries in tiles of 128, 33 keys in tiles of 16, dropout_p = 0.999"
CAUSAL = "causal, two heads, 37 queries and keys"
CROSS = "causal, 5 queries at the end of 37 keys"
UNSEEN = "causal, 62 queries and only 12 keys: the first 50 queries see none"
NEGATIVE = "the scale is -0.5: the smallest product is the largest score"
TURN = {"q": (2, 3), "k": (1, 2), "v": (2, 3)}
LAYOUTS = {"q": (1, 2), "k": (2, 3), "v": (0, 1)}
LAYOUTS_AFTER_FORWARD = LAYOUTS | {"do": (2, 3), "L": (1, 2), "delta": (0, 1)}
TURNED = "views: no row of q or v is contiguous, heads of k lie inside tokens; do, if given, has steps of 0"
STRIDED = "views, each with a layout of its own"
MANY_TILES = "fp16, sums over 16 tiles, which are large on the way and small at the end"
WIDE = "traffic and memory: 40 queries, 70 keys, tiles of 16 and 32"
METERED = "traffic and memory: 70 queries, 90 keys, tiles of 32 and 16"

UP, SPIKES = np.linspace(150, 250, 21), np.where(np.arange(37) % 16 == 5, 120.0, 0.0)


SQUARE: dict[str, Any] = {"tile_m": 16, "tile_n": 16}
NARROW: dict[str, Any] = {"dtype": np.float16} | SQUARE  # where 16 terms are added up, float16 has an error that shows
in_tiles = partial(Case, tile=(16, 16))


def _rising(make, **t) -> list[Case]:
    """Scores that grow from tile to tile, or that the mask hides."""
    return [
        in_tiles("rising", flash_tiles.LEAPING, make(1, 1, 21, 33, 16, profile=flash_tiles.leap(33), **SQUARE)),
        in_tiles(
            "falling", flash_tiles.PEAKS, make(1, 1, 21, 37, 16, profile=flash_tiles.peaks(37), special="alike", **t)
        ),
        Case("float16-scores", flash_tiles.UNROUNDED, draws.opposed(make(1, 1, 16, 32, 32, dtype=np.float16, **t))),
        in_tiles(
            "float16-rising",
            flash_tiles.COARSE,
            make(1, 1, 33, 48, 16, profile=flash_tiles.twelve_a_tile(48), **NARROW),
        ),
        Case("hidden-higher", draws.HIDDEN_HIGHER, make(1, 1, 9, 9, 16, profile=draws.stairs(9), causal=True, **t)),
        draws.billions_below(make(1, 1, 9, 9, 16, causal=True, **t)),
    ]


def attention_cases(make, running_max: bool) -> list[Case]:
    """The situations of attention with dropout; `make` is `heads` or `after_forward`."""
    t: dict[str, Any] = {"tile_m": 16, "tile_n": 32}
    layouts, summed = (LAYOUTS, {}) if running_max else (LAYOUTS_AFTER_FORWARD, {"summed": True})
    above = after_forward(1, 1, 9, 9, 16, above=True, causal=True, **t)
    opposed = after_forward(1, 1, 16, 32, 32, opposing=True, scale=0.2337, dtype=np.float16, **t)
    light = after_forward(1, 1, 21, 48, 16, light=(16, 32), **SQUARE)
    light = draws.light(heads(1, 1, 21, 48, 16, **SQUARE), 16, 32) if running_max else light
    after = [Case("hidden-higher", draws.HIDDEN_ABOVE, above), Case("float16-scores", flash_backward.OPPOSED, opposed)]
    return [
        in_tiles("plain", PLAIN, make(1, 1, 8, 8, 16, dropout_p=0.5, **SQUARE)),
        Case("single", "one query, one key", make(1, 1, 1, 1, 16, dropout_p=0.5, **t)),
        in_tiles("nothing-dropped", NOTHING, make(1, 1, 37, 21, 16, dropout_p=0.0, **t)),
        in_tiles("tiles-dropped", WHOLE_TILES, make(1, 1, 48, 48, 16, dropout_p=0.998, **SQUARE)),
        in_tiles("heads", HEADS, make(3, 3, 8, 16, 128, **SQUARE)),
        in_tiles("ragged", TAILS, make(1, 1, 33, 65, 16, **t)),
        in_tiles("rounded-down", FLOOR, above_a_word(make(1, 1, 2, 33, 16, **t))),
        in_tiles("last-bit", LAST_BIT, above_a_word(make(1, 1, 2, 33, 16, **t), 1.0)),
        Case(
            "other-tiles", OTHER_TILES, make(1, 1, 129, 33, 16, dropout_p=0.999, tile_m=128, tile_n=16), tile=(128, 16)
        ),
        draws.own_tiles(make(1, 1, 70, 150, 128, dtype=np.float16)),
        *(_rising(make, **t) if running_max else after),
        in_tiles("light", draws.LIGHT, light),
        in_tiles("large-positive", flash_tiles.LARGE, make(1, 1, 21, 37, 64, level=UP, **t)),
        in_tiles("very-negative", flash_tiles.LOW, make(1, 1, 21, 37, 16, level=flash_tiles.low(21), **t)),
        in_tiles("scaled", "causal, and " + flash_tiles.SCALED, make(1, 1, 21, 37, 16, scale=0.2, causal=True, **t)),
        in_tiles("negative-scale", NEGATIVE, make(1, 1, 21, 37, 16, profile=SPIKES, scale=-0.5, **t)),
        in_tiles("zero-scale", NO_SCALE, make(1, 1, 21, 37, 16, scale=0.0, causal=True, **t)),
        in_tiles(
            "hidden-low", flash_tiles.HIDDEN_LOW, make(1, 1, 21, 37, 16, level=flash_tiles.low(21), causal=True, **t)
        ),
        in_tiles("causal", CAUSAL, make(1, 2, 37, 37, 32, causal=True, **t)),
        in_tiles("edge-key", flash_tiles.EDGE, make(1, 1, 16, 17, 16, causal=True, **SQUARE)),
        in_tiles("cross", CROSS, make(1, 1, 5, 37, 16, causal=True, **t)),
        in_tiles("fully-masked", UNSEEN, make(1, 1, 62, 12, 16, causal=True, **t)),
        in_tiles("float16", "q, k and v in float16", make(1, 2, 21, 37, 64, dtype=np.float16, **t)),
        in_tiles("strided", STRIDED, draws.views(make(2, 2, 9, 20, 16, **t), **layouts)),
        in_tiles("turned", TURNED, draws.views(make(2, 2, 9, 20, 16, **t, **summed), **TURN), ("strided",)),
        in_tiles("counted-wide-tiles", WIDE, make(1, 1, 40, 70, 16, tile_m=16, tile_n=32), budget=True),
        draws.metered("counted", METERED, make(1, 1, 70, 90, 16, tile_m=32, tile_n=16), tile=(32, 16)),
    ]


FORWARD = attention_cases(heads, running_max=True)
BACKWARD = attention_cases(after_forward, running_max=False)
TINY_SCALE = Case("tiny-scale", flash_backward.TINY, after_forward(1, 1, 32, 96, 16, size=100, scale=2e-10, **NARROW))
OVER_ALL = Case("float16-sums", flash_tiles.LOST, heads(1, 1, 16, 256, 16, special="first", **NARROW))
OVER_KEYS = Case("float16-sums", MANY_TILES, after_forward(1, 1, 16, 256, 16, swinging=True, **NARROW))
OVER_QUERIES = Case("float16-sums", MANY_TILES, after_forward(1, 1, 256, 16, 16, swinging=True, **NARROW))


# Budgets: those of attention without dropout, but what a causal mask hides may be moved and computed here.


def unmasked(count: Callable[[Arguments], int]) -> Callable[[Arguments], int]:
    return lambda a: count(a | {"causal": False})


def multiplied_once(products: Callable[[Arguments], int]) -> Bound:
    """Tiles that a mask or dropout leaves nothing of need not be multiplied."""
    return Bound(unmasked(products), "those of all tiles of queries and keys", least=lambda a: 0)


all_pairs = unmasked(flash_tiles.one_product)
PAIRS: dict[str, Any] = {"met": Bound(all_pairs), "drawn": Bound(lambda a: all_pairs(a) // a["q"].shape[3])}


def entries(a: Arguments) -> int:
    """Of the tiles of x, ragged or not."""
    rows, columns = a["x"].shape[-2:]
    matrices = a["x"].size // max(1, rows * columns)
    return matrices * flash_tiles.whole([rows], a["tile_m"]) * flash_tiles.whole([columns], a["tile_n"])


KEYS_AND_VALUES = Exercise(
    function=dropout.dropout_dkdv,
    kernels=(dropout.dropout_dkdv_kernel,),
    oracle=lambda **given: right.gradients(**given)[1:],
    outputs=(Output("dK"), Output("dV")),
    tolerance=Tolerance(factor=3),
    backend="triton",
    points=3,
    forbidden=(*FORBIDDEN, "dropout", "bernoulli", "random", "autograd"),
    allowed=COPIES,
    cases=[*BACKWARD, TINY_SCALE, OVER_QUERIES],
    compiled=after_forward(1, 2, 256, 256, 64, dtype=np.float16, causal=True, tile_m=32, tile_n=64),
    without=draws.NO_GROUPS_YET | KNOWN_MAX,
    budget=Budget(
        is_the_point=True,
        loads=Bound(
            unmasked(flash_backward.key_value_loads), "k and v once; q, do, L and delta once for each tile of keys"
        ),
        stores=Bound(flash_backward.key_value_stores, "dk and dv once; no mask"),
        memory=Bound(flash_backward.key_value_stores, "dk and dv"),
        programs=flash_tiles.BY_KEYS,
        region=flash_tiles.OF_KEYS,
        raised=flash_tiles.SEEN_SCORES,
        busiest=draws.a_quarter_more(unmasked(flash_backward.tile_of_keys), "a tile of keys"),
        products=multiplied_once(flash_backward.key_value_products),
        widest=flash_tiles.TWO_TILES,
        **flash_tiles.A_PAIR_AT_A_TIME,
        **PAIRS,
    ),
)

EXERCISES = [
    Exercise(
        function=dropout.philox,
        oracle=right.words,
        outputs=(Output("words", dtype="uint32", exact=True),),
        points=2,
        forbidden=("random", "Philox"),
        cases=PHILOX,
        without=NO_ATTENTION | {"ragged": "there is no tile"},
    ),
    Exercise(
        function=dropout.dropout,
        kernels=(dropout.keep_tile, dropout.dropout_kernel),
        oracle=right.drop,
        outputs=(Output("y", has_zeros=True),),
        backend="triton",
        points=2,
        forbidden=("dropout", "bernoulli", "random"),
        allowed=COPIES,
        cases=MATRIX,
        compiled=matrix(2, 256, 512, dtype=np.float16, tile_m=32, tile_n=128),
        without=NO_ATTENTION,
        budget=Budget(
            is_the_point=True,
            loads=Bound(lambda a: a["x"].nbytes, "x once"),
            stores=Bound(lambda a: a["x"].nbytes, "y once"),
            memory=Bound(lambda a: a["x"].nbytes, "y; no mask"),
            programs=Bound(lambda a: entries(a) // (a["tile_m"] * a["tile_n"]), "one for each tile", exactly=True),
            region=Bound(lambda a: a["tile_m"] * a["tile_n"], "a tile of consecutive rows and columns"),
            busiest=draws.a_quarter_more(
                lambda a: 2 * a["tile_m"] * a["tile_n"] * a["x"].itemsize, "a tile of x and of y"
            ),
            widest=Bound(lambda a: 2 * a["tile_m"] * a["tile_n"], "two tiles of x"),
            drawn=Bound(entries),
            rounded=Bound(entries, "one product for each entry, in the dtype of x"),
        ),
    ),
    Exercise(
        function=dropout.dropout_forward,
        kernels=(dropout.dropout_forward_kernel,),
        oracle=right.attend,
        outputs=(Output("O"), Output("L", dtype="float32")),
        backend="triton",
        points=3,
        forbidden=(*FORBIDDEN, "dropout", "bernoulli", "random"),
        allowed=COPIES,
        cases=[*FORWARD, OVER_ALL],
        compiled=heads(1, 2, 256, 256, 64, dtype=np.float16, causal=True, tile_m=64, tile_n=32),
        without=draws.NO_GROUPS_YET,
        budget=replace(
            flash_forward.ALL_KEYS_LSE,
            loads=Bound(unmasked(flash_forward.loads), "q once, k and v once for each tile of queries"),
            stores=Bound(flash_tiles.output_and_lse_bytes, "o and L once; no mask"),
            busiest=draws.a_quarter_more(unmasked(flash_forward.a_tile), "a tile of queries"),
            products=multiplied_once(flash_tiles.products_of_both),
            product_calls=flash_tiles.twice_the_calls(unmasked(flash_tiles.products_of_both)),
            **PAIRS,
        ),
    ),
    KEYS_AND_VALUES,
    replace(
        KEYS_AND_VALUES,
        function=dropout.dropout_dq,
        kernels=(dropout.dropout_dq_kernel,),
        oracle=lambda **given: right.gradients(**given)[0],
        outputs=(Output("dQ"),),
        points=2,
        cases=[*BACKWARD, TINY_SCALE, OVER_KEYS],
        compiled=after_forward(1, 2, 256, 256, 64, dtype=np.float16, causal=True, tile_m=64, tile_n=32),
        budget=replace(
            KEYS_AND_VALUES.budget,
            loads=Bound(
                unmasked(flash_backward.query_loads), "q, do, L and delta once; k and v once for each tile of queries"
            ),
            stores=Bound(flash_backward.query_stores, "dq once; no mask"),
            memory=Bound(flash_backward.query_stores, "dq"),
            programs=flash_tiles.BY_QUERIES,
            region=flash_tiles.OF_QUERIES,
            busiest=draws.a_quarter_more(unmasked(flash_backward.tile_of_queries), "a tile of queries"),
            products=multiplied_once(flash_backward.query_products),
        ),
    ),
]

QUESTIONS = [
    Question(
        name="mask_to_output",
        ask="16384 queries and keys, d = 64: how many times as many bytes as the output O of a head, in 16 bits, has "
        "its mask, with one byte per entry?",
        answer=Quantity(128, "times as many", rel=0.01),
        why="16384^2 bytes against 2 * 16384 * 64: 16384 / 128 = 128. For the 32 heads of one layer the mask would "
        "take 8.59 GB.",
    ),
    Question(
        name="calls_per_tile",
        ask="How many calls of Philox does a tile of 128 queries and 64 keys need, if no word is thrown away?",
        answer=Quantity(2048, "calls"),
        why="128 * 64 = 8192 entries, and each call gives four words: 8192 / 4 = 2048.",
    ),
    Question(
        name="keep_rate_deviation",
        ask="dropout_p = 0.1, and a row has 1024 entries. What is the standard deviation of the share of them that is "
        "kept?",
        answer=Quantity(0.009375, rel=0.01),
        why="The number of kept entries is binomial with variance n p (1 - p); its share of n has the standard "
        "deviation sqrt(p (1 - p) / n) = sqrt(0.09 / 1024) = 0.0094.",
    ),
    Question(
        name="row_sum_when_all_are_kept",
        ask="A query sees four keys with equal scores, dropout_p = 0.2, and by chance all four are kept. What do its "
        "dropped probabilities sum to?",
        answer=Quantity(1.25, rel=0.001),
        why="Each is 0.25 / 0.8 = 0.3125, and four of them are 1.25. The row sums to 1 on average, not each time: with"
        " one dropped, which is just as likely, it is 0.9375.",
    ),
]
