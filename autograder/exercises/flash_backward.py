"""The gradients of attention in Triton."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import ceil
from typing import Any

import numpy as np
from numpy.random import Generator

from autograder.exercises import draws, flash_tiles
from autograder.exercises.attention_gradients import CAUSAL_SCALED, GRADIENT_OUTPUTS, GRADIENTS, NO_MAX, with_delta
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
)
from kernels import flash_backward
from kernels.oracles import flash_backward as right
from kernels.oracles.attention_gradients import gradients, one_number_a_query, to_keys_and_values, to_queries

KERNEL_FORBIDDEN = ("softmax", "scaled_dot_product", "matmul")


# Inputs.


@draws.drawn
def heads(
    rng: Generator, /, *shape: int, dtype=np.float32, level: Any = 0.0, swinging: bool = False, size: int = 1,
    wide: bool = False, common: float = 0.0, summed: bool = False, above: bool = False,
    opposing: bool = False, light: tuple[int, int] | None = None, **rest,
) -> Arguments:  # fmt: skip
    """The same for a batch of heads, q, k, v, o, do (B, H, N, d) and L (B, H, N_q), and delta.

    shape = (B, H, N_q, N_k, d). swinging: see `swing`. size: of the entries of v and do; where it is not 1, no key
    has much of the weight, with `wide` at the scale 2e-10: q and k are large too then, and dP and delta far from 0.
    common: a part of all values. summed: do is that of o.sum(). above: see `hide_above`.
    opposing: see `oppose`. light: see `lighten`.
    """
    b, h, n_q, n_k, d = shape
    q, k = (draws.on_grid(1.5 * rng.standard_normal((b, h, n, d))) for n in (n_q, n_k))
    draws.aim(q, k, level)
    v = rng.standard_normal((b, h, n_k, d)) + np.linspace(-1, 1, n_k)[:, None] + common
    do = rng.standard_normal((b, h, n_q, d)) + 0.5
    if swinging:
        draws.swing(q, k, v, do)
    if size != 1:
        q, k = (4096 * q, 4096 * k) if wide else (q / 16, k)
        v, do = size * (v + wide), size * do
    if above:
        draws.hide_above(q, k, do)
    if opposing:
        draws.oppose(rng, q, k)
    if light:
        draws.lighten(q, k, v, np.s_[..., slice(*light), :])
    do = np.ones_like(do) if summed else do
    given = with_delta(q, k, v, do, dtype, **rest)
    if summed:
        given["do"] = draws.first_for_all(given["do"], 0, 1, 2, 3)
    return given


def alike(axes: tuple[int, int], d: int) -> draws.Draw:
    """o and do are views of the same layout, in whose memory two axes are swapped."""
    return draws.only(draws.views(heads(2, 3, 37, 37, d, tile_m=16), o=axes, do=axes), *O_AND_DO)


SUMMED = "do is 1 for all, with steps of 0, as o.sum() gives it"
STRIDED = "views, each with a layout of its own"
LAYOUTS = {"q": (1, 2), "k": (2, 3), "v": (0, 1), "o": (2, 3), "do": (0, 1)}
DELTA_HALF = "float16: the products are summed in float32"
DELTA_RAGGED = "the last tile is ragged: 37 = 16 + 16 + 5 queries, two batches of three heads, d = 32"
DELTA_WIDE = "float16, d = 128"
DELTA_UNSEEN = "causal, float16, 40 queries and 24 keys: the first 16 queries see none, their o is 0"
UNSEEN_HALF: dict[str, Any] = {"dtype": np.float16, "causal": True}
O_AND_DO = ("o", "do", "tile_m")
DELTA_TRAFFIC = "traffic: 100 queries in tiles of 32, d = 128"
DELTA = [
    Case("plain", "one head, 16 queries, d = 16, one tile", draws.only(heads(1, 1, 16, 16, 16, tile_m=16), *O_AND_DO)),
    Case("single", "one query", draws.only(heads(1, 1, 1, 1, 16, tile_m=16), *O_AND_DO)),
    Case("ragged", DELTA_RAGGED, draws.only(heads(2, 3, 37, 20, 32, tile_m=16), *O_AND_DO)),
    Case(
        "float16", DELTA_HALF, draws.only(heads(1, 2, 40, 40, 64, dtype=np.float16, tile_m=32), *O_AND_DO), budget=True
    ),
    Case("wide", DELTA_WIDE, draws.only(heads(1, 2, 40, 40, 128, dtype=np.float16, tile_m=32), *O_AND_DO)),
    Case(
        "fully-masked", DELTA_UNSEEN, draws.only(draws.sized(heads, 1, 2, 40, 24, (16, 32), **UNSEEN_HALF), *O_AND_DO)
    ),
    Case(
        "strided",
        STRIDED,
        draws.only(draws.views(heads(2, 3, 37, 20, 16, dtype=np.float16, tile_m=16), **LAYOUTS), *O_AND_DO),
    ),
    Case("heads-inside", "o and do are both views of (B, N_q, H, d)", alike((1, 2), d=32)),
    Case("columns-inside", "o and do are both views of (B, H, d, N_q)", alike((2, 3), d=16)),
    Case("summed", SUMMED, draws.only(heads(2, 3, 37, 20, 64, summed=True, tile_m=16), *O_AND_DO)),
    Case("traffic", DELTA_TRAFFIC, draws.only(heads(1, 2, 100, 16, 128, tile_m=32), *O_AND_DO), budget=True),
]

RAGGED = "ragged on both sides: 37 = 16 + 16 + 5 queries, 53 = 32 + 21 keys; two batches of two heads"
TALL = "129 queries, 33 keys, d = 128, tiles of 128 x 16: the last of either side holds one"
CROSS = "causal, float16, d = 128, 20 queries at the end of 85 keys: query 0 already sees 66 of them"
CORNER = "causal, 33 queries and 31 keys: query 16, with which a tile begins, sees all of keys 0 to 15 but the last"
UNSEEN = "causal, float16, d = 64, 69 queries, only 11 keys: the first 58 queries see none, their L is -inf"
SWING = "float16: the sums over ten tiles are large on the way and small at the end"
BEYOND = "float16, v and do around 100: dP passes the largest number of float16, and dS and the gradients do not"
COMMON = "float16, values around 100: dP and delta are large, and their difference is small"
TINY = "float16: dP and delta pass its largest number, and dS falls below its smallest once it is scaled"
OPPOSED = "float16: scores are differences of large terms, of which neither q nor k may be scaled and rounded again"
LARGE_TILES = "traffic: causal, float16, 130 queries, 150 keys, whose products are counted, tiles of"
TURNED = "q and v are views of (B, H, d, N), k of (B, N, H, d), and do is 1 for all, with steps of 0, as of o.sum()"
UP, DOWN = np.linspace(150, 250, 21), np.append(np.linspace(-150, -500, 18), (-11_000, -11_500, -12_000))

SETTINGS = ("causal", "scale", "tile_m", "tile_n")
GIVEN = ("q", "k", "v", "do", "L", "delta", *SETTINGS)


def tiled(*names: str, by_keys: bool = False) -> list[Case]:
    """The situations of a backward pass in Triton, with the arguments `names`; by_keys: the outputs have keys' rows.

    Tiles, numbers of heads and dtypes come in few combinations: a GPU compiles four kernels for each.
    """

    def case(
        key: str, name: str, *shape, regimes: tuple[str, ...] = (), budget: bool = False, m=16, n=32, **rest
    ) -> Case:
        draw = draws.only(heads(*shape, tile_m=m, tile_n=n, **rest), *names)
        return Case(key, name, draw, regimes, tile=(n if by_keys else m, shape[4]), budget=budget)

    own = draws.views(heads(2, 3, 20, 24, 16, tile_m=16, tile_n=32), **LAYOUTS)
    summed = heads(2, 3, 20, 24, 16, summed=True, tile_m=16, tile_n=32)
    turned = draws.views(summed, q=(2, 3), k=(1, 2), v=(2, 3))
    long = (1, 1, *((320, 32) if by_keys else (32, 320)), 32)
    many = (1, 1, *((96, 32) if by_keys else (32, 96)), 32)
    half: dict[str, Any] = {"dtype": np.float16, "m": 32}
    # Tiles are few: what is rounded is no sum of many.
    few: dict[str, Any] = {"dtype": np.float16, "m": 32, "size": 100}
    wide: dict[str, Any] = {"m": 32, "n": 16} if by_keys else {"m": 16, "n": 32}  # the tiles of the loop
    large: dict[str, Any] = {"m": 32, "n": 64} if by_keys else {"m": 64, "n": 32}  # those of the loop are smaller
    of_large = f"{LARGE_TILES} {large['m']} x {large['n']}"
    counted = f"traffic: causal, 64 queries, 77 keys, tiles of {'32 x 16' if by_keys else '16 x 32'}", 1, 2, 64, 77, 16
    return [
        case("plain", "one head, 32 queries, 64 keys, d = 16, tiles of 16 x 32", 1, 1, 32, 64, 16),
        case("single", "one query, one key", 1, 1, 1, 1, 16),
        case("ragged", RAGGED, 2, 2, 37, 53, 64),
        case("tall-tiles", TALL, 1, 1, 129, 33, 128, m=128, n=16, dtype=np.float16),
        draws.own_tiles(draws.only(heads(1, 1, 70, 150, 32, causal=True, dtype=np.float16), *names)),
        case("scaled", CAUSAL_SCALED, 1, 1, 33, 47, 32, scale=0.125, causal=True),
        case("causal", "causal, two heads, 64 queries and keys in tiles of 16 x 32", 1, 2, 64, 64, 16, causal=True),
        case("cross", CROSS, 1, 1, 20, 85, 128, causal=True, dtype=np.float16, budget=True),
        case("edge-key", flash_tiles.EDGE, 1, 1, 16, 17, 16, n=16, causal=True),
        case("edge-query", CORNER, 1, 1, 33, 31, 16, n=16, causal=True),
        case("fully-masked", UNSEEN, 1, 1, 69, 11, 64, causal=True, dtype=np.float16, budget=True),
        case("light", draws.LIGHT, 1, 1, 33, 48, 32, n=16, light=(16, 32)),
        case("large-positive", flash_tiles.LARGE, 1, 2, 21, 37, 128, level=UP),
        case("very-negative", "scores from -12000 to -150, where exp(-L) overflows", 1, 2, 21, 37, 16, level=DOWN),
        case("hidden-higher", draws.HIDDEN_ABOVE, 1, 1, 9, 9, 16, above=True, causal=True),
        case("float16", "float16, d = 32: ten tiles of 32 are added to each sum", *long, **half, budget=True),
        case("float16-sums", SWING, *long, **half, swinging=True),
        case("large-gradients", BEYOND, *many, **few),
        case("tiny-scale", TINY, *many, **few, wide=True, scale=2e-10),
        case("float16-scores", OPPOSED, 1, 1, 32, 32, 32, **half, opposing=True, scale=0.2337),
        case("common-part", COMMON, *many, **half, common=100),
        Case("strided", STRIDED, draws.only(own, *names), tile=(32 if by_keys else 16, 16)),
        Case("turned", TURNED, draws.only(turned, *names), ("strided",)),
        case("traffic", *counted, causal=True, budget=True, **wide),
        case("large-tiles", of_large, 1, 1, 130, 150, 16, causal=True, budget=True, dtype=np.float16, **large),
    ]


BY_KEYS, BY_QUERIES = tiled(*GIVEN, by_keys=True), tiled(*GIVEN)
OF_ONE_KERNEL = ("tall-tiles", "edge-key", "edge-query", "own-tiles")  # where its loop begins and ends
SMALL_TILES = "traffic: causal, float16, 64 queries, 77 keys, tiles of 16 x 16, smaller than anybody would choose"
UNTILED = "causal, two heads, 64 queries and keys, and no tile sizes are given"


def of_all_kernels(*names: str) -> list[Case]:
    """The situations of more than one kernel, with the arguments `names`; in one of them no tile sizes are given."""
    small = heads(1, 2, 64, 77, 32, causal=True, dtype=np.float16, tile_m=16, tile_n=16)

    def changed(case: Case) -> Case:
        if case.key == "causal":
            return replace(case, name=UNTILED, draw=draws.only(case.draw, *names, "causal"))
        if case.key == "traffic":
            return replace(case, name=SMALL_TILES, draw=draws.only(small, *names, *SETTINGS))
        return case

    return [changed(c) for c in tiled(*names, *SETTINGS) if c.key not in OF_ONE_KERNEL]


TOGETHER, OPERATOR = of_all_kernels("q", "k", "v", "o", "L", "do"), of_all_kernels("q", "k", "v", "do")


def on_gpu(*names: str, **tiles: Any):
    """Arguments of the size of a real problem, for the compiler: float16, d = 64."""
    return draws.only(heads(1, 2, 256, 256, 64, dtype=np.float16, causal=True, **tiles), *names)


delta_loads, key_value_stores, query_stores = draws.bytes_of("o", "do"), draws.bytes_of("k", "v"), draws.bytes_of("q")


def delta_stores(a: Arguments) -> int:
    return 4 * a["o"][..., 0].size


def moved(a: Arguments, rows: int, visits: int) -> int:
    """Bytes of all heads: `rows` rows of two matrices, once, and `visits` rows of the other two, L and delta apart."""
    batch, heads, _, d = a["q"].shape
    return batch * heads * 2 * d * a["q"].itemsize * (rows + visits)


def key_value_loads(a: Arguments) -> int:
    """k and v once; q, do, L and delta for each tile of keys, from the first tile of queries that sees one of them."""
    batch, heads = a["q"].shape[:2]
    visits = flash_tiles.queries_of_tiles(a, a["tile_m"], a["tile_n"])
    return moved(a, a["k"].shape[2], visits) + batch * heads * visits * 2 * 4


def query_loads(a: Arguments) -> int:
    """q, do, L and delta once; k and v for each tile of queries, up to the last tile of keys that one of them sees."""
    batch, heads, n_q, _ = a["q"].shape
    return moved(a, n_q, flash_tiles.keys_of_tiles(a, a["tile_m"], a["tile_n"])) + batch * heads * n_q * 2 * 4


def key_value_asked(a: Arguments) -> int:
    """Elements of the tiles in `key_value_loads`, whether they are ragged or not."""
    (batch, heads, _, d), n_k, tile_m, tile_n = a["q"].shape, a["k"].shape[2], a["tile_m"], a["tile_n"]
    visits = flash_tiles.whole(flash_tiles.queries_of_each_tile(a, tile_m, tile_n), tile_m)
    return batch * heads * (2 * d * flash_tiles.whole([n_k], tile_n) + (2 * d + 2) * visits)


def query_asked(a: Arguments) -> int:
    """Elements of the tiles in `query_loads`, whether they are ragged or not."""
    (batch, heads, n_q, d), tile_m, tile_n = a["q"].shape, a["tile_m"], a["tile_n"]
    keys = flash_tiles.whole(flash_tiles.keys_of_each_tile(a, tile_m, tile_n), tile_n)
    return batch * heads * (2 * d * keys + (2 * d + 2) * flash_tiles.whole([n_q], tile_m))


def key_value_products(a: Arguments) -> int:
    """Of S, dV, dP and dK, for the tiles in `key_value_loads`."""
    (batch, heads, _, d), tile_m, tile_n = a["q"].shape, a["tile_m"], a["tile_n"]
    queries = flash_tiles.queries_of_each_tile(a, tile_m, tile_n)
    return batch * heads * flash_tiles.products_of_tiles(queries, tile_m, tile_n, d, products=4)


query_products = flash_tiles.products_of(3)  # of S, dP and dQ, for the tiles in `query_loads`


def tile_of_rows(a: Arguments) -> int:
    """What the program of one tile of rows moves: o and do, and a number for each row."""
    return a.get("tile_m", 64) * (2 * a["o"].itemsize * a["o"].shape[3] + 4)


def multiplied_in_rows(a: Arguments) -> int:
    """Each number of o with its own of do, in whole tiles."""
    batch, heads, n_q, d = a["o"].shape
    tile = a.get("tile_m", 64)
    return batch * heads * ceil(n_q / tile) * tile * d


def tile_of_keys(a: Arguments) -> int:
    """What the program moves whose keys are seen by most queries: k, v, dk and dv once, q, do, L and delta in turn."""
    row, visits = (
        2 * a["q"].itemsize * a["q"].shape[3],
        max(flash_tiles.queries_of_each_tile(a, a["tile_m"], a["tile_n"])),
    )
    return row * (2 * a["tile_n"] + visits) + 2 * 4 * visits


def tile_of_queries(a: Arguments) -> int:
    """What the program moves whose queries see most keys: q, do, dq, L and delta once, k and v in turn."""
    number, keys = a["q"].itemsize * a["q"].shape[3], max(flash_tiles.keys_of_each_tile(a, a["tile_m"], a["tile_n"]))
    return number * (3 * a["tile_m"] + 2 * keys) + a["tile_m"] * 2 * 4


def tiles_of_both(a: Arguments) -> int:
    return flash_tiles.tiles_of_queries(a) + flash_tiles.tiles_of_keys(a)


def programs_of_all(a: Arguments) -> int:
    """Those of both, and one for each query at most: `row_delta` may keep its own tile."""
    return tiles_of_both(a) + int(a["q"][..., 0].size)


def tiles_of_all(a: Arguments) -> int:
    return tile_of_rows(a | {"tile_m": max(64, a["tile_m"])}) + tile_of_keys(a) + tile_of_queries(a)


def all_loads(a: Arguments) -> int:
    return delta_loads(a) + key_value_loads(a) + query_loads(a)


def all_products(a: Arguments) -> int:
    return key_value_products(a) + query_products(a)


def one_product_of_each(a: Arguments) -> int:
    """Multiplications of one matrix product of the tiles that meet in each of the two kernels."""
    return key_value_products(a) // 4 + query_products(a) // 3


def all_stores(a: Arguments) -> int:
    return delta_stores(a) + key_value_stores(a) + query_stores(a)


def results_and(numbers: int) -> Callable[[Arguments], int]:
    """o and the three gradients, and so many numbers for each query."""
    return lambda a: 2 * a["q"].nbytes + a["k"].nbytes + a["v"].nbytes + numbers * 4 * a["q"][..., 0].size


exercise = partial(
    Exercise,
    backend="triton",
    forbidden=KERNEL_FORBIDDEN,
    allowed=("clone",),
    tolerance=GRADIENTS,
    without=draws.NO_GROUPS_YET | NO_MAX,
)
BY_TILES_OF_KEYS = "k and v once; q, do, L and delta for each tile of keys, from its first query on"
BY_TILES_OF_QUERIES = "q, do, L and delta once; k and v for each tile of queries, up to the last key that it sees"
KEY_VALUE_GRADIENTS = exercise(
    function=flash_backward.key_value_gradients,
    kernels=(flash_backward.visit_queries, flash_backward.key_value_gradients_kernel),
    oracle=to_keys_and_values,
    outputs=(Output("dK"), Output("dV")),
    points=4,
    compiled=on_gpu(*GIVEN, tile_m=32, tile_n=64),
    cases=BY_KEYS,
    budget=Budget(
        is_the_point=True,
        loads=Bound(key_value_loads, BY_TILES_OF_KEYS),
        asked=Bound(key_value_asked, BY_TILES_OF_KEYS),
        products=Bound(key_value_products, flash_tiles.SEEN_PAIRS),
        product_calls=flash_tiles.twice_the_calls(key_value_products),
        met=Bound(lambda a: key_value_products(a) // 4),
        stores=Bound(key_value_stores, "dk and dv once"),
        memory=Bound(key_value_stores, "dk and dv themselves"),
        programs=flash_tiles.BY_KEYS,
        region=flash_tiles.OF_KEYS,
        busiest=draws.a_quarter_more(tile_of_keys, "a tile of keys"),
        widest=flash_tiles.TWO_TILES,
        **flash_tiles.A_PAIR_AT_A_TIME,
    ),
)

EXERCISES = [
    exercise(
        function=flash_backward.row_delta,
        kernels=(flash_backward.row_delta_kernel,),
        oracle=one_number_a_query,
        outputs=(Output("delta", dtype="float32"),),
        points=1,
        compiled=on_gpu("o", "do"),
        cases=DELTA,
        without=draws.NO_GROUPS_YET
        | NO_MAX
        | dict.fromkeys(("large positive", "very negative"), "there are no logits here")
        | {"cross": "keys play no part in it"},
        budget=Budget(
            loads=Bound(delta_loads, "o and do once"),
            products=Bound(lambda a: 0, "a row of o meets its own row of do alone"),
            powers_in_all=Bound(lambda a: 0, "none: delta is a sum of products"),
            by_number=draws.a_quarter_more(multiplied_in_rows, "one of each number of o"),
            stores=Bound(delta_stores, "delta once"),
            memory=Bound(delta_stores, "delta itself"),
            busiest=Bound(tile_of_rows, "a tile of rows"),
        ),
    ),
    KEY_VALUE_GRADIENTS,
    replace(
        KEY_VALUE_GRADIENTS,
        function=flash_backward.query_gradients,
        kernels=(flash_backward.visit_keys, flash_backward.query_gradients_kernel),
        oracle=to_queries,
        outputs=(Output("dQ"),),
        points=3,
        compiled=on_gpu(*GIVEN, tile_m=64, tile_n=32),
        cases=BY_QUERIES,
        mutants=flash_tiles.visited_keys(causal="causal", full="tall-tiles"),
        budget=Budget(
            is_the_point=True,
            loads=Bound(query_loads, BY_TILES_OF_QUERIES),
            asked=Bound(query_asked, BY_TILES_OF_QUERIES),
            products=Bound(query_products, flash_tiles.SEEN_PAIRS),
            product_calls=flash_tiles.twice_the_calls(query_products),
            met=Bound(lambda a: query_products(a) // 3),
            stores=Bound(query_stores, "dq once"),
            memory=Bound(query_stores, "dq itself"),
            programs=flash_tiles.BY_QUERIES,
            region=flash_tiles.OF_QUERIES,
            busiest=draws.a_quarter_more(tile_of_queries, "a tile of queries"),
            widest=flash_tiles.TWO_TILES,
            **flash_tiles.A_PAIR_AT_A_TIME,
        ),
    ),
    exercise(
        function=flash_backward.attention_backward,
        oracle=gradients,
        outputs=GRADIENT_OUTPUTS,
        points=1,
        cases=TOGETHER,
        budget=Budget(
            is_the_point=True,
            again=ONE_TILE_EACH,
            loads=Bound(all_loads, "what the three kernels may move together"),
            products=Bound(all_products, "what the three kernels multiply"),
            product_calls=flash_tiles.twice_the_calls(all_products),
            met=Bound(one_product_of_each),
            stores=Bound(all_stores, "what the three kernels may move together"),
            memory=Bound(all_stores, "dq, dk, dv and delta"),
            programs=Bound(programs_of_all, "those of the three", least=tiles_of_both),
            launches=launched(3, "each of the three kernels once"),
            region=Bound(flash_tiles.larger_tile, "a tile of consecutive queries or keys"),
            **flash_tiles.A_PAIR_AT_A_TIME,
            busiest=draws.a_quarter_more(tiles_of_all, "a tile of rows, of keys and of queries"),
        ),
    ),
    exercise(
        function=flash_backward.attention_with_gradients,
        oracle=right.forward_and_backward,
        outputs=(Output("O"), *GRADIENT_OUTPUTS),
        points=2,
        forbidden=("softmax", "logsumexp", "scaled_dot_product"),
        allowed=("clone", "copy"),  # in q.grad a gradient gets the layout of q
        cases=OPERATOR,
        budget=Budget(
            is_the_point=True,
            memory=Bound(results_and(3), "o, dq, dk, dv, and three numbers for every query"),
            stores=Bound(results_and(2), "o, L, delta, dq, dk and dv once: each kernel runs once"),
            products=Bound(
                lambda a: flash_tiles.products_of_both(a) + all_products(a),
                "what one forward and one backward pass multiply",
            ),
            met=Bound(lambda a: flash_tiles.one_product(a) + one_product_of_each(a)),
            launches=launched(4, "each of the four kernels once"),
            backwards=Bound(lambda a: 3 * all_products(a) // 4, "three quarters of what a backward pass multiplies"),
        ),
    ),
]

QUESTIONS = [
    Question(
        name="executed_tflops",
        ask="300 TFLOP/s are reported for five products, but seven are computed. At how many TFLOP/s do the "
        "matrix units work?",
        answer=Quantity(420, "TFLOP/s", rel=0.01),
        why="In the same time they do 7/5 of the work: 300 * 7/5 = 420 TFLOP/s.",
    ),
    Question(
        name="loads_of_q",
        ask="N_k = 4096, tiles of 128 keys, no mask: how often is each entry of Q loaded from main memory by the dK/dV "
        "kernel?",
        answer=Quantity(32, "times"),
        why="Each of the 4096 / 128 = 32 programs of a head goes through all the queries; K and V are loaded once.",
    ),
]
