"""The kernel for windows and sinks: its inputs, what it may move, its situations and its mistakes."""

from dataclasses import replace
from math import ceil
from typing import Any

from numpy.random import Generator

from autograder.exercises import draws, flash_tiles
from autograder.exercises.causal_flash import TURN, TURNED, VIEWS, moved
from autograder.exercises.flash_forward import SINGLE, WRONG_LSE, heads, negative_scale, new_terms, on_a_gpu
from autograder.exercises.flash_forward import situations as unhidden
from autograder.spec.exercise import Arguments, Bound, Budget, Case

# Inputs.


@draws.drawn
def hiding_seven(rng: Generator, /, draw: draws.Draw) -> Arguments:
    """What `draw` makes, with 2 sinks and a window that is 7 keys too short for all of them."""
    given = draw(rng)
    return given | {"window": given["k"].shape[2] - 7, "sinks": 2}


@draws.drawn
def columns_first(rng: Generator, /, draw: draws.Draw) -> Arguments:
    """What `draw` makes, with v (B, H, d, N) in memory, and one head of k for all."""
    given = draw(rng)
    return given | {"k": draws.first_for_all(given["k"], 1), "v": draws.swapped(given["v"], 2, 3)}


# What a call may move.


def visits(given: Arguments) -> list[list[int]]:
    """For each tile of queries how many keys there are in each tile of keys that it has to visit."""
    (n_q, n_k), (tile_m, tile_n) = (given[x].shape[2] for x in "qk"), (given["tile_m"], given["tile_n"])
    found = []
    for first in range(n_k - n_q, n_k, tile_m):  # the position of the tile's first query
        oldest, end = first - given["window"] + 1, min(first + tile_m, n_k)
        starts = [j for j in range(0, end, tile_n) if j < given.get("sinks", 0) or j + tile_n > oldest]
        found.append([min(tile_n, n_k - start) for start in starts])
    return found


def loads(given: Arguments) -> int:
    b, h, n_q, d = given["q"].shape
    return given["q"].itemsize * b * h * d * (n_q + 2 * sum(map(sum, visits(given))))


def asked(given: Arguments) -> int:
    """Elements of all tiles, whether they are ragged or not."""
    b, h, n_q, d = given["q"].shape
    keys = given["tile_n"] * sum(map(len, visits(given)))
    return int(b * h * d * (ceil(n_q / given["tile_m"]) * given["tile_m"] + 2 * keys))


def products(given: Arguments) -> int:
    """Of S and of P V, for the tiles in `loads`."""
    (batch, heads, _, d), tile_m, tile_n = given["q"].shape, given["tile_m"], given["tile_n"]
    keys = [n for tiles in visits(given) for n in tiles]
    return batch * heads * flash_tiles.products_of_tiles(keys, tile_n, tile_m, d)


def tile_of_queries(given: Arguments) -> int:
    """Bytes that the program moves that visits most keys: q, o and L once, k and v in turn."""
    keys = max(map(sum, visits(given)), default=0)
    return int(2 * given["q"].itemsize * given["q"].shape[3] * (given["tile_m"] + keys) + 4 * given["tile_m"])


SEEN_TILES = "q once; for each tile of queries the tiles of k and v that hold a sink or a key of its window, once"
BUDGET = Budget(
    is_the_point=True,
    loads=Bound(loads, SEEN_TILES),
    stores=Bound(flash_tiles.output_and_lse_bytes, "o and L once"),
    asked=Bound(asked, SEEN_TILES),
    products=Bound(products, flash_tiles.SEEN_PAIRS),
    product_calls=flash_tiles.twice_the_calls(products),
    memory=Bound(flash_tiles.output_and_lse_bytes, "o and L"),
    programs=flash_tiles.BY_QUERIES,
    region=flash_tiles.OF_QUERIES,
    busiest=draws.a_quarter_more(tile_of_queries, "a tile of queries"),
    widest=flash_tiles.ONE_TILE,
    **flash_tiles.A_PAIR_AT_A_TIME,
)

# The situations.

PLAIN = "one head, 60 tokens, a window of 9, 3 sinks, tiles of 16: the last queries see nothing of the tile at key 16"
BARE = "60 tokens, a window of 9, no sinks: the last queries of a tile see nothing of the first tile it visits"
ITSELF = "a window of one, no sinks: every token sees itself alone"
WIDE_WINDOW = "37 tokens, a window of 10^10: plain causal attention"
TWO_SINK_TILES = "70 tokens, 21 sinks, a window of 5: the sinks take two tiles, the second in part"
WHOLE_SINK_TILE = "60 tokens, 16 sinks, a window of 9: the sinks fill one tile"
ALL_SINKS = "10^10 sinks and 37 tokens: more sinks than tokens"
SINKS_NEAR = "60 tokens, 20 sinks, a window of 30: the window of some tiles of queries begins among the sinks"
LAST_OF_TILE = "48 tokens, a window of 18: query 32, with which a tile begins, still sees key 15, the last of a tile"
NONE_OF_TILE = "48 tokens, a window of 17: query 32, with which a tile begins, sees back to key 16 and no further"
CROSS = "5 queries at the end of 60 keys: 55 tokens are cached already"
WIDE_TILES = "tiles of 16 queries and 32 keys, 90 tokens"
TALL_TILES = "tiles of 128 queries and 16 keys, 150 tokens"
HEADS = "two batches of three heads, 19 queries, 50 keys, d = 32, tiles of 32 queries and 16 keys"
ZERO = "the scale is 0: all keys that are seen weigh alike"
LEFT_HIGHER = "every five keys score 12000 less than those before, so that what the window leaves behind is higher"
LOW = "scores down to -100,000 beside hidden ones"
FEW_HEADS = "d = 128, fp16, 33 queries, 100 keys, tiles of 32"
SIXTEEN = "d = 64, fp16, 100 tokens, tiles of 32"
ODD_VIEWS = "views: no row of q or v is contiguous, and all heads of k are one in memory"
COUNTED = "bytes are counted: two heads, some 40 queries, some 85 keys, a window of 20, 5 sinks, tiles of 16"
COUNTED_BARE = "bytes are counted: two heads, some 40 queries, some 85 keys, a window of 20, no sinks, tiles of 16"
COUNTED_WIDE = "bytes are counted: some 75 queries, some 120 keys, a window of 20, 40 sinks, tiles of 16 x 32"

SMALL, LARGE = (range(35, 45), range(75, 95)), (range(70, 80), range(110, 130))  # queries and keys
TILE = (16, 16)
BAND = {"window": 9, "sinks": 3}
NARROW: dict[str, Any] = BAND | {"dtype": "float16"}


def of_window(case: Case) -> Case:
    return replace(case, draw=hiding_seven(case.draw))


def counted(n_heads: int, n_q: range, n_k: range, **rest: object) -> draws.Draw:
    return draws.sized(heads, 1, n_heads, n_q, n_k, 16, window=20, **rest)


CASES = [
    Case("plain", PLAIN, heads(1, 1, 60, 60, 16, **BAND), ("ragged",), tile=TILE),
    Case("single", SINGLE, heads(1, 1, 1, 1, 16, window=1, sinks=1)),
    Case("no-sinks", BARE, heads(1, 1, 60, 60, 16, window=9), tile=TILE),
    Case("window-of-one", ITSELF, heads(1, 1, 37, 37, 16, window=1), tile=TILE),
    Case("wide-window", WIDE_WINDOW, heads(1, 1, 37, 37, 16, window=10**10, sinks=3), tile=TILE),
    Case("sinks-over-tile", TWO_SINK_TILES, heads(1, 1, 70, 70, 16, window=5, sinks=21), tile=TILE),
    Case("whole-sink-tile", WHOLE_SINK_TILE, heads(1, 1, 60, 60, 16, window=9, sinks=16), tile=TILE),
    Case("sinks-over-tokens", ALL_SINKS, heads(1, 1, 37, 37, 16, window=3, sinks=10**10), tile=TILE),
    Case("sinks-in-window", SINKS_NEAR, heads(1, 1, 60, 60, 16, window=30, sinks=20), tile=TILE),
    Case("edge-window", LAST_OF_TILE, heads(1, 1, 48, 48, 16, window=18), tile=TILE),
    draws.metered("edge-hidden", NONE_OF_TILE, heads(1, 1, 48, 48, 128, window=17), tile=TILE),
    Case("edge-key", flash_tiles.EDGE, heads(1, 1, 16, 17, 16, window=12), tile=TILE),
    Case("cross", CROSS, heads(1, 2, 5, 60, 16, **BAND), tile=TILE),
    Case("decode-step", "one query at the end of 90 keys: a decode step", heads(1, 1, 1, 90, 16, **BAND), tile=TILE),
    Case("wide-tiles", WIDE_TILES, heads(1, 1, 90, 90, 16, tiles=(16, 32), **BAND), tile=(16, 32)),
    Case("tall-tiles", TALL_TILES, heads(1, 1, 150, 150, 16, tiles=(128, 16), **BAND), tile=(128, 16)),
    Case("heads", HEADS, heads(2, 3, 19, 50, 32, tiles=(32, 16), **BAND), tile=(32, 16)),
    *map(of_window, [*unhidden(21, 33), negative_scale(21, 37)]),
    Case("zero-scale", ZERO, heads(1, 1, 21, 60, 16, scale=0.0, **BAND), tile=TILE),
    Case("hidden-higher", draws.HIDDEN_HIGHER, heads(1, 1, 37, 37, 16, profile=draws.stairs(37), **BAND), tile=TILE),
    Case("past-higher", LEFT_HIGHER, heads(1, 1, 37, 37, 16, profile=draws.stairs(37)[::-1], window=9), tile=TILE),
    draws.billions_below(heads(1, 1, 37, 37, 16, **BAND)),
    Case("hidden-low", LOW, heads(1, 1, 21, 37, 16, level=flash_tiles.low(21), window=9), tile=TILE),
    draws.own_tiles(heads(1, 2, 70, 150, 16, dtype="float16", **BAND)),
    draws.metered("wide-head", FEW_HEADS, heads(1, 1, 33, 100, 128, tiles=(32, 32), **NARROW), tile=(32, 32)),
    draws.metered("float16-window", SIXTEEN, heads(1, 1, 100, 100, 64, tiles=(32, 32), **NARROW)),
    Case("strided", VIEWS, moved(2, 3, 19, 50, 32, rows=True, tiles=(32, 16), **BAND), tile=(32, 16)),
    Case("no-contiguous-row", ODD_VIEWS, columns_first(moved(1, 2, 19, 50, 16, rows=False, **BAND)), tile=TILE),
    Case("turned", TURNED, draws.views(heads(1, 2, 19, 50, 16, **BAND), **TURN), tile=TILE),
    Case("wide-heads", draws.WIDE_HEADS, draws.wide(heads(3, 3, 3, 20, 16, dtype="float16", **BAND), k=1, v=0)),
    draws.metered("traffic", COUNTED, counted(2, *SMALL, sinks=5)),
    draws.metered("traffic-no-sinks", COUNTED_BARE, counted(2, *SMALL)),
    draws.metered("traffic-wide-tiles", COUNTED_WIDE, counted(1, *LARGE, tiles=(16, 32), sinks=40)),
]

ON_A_GPU = on_a_gpu(window=64, sinks=4)

# Mistakes; those with the window and the sinks stand in the topic's page.

NUMERICS = [
    *flash_tiles.LSE_IN_BASE_2,
    *WRONG_LSE,
    *flash_tiles.running_sums("exp2", "shift", flash_tiles.MAX),
    *new_terms("exp2", "shift"),
    *flash_tiles.rescaling(flash_tiles.ACC),
    flash_tiles.START_AT_ZERO,
    flash_tiles.SCALE_IGNORED,
]
