"""Tiled attention with the keys in the outer loop and with the queries there, and what each order moves."""

from dataclasses import replace
from math import ceil
from typing import Any

import numpy as np
from numpy.random import Generator

from autograder.exercises import draws, flash_tiles
from autograder.exercises.draws import a_position_each, drawn, metered, numbers, sized
from autograder.exercises.flash_tiles import LEAPING, LOW, PEAKS, dropped, in_torch, leap, low, masking, peaks, scaling
from autograder.spec.edits import Mutant, Swap
from autograder.spec.exercise import Arguments, Bound, Budget, Case, Exercise, Output, Quantity, Question, once
from kernels import tiled_attention
from kernels.oracles import tiled_attention as right

MOVED = (Output("loads", "int64", exact=True), Output("stores", "int64", exact=True))
O_L = (Output("O"), Output("L"))
ONE_HEAD = {"grouped": "one head at a time here; grouped heads come in the lesson on grouped queries"}
NO_MASK = {"masked row": "nothing is masked before step 6", "cross": "nothing is masked before step 6"}


# Inputs.


@drawn
def head(rng: Generator, /, n_q: int, n_k: int, d: int = 16, d_v: int = 8, **rest: Any) -> Arguments:
    """q, k, v of one head, as `draws.qkv` makes them."""
    return draws.qkv(rng, (n_q, d), (n_k, d), d_v=d_v, **rest)


@drawn
def views(rng: Generator, /, n_q: int, n_k: int, **rest: object) -> Arguments:
    """A head whose q is a transposed view; k is every other row of a longer matrix, v half of a wider one."""
    q, k, v = head(n_q, n_k)(rng).values()
    wide = np.concatenate([v, v[:, ::-1]], axis=1)[:, : v.shape[1]]
    return {"q": np.ascontiguousarray(q.T).T, "k": np.repeat(k, 2, axis=0)[::2], "v": wide} | rest


def odd(draw: draws.Draw) -> draws.Draw:
    """With an odd n: the counts have digits that a float rounds off."""
    return draws.redrawn(draw, lambda a: a["n"] % 2 == 1)


def offset_in_a_tile(rng: Generator) -> Arguments:
    """A tile of queries whose last key lies 3 to 5 keys after the end of a tile of keys."""
    n_q, start = int(rng.integers(40, 60)), 8 * int(rng.integers(1, 4))
    return {"start": start, "stop": start + 8, "n_q": n_q, "n_k": n_q + int(rng.integers(3, 6)), "tile_n": 8}


# The situations, in the same words for every loop.

SINGLE = "one query, one key, tiles of 8 x 8"
RAGGED = "ragged on both sides: 33 queries = 2 * 16 + 1, 49 keys = 4 * 12 + 1"
BILLIONS = "a single key, on which the first query scores -2e9: no stand-in for -inf is lower"
ZERO = "the scale is 0, which is a scale that is given: all keys weigh the same"
NEGATIVE = "the scale is -0.5: the largest products, every fifth, weigh least"
STRIDED = "views: q is transposed, k every other row of a longer matrix, v half of a wider one"
MANY_KEYS = "memory: 32 queries and some 1130 keys in tiles of 32 x 32"
MANY_QUERIES = "memory: some 400 queries and 20 keys in tiles of 16 x 16"
LARGE_VIEWS = "memory: the same views, of 300 queries and keys, in tiles of 32 x 32"

UP, DOWN = np.linspace(150, 250, 11), low(11)
FIFTHS = np.where(np.arange(37) % 5 == 2, 800.0, 0.0)


def situations(n_q: int, plain: Case, single: Case, ragged: Case) -> list[Case]:
    """Cases of one head with `n_q` queries where nothing else is said, in tiles of 4 x 16."""
    tiles = {"tile_m": 4, "tile_n": 16}
    up, down, far_up = (np.resize(level, n_q) for level in (UP, DOWN, draws.MILLIONS))
    return [
        plain,
        single,
        ragged,
        Case("rising", LEAPING, head(n_q, 49, profile=leap(49), **tiles), tile=(4, 8)),
        Case("falling", PEAKS, head(n_q, 53, profile=peaks(53), alike=(0, 1), **tiles), (), (4, 8)),
        Case("light", draws.LIGHT, draws.light(head(n_q, 37, **tiles), 16, 32)),
        Case("large-positive", flash_tiles.LARGE, head(n_q, 37, level=up, **tiles), tile=(4, 8)),
        Case("very-negative", LOW, head(n_q, 37, level=down, **tiles), tile=(4, 8)),
        Case(
            "values-alike",
            draws.VALUES_ALIKE,
            draws.values_alike(head(n_q, 37, level=far_up, **tiles)),
            ("large positive",),
        ),
        Case("scaled", "the scale is given: 0.125, not 1/sqrt(16)", head(n_q, 37, scale=0.125, **tiles), (), (4, 8)),
        Case("zero-scale", ZERO, head(n_q, 37, scale=0.0, **tiles), (), (4, 8)),
        Case("negative-scale", NEGATIVE, head(n_q, 37, profile=FIFTHS, scale=-0.5, **tiles), (), (4, 8)),
        Case("strided", STRIDED, views(n_q, 37, **tiles), tile=(4, 8)),
        Case("strided-memory", LARGE_VIEWS, views(300, 300, tile_m=32, tile_n=32)),
        metered("many-keys", MANY_KEYS, sized(head, 32, range(1100, 1160), 4, 4, tile_m=32, tile_n=32)),
        metered("many-queries", MANY_QUERIES, sized(head, range(370, 430), 20, 16, 16, tile_m=16, tile_n=16)),
        metered(
            "few-of-both", draws.FEW_OF_BOTH, sized(head, draws.SOME_FORTY, draws.SOME_FORTY, 4, 4, tile_m=4, tile_n=4)
        ),
        metered("each-score-once", draws.SCORES_ONCE, head(64, 256, 64, 4, tile_m=32, tile_n=32)),
    ]


LOOPS = [
    *situations(
        11,
        Case("plain", "4 queries and 6 keys in tiles of 2 x 3", head(4, 6, 4, 3, tile_m=2, tile_n=3), (), (2, 3)),
        Case("single", SINGLE, head(1, 1, 1, 1, tile_m=8, tile_n=8)),
        Case("ragged", RAGGED, head(33, 49, tile_m=16, tile_n=12), tile=(16, 8)),
    ),
    replace(draws.billions_below(head(11, 1, tile_m=4, tile_n=16)), name=BILLIONS),
]


def tiles(a: Arguments) -> list[tuple[int, int]]:
    """The first and the last row of each tile of queries and of keys."""
    sides = (len(a["q"]), a["tile_m"]), (len(a["k"]), a["tile_n"])
    return [(start, min(start + tile, n) - 1) for n, tile in sides for start in range(0, n, tile)]


def loop_memory(a: Arguments) -> int:
    """The output with its two numbers per query, six times a pair of tiles, and the position of each key."""
    (n_q, d), (n_k, d_v), tile_m, tile_n = a["q"].shape, a["v"].shape, a["tile_m"], a["tile_n"]
    return 4 * (n_q * (d_v + 2) + 6 * (tile_m * (tile_n + d + d_v) + tile_n * (d + d_v))) + a_position_each(n_k)


def divided_by_tile(a: Arguments) -> int:
    """Four times the rows of O for every tile of keys: divided once, and three times where it is put in its place."""
    return 4 * len(a["q"]) * ceil(len(a["k"]) / a["tile_n"])


def products_once(a: Arguments) -> int:
    """Those of S, of P V and of the rows' sums, and a quarter more where tiles are filled up."""
    (n_q, d), (n_k, d_v) = a["q"].shape, a["v"].shape
    if n_q % a["tile_m"] or n_k % a["tile_n"]:
        return 5 * n_q * n_k * (d + d_v + 1) // 4
    return draws.each_score_once_in_tiles(a["q"], a["v"], n_k, a["tile_m"], a["tile_n"])


def visible_products(a: Arguments) -> int:
    """Of S, of P V and of the rows' sums, for each tile of queries and the tiles of keys that one of them sees."""
    (n_q, d), (n_k, d_v), tile_m, tile_n = a["q"].shape, a["v"].shape, a["tile_m"], a["tile_n"]
    keys = flash_tiles.keys_of_rows(n_q, n_k, True, tile_m, tile_n)
    return flash_tiles.products_of_tiles(keys, tile_n, tile_m, d + d_v + 1, products=1)


C_RAGGED = "ragged on both sides: 33 queries = 2 * 16 + 1, 37 keys = 3 * 12 + 1"
C_WIDE = "tiles of 4 x 16: several tiles of queries share the tile that the diagonal cuts"
C_TALL = "tiles of 16 x 4: the diagonal cuts several tiles of keys"
C_CROSS = "5 queries at the end of 21 keys: query 0 already sees 17 of them"
C_UNSEEN = "13 queries and only 5 keys: the first 8 queries see none, and their rows are 0"
C_HIDDEN_HIGHER = "every five keys score 200 more than those before, so that what is hidden is higher"
C_HALF_UNSEEN = "11 queries and 5 keys: in the second tile of queries, two see none"

ONE_QUERY_TILE = "128 queries in one tile, 128 keys in two: operations are counted"

CAUSAL = [
    *situations(
        11,
        Case("plain", "6 queries and 6 keys in tiles of 2 x 3", head(6, 6, 4, 3, tile_m=2, tile_n=3), (), (2, 3)),
        Case("single", SINGLE, head(1, 1, 1, 1, tile_m=8, tile_n=8)),
        Case("ragged", C_RAGGED, head(33, 37, tile_m=16, tile_n=12), tile=(16, 8)),
    ),
    Case("wide-tiles", C_WIDE, head(24, 24, tile_m=4, tile_n=16), (), (4, 8)),
    Case("tall-tiles", C_TALL, head(24, 24, tile_m=16, tile_n=4), (), (16, 8)),
    Case("cross", C_CROSS, head(5, 21, tile_m=2, tile_n=8), tile=(2, 8)),
    Case("fully-masked", C_UNSEEN, head(13, 5, tile_m=4, tile_n=2), tile=(4, 8)),
    Case("half-masked-tile", C_HALF_UNSEEN, head(11, 5, tile_m=4, tile_n=2), ("masked row",), (4, 8)),
    draws.billions_below(head(21, 21, tile_m=4, tile_n=16)),
    Case("hidden-higher", C_HIDDEN_HIGHER, head(21, 21, profile=200 * (np.arange(21) // 5), tile_m=4, tile_n=16)),
    draws.metered("one-query-tile", ONE_QUERY_TILE, head(128, 128, tile_m=128, tile_n=64)),
]

COUNTS_RAGGED = "some 100 queries and keys, tiles of 24 x 32: both sides are ragged"
COUNTS_LONG = "billions of queries and keys of width 127: counts that no float holds"
COUNTS_WIDE = "some 90 queries and keys, tiles of 16 queries and of more keys than there are"
SO_MANY, SO_WIDE = (300_000_000_000, 330_000_000_000), (600_000_000, 900_000_000)
ONE_TOO_MANY = "one key more than fills its tiles, of so many that a float takes their number for a whole one"


def one_more(rng: Generator) -> Arguments:
    """Full tiles of so many keys, and one of a single key, that no float holds the quotient; one tile of queries."""
    keys, turns = int(rng.integers(2**51, 2**51 + 2**48)), int(rng.integers(9, 15))
    return {"n": turns * keys + 1, "d": int(rng.integers(1, 3)), "tile_m": 2**60, "tile_n": keys}


COUNTS = [
    Case("plain", "8 queries and keys of width 4, tiles of 2 x 4", numbers(n=8, d=4, tile_m=2, tile_n=4)),
    Case("single", "one query, one key, d = 1, tiles of 8 x 8", numbers(n=1, d=1, tile_m=8, tile_n=8)),
    Case("ragged", COUNTS_RAGGED, numbers(n=(98, 107), d=(9, 40), tile_m=24, tile_n=32)),
    Case("long-text", COUNTS_LONG, odd(numbers(n=SO_MANY, d=127, tile_m=SO_WIDE, tile_n=SO_WIDE))),
    Case("one-too-many", ONE_TOO_MANY, one_more),
    Case("one-query-tile", "all queries in one tile", numbers(n=(41, 60), d=(9, 40), tile_m=(64, 99), tile_n=16)),
    Case("wide-head", COUNTS_WIDE, numbers(n=(81, 95), d=(100, 200), tile_m=16, tile_n=(100, 128))),
]

V_PLAIN = "queries 4 to 7 of 12, 12 keys in tiles of 4: one tile is seen whole, one in part"
V_ALIGNED = "queries 0 to 3 of 16, 16 keys in tiles of 4: only the diagonal tile is seen"
V_RAGGED = "the last 5 of 37 queries, 37 keys in tiles of 12: the last tile holds one key"
V_CROSS = "5 queries at the end of 20 keys in tiles of 4: the first sees four tiles whole"
V_NONE = "10 queries, 3 keys in tiles of one: queries 0 to 3 see none"
V_BARELY_NONE = "8 queries, 4 keys in one tile: query 3 lies just before the first that sees a key"
V_SOME = "9 queries, 5 keys in tiles of 2: of the queries 4 to 7 the first sees one key"
V_LAST = "the last query alone, 12 keys in tiles of 4: it sees every tile whole"
V_LAST_RAGGED = "the last query alone, 14 keys in tiles of 4: the last tile has not 4 keys, so it is not whole"
V_MIDDLE = "some queries in the midst of 40 to 60, and more keys"
V_FEW = "some queries in the midst of 40 to 60, and fewer keys"
VISIBLE = [
    Case("plain", V_PLAIN, numbers(start=4, stop=8, n_q=12, n_k=12, tile_n=4)),
    Case("single", "one query, one key, a tile of 8", numbers(start=0, stop=1, n_q=1, n_k=1, tile_n=8)),
    Case("first-queries", V_ALIGNED, numbers(start=0, stop=4, n_q=16, n_k=16, tile_n=4)),
    Case("last-query", V_LAST, numbers(start=11, stop=12, n_q=12, n_k=12, tile_n=4)),
    Case("last-query-ragged", V_LAST_RAGGED, numbers(start=13, stop=14, n_q=14, n_k=14, tile_n=4), ("ragged",)),
    Case("middle-queries", V_MIDDLE, numbers(start=(3, 20), stop=(24, 39), n_q=(40, 60), n_k=(61, 90), tile_n=(3, 9))),
    Case("few-keys", V_FEW, numbers(start=(3, 20), stop=(36, 39), n_q=(40, 45), n_k=(20, 35), tile_n=(3, 9))),
    Case("offset", "40 to 60 queries, and 3 to 5 keys more: their last key lies within a tile of 8", offset_in_a_tile),
    Case("ragged", V_RAGGED, numbers(start=32, stop=37, n_q=37, n_k=37, tile_n=12)),
    Case("cross", V_CROSS, numbers(start=0, stop=5, n_q=5, n_k=20, tile_n=4)),
    Case("one-key-seen", V_SOME, numbers(start=4, stop=8, n_q=9, n_k=5, tile_n=2)),
    Case("fully-masked", V_NONE, numbers(start=0, stop=4, n_q=10, n_k=3, tile_n=1)),
    Case("barely-masked", V_BARELY_NONE, numbers(start=0, stop=4, n_q=8, n_k=4, tile_n=4), ("masked row",)),
]


def operators_of_tiles(a: Arguments) -> int:
    """60 for each pair of tiles, and for each tile of either side."""
    m, n = ceil(len(a["q"]) / a["tile_m"]), ceil(len(a["k"]) / a["tile_n"])
    return 60 * (m * n + m + n)


# Mistakes that both loops over tiles invite; each line of code stands in them alike.

WHOLE_TILES = Mutant(
    "whole-tiles-only",
    "only whole tiles are visited, of queries and of keys",
    Swap("hbm only\n", "hbm only\n    n_q, n_k = n_q // tile_m * tile_m, n_k // tile_n * tile_n\n"),
    killed_by="ragged",
)
KEPT_ON_CHIP = in_torch(row_max="s.amax(dim=-1)", beside="[:, None]")

KEYS_OUTSIDE = Exercise(
    function=tiled_attention.keys_outside,
    oracle=right.state_carried,
    outputs=(Output("O"), Output("m"), Output("l"), *MOVED),
    backend="torch",
    points=3,
    forbidden=("softmax", "logsumexp", "scaled_dot_product"),
    calls={"Memory": once},
    tiles=tiles,
    cases=LOOPS,
    without=ONE_HEAD | NO_MASK,
    budget=Budget(
        is_the_point=True,
        memory=Bound(
            loop_memory,
            "4 bytes * (N_q (d_v + 2) + 6 (tile_m (tile_n + d + d_v) + tile_n (d + d_v))) and 8 N_k: o and tiles",
        ),
        products=Bound(products_once, "d + d_v + 1 for each score, and what ragged tiles take: each score once"),
        normalised=Bound(divided_by_tile, "O after every tile of keys", least=lambda a: divided_by_tile(a) // 4),
        operators=Bound(operators_of_tiles, "60 for each pair of tiles, and for each tile of either side"),
        at_a_time=flash_tiles.PRODUCT_OF_A_TILE,
        powers=flash_tiles.POWERS_OF_A_TILE,
        swayed=flash_tiles.SWAYED_BY_A_TILE,
        raised=flash_tiles.RAISED,
    ),
    mutants=[*scaling('(hbm.load("Q", i, i + tile_m) @ k_tile.T)'), *dropped("keys", "queries"), WHOLE_TILES],
)
ON_CHIP = replace(KEYS_OUTSIDE.budget, normalised=None)

EXERCISES = [
    KEYS_OUTSIDE,
    Exercise(
        function=tiled_attention.accesses_keys_outside,
        oracle=right.walk_keys_outside,
        outputs=MOVED,
        points=1,
        cases=COUNTS,
        without=ONE_HEAD | NO_MASK | draws.SIZES_ONLY,
    ),
    replace(
        KEYS_OUTSIDE,
        function=tiled_attention.queries_outside,
        oracle=right.state_kept,
        outputs=(*O_L, *MOVED),
        budget=ON_CHIP,
        mutants=[
            *scaling('(q_tile @ hbm.load("K", j, j + tile_n).T)'),
            *dropped("keys", "queries"),
            WHOLE_TILES,
            *KEPT_ON_CHIP,
        ],
    ),
    Exercise(
        function=tiled_attention.visible_tiles,
        oracle=right.look_at_the_mask,
        outputs=(Output("full", "int64", exact=True), Output("seen", "int64", exact=True)),
        points=2,
        cases=VISIBLE,
        without=ONE_HEAD | draws.SIZES_ONLY,
    ),
    replace(
        KEYS_OUTSIDE,
        function=tiled_attention.causal_queries_outside,
        oracle=right.state_kept_causal,
        outputs=(*O_L, *MOVED),
        budget=replace(
            ON_CHIP,
            products=Bound(visible_products, "d + d_v + 1 for each score of the tiles that are visible"),
            raised=replace(flash_tiles.RAISED, most=lambda a: flash_tiles.scores_seen(a | {"causal": True})),
        ),
        cases=CAUSAL,
        without=ONE_HEAD,
        mutants=[
            *scaling('(q_tile @ hbm.load("K", j, j + tile_n).T)'),
            *masking("plain"),
            *dropped("queries"),
            *KEPT_ON_CHIP,
        ],
    ),
]

QUESTIONS = [
    Question(
        name="row_by_row_to_standard",
        ask="N = 512 queries and keys of width d = 64: how many times the 622,592 numbers of standard attention are "
        "loaded by one query at a time?",
        answer=Quantity(53.9, "times as many", rel=0.02),
        why="512 rows of 64 for Q, and for each of the 512 queries all of K and V, 2 * 512 * 64: 32,768 + 33,554,432 = "
        "33,587,200, and / 622,592 = 53.9.",
    ),
    Question(
        name="numbers_per_turn",
        ask="Keys outside, d = 64: how many numbers are moved for one query in one turn of the outer loop?",
        answer=Quantity(196, "numbers"),
        why="Loaded: 64 of Q, 64 of O, m and l, 130. Stored: 64 of O, m and l, 66. Together 3 d + 4 = 196.",
    ),
    Question(
        name="break_even_tile",
        ask="Queries outside, d = 64, N large: with how many queries per tile does it move as much as standard "
        "attention?",
        answer=Quantity(32, "queries", rel=0.02),
        why="2 N^2 d / B_M = 4 N^2 gives B_M = d / 2 = 32. Every tile of queries reads 2 d numbers for each key, and "
        "standard attention moves four numbers for each of the B_M scores.",
    ),
    Question(
        name="tiles_skipped",
        ask="N = 4096 queries and keys, causal, tiles of 128 x 128: how many of the 1024 tiles are skipped?",
        answer=Quantity(496, "tiles"),
        why="Row r of 32 sees r tiles (r = 1 to 32), 32 * 33 / 2 = 528 in all; 1024 - 528 = 496.",
    ),
]
