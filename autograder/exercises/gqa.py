"""Query heads that share keys and values, by head index, packed into rows, and packed into one tile."""

import math
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.random import Generator

from autograder.exercises import draws, flash_tiles
from autograder.exercises.causal_flash import asked
from autograder.exercises.flash_forward import a_tile, loads
from autograder.exercises.measured import RIDGE
from autograder.spec.exercise import Arguments, Bound, Budget, Case, Exercise, Output, Quantity, Question
from kernels import gqa
from kernels.oracles import gqa as right

MOVED_ONLY = {
    name: "numbers are moved here, not computed with"
    for name in ("ragged", "rising max", "large positive", "very negative", "masked row", "cross")
}


# Inputs.


@draws.drawn
def grouped(rng: Generator, /, *shape: int, level=(0, 0), tiles=(), **rest: Any) -> Arguments:
    """q, k, v with shape = (B, H, H_kv, N_q, N_k, d), see `draws.qkv`, and tile sizes if any.

    level: a first and a last number, between which the rows of all heads lie.
    """
    b, h, h_kv, n_q, n_k, d = shape
    levels = np.linspace(level[0], level[1], h * n_q).reshape(n_q, h).T
    given = draws.qkv(rng, (b, h, n_q, d), (b, h_kv, n_k, d), level=levels, **rest)
    return given | dict(zip(("tile_m", "tile_n"), tiles))


@draws.drawn
def in_a_cache(rng: Generator, /, *shape: int, **rest: object) -> Arguments:
    """The same with k and v as views of the first N_k slots of caches, with room for 11 more keys and 5 more values."""
    given = grouped(*shape, **rest)(rng)
    longer = [(0, 0), (0, 0), (0, 1), (0, 0)]
    room = {"k": 11, "v": 5}
    views = {name: np.pad(given[name], room[name] * np.array(longer))[:, :, : shape[4]] for name in "kv"}
    return given | views


# The axes that are swapped in memory: q and k as a model's projections leave them, (B, N, H, d), and v (H, B, N, d).
TOKENS_BEFORE_HEADS = {"q": (1, 2), "k": (1, 2), "v": (0, 1)}


@draws.drawn
def numbers(rng: Generator, /, name: str, *shape: int, dtype: str = "float32", **rest: int) -> Arguments:
    """One tensor of normal numbers."""
    return {name: rng.standard_normal(shape).astype(dtype)} | rest


# What a call may use.


def scores_memory(given: Arguments) -> int:
    """The output twice and the scores of all heads four times."""
    q = given["q"]
    return 4 * (2 * q.size + 4 * q[..., 0].size * given["k"].shape[2])


SEEN_TILES = "q once; k and v once for each KV head and tile of its packed rows, as far as they see"


# The situations.

UNSEEN = "causal, 12 queries and only 5 keys: the first 7 queries see none, and their rows are 0"
MHA = "as many KV heads as query heads, which is multi-head attention"
MQA = "7 query heads on a single KV head, which is multi-query attention"
FIVE = "10 query heads on 2 KV heads: groups of 5"
TOKENS_FIRST = "heads lie inside tokens, as a model's projections leave them"
OWN_LAYOUTS = "q and k lie token by token in memory, v with its heads outside its batches"
ZERO = "causal, the scale is 0: all keys weigh alike"
NEGATIVE = "causal, the scale is -0.5, and the first key's product with the queries is far larger than the others'"
SIXTEEN, WIDE = "the numbers have 16 bits, and stay as they are", "the numbers have 64 bits, and stay as they are"
BRAIN = "the numbers are bfloat16, which NumPy does not know, and stay as they are"
APART = "the scores of the heads lie 170 apart and more"
CACHE = "k and v are views into a longer cache"
NO_COPY = "memory: 12 query heads on 2 KV heads, 2 queries, some 2100 keys"

BY_INDEX = [
    Case("plain", "4 query heads on 2 KV heads, 3 queries, 5 keys", grouped(1, 4, 2, 3, 5, 4)),
    Case("single", "one head, one query, one key, d = 1", grouped(1, 1, 1, 1, 1, 1)),
    Case("grouped", "two batches, 6 query heads on 2 KV heads: groups of 3", grouped(2, 6, 2, 4, 9, 8)),
    Case("hidden-higher", draws.HIDDEN_HIGHER, grouped(1, 4, 2, 9, 20, 16, profile=draws.stairs(20), causal=True)),
    draws.billions_below(grouped(1, 4, 2, 9, 9, 16, causal=True)),
    Case("groups-of-five", FIVE, grouped(1, 10, 2, 1, 12, 8)),
    Case("mha", MHA, grouped(2, 3, 3, 4, 9, 8)),
    Case("mqa", MQA, grouped(2, 7, 1, 4, 9, 8)),
    Case("scaled", flash_tiles.SCALED, grouped(1, 6, 3, 4, 9, 16, scale=0.2)),
    Case("causal", "causal, as many queries as keys", grouped(1, 6, 2, 70, 70, 8, causal=True)),
    Case("cross", flash_tiles.CROSS, grouped(1, 6, 2, 5, 21, 8, causal=True)),
    Case("fully-masked", UNSEEN, grouped(1, 6, 2, 12, 5, 8, causal=True)),
    Case("light", draws.LIGHT, draws.light(grouped(1, 6, 2, 4, 37, 16), 16, 32)),
    Case("large-positive", flash_tiles.LARGE, grouped(1, 6, 2, 4, 37, 16, level=(150, 250))),
    Case("very-negative", flash_tiles.SMALL, grouped(1, 6, 2, 4, 37, 16, level=(-500, -150))),
    Case("far-below", draws.FAR_BELOW, grouped(1, 6, 2, 9, 13, 8, level=draws.DEEP, causal=True)),
    Case("outlier", draws.OUTLIER, grouped(1, 6, 2, 4, 37, 16, profile=draws.outlier(37), shuffled=True)),
    Case("max-last", draws.LAST_HIGHER, grouped(1, 6, 2, 4, 9, 8, profile=draws.at_last(9))),
    Case("zero-scale", ZERO, grouped(1, 6, 2, 5, 9, 8, scale=0.0, causal=True)),
    Case("negative-scale", NEGATIVE, grouped(1, 6, 2, 5, 9, 8, scale=-0.5, profile=draws.outlier(9), causal=True)),
    Case("heads-apart", APART, grouped(1, 6, 2, 4, 37, 16, level=(-4000, 0))),
    Case("cache-view", CACHE, in_a_cache(2, 6, 2, 3, 9, 8, causal=True)),
    Case("strided", OWN_LAYOUTS, draws.views(grouped(2, 6, 2, 5, 9, 8), **TOKENS_BEFORE_HEADS)),
    draws.metered("memory", NO_COPY, draws.sized(in_a_cache, 1, 12, 2, 2, range(2060, 2140), 128, causal=True)),
]

MOVED = "40 positions of 6 query heads: products are counted"
PACK_PLAIN = "6 query heads on 2 KV heads, 4 positions, d = 2"
PACK = [
    Case("plain", PACK_PLAIN, numbers("q", 1, 6, 4, 2, kv_heads=2), ("grouped",)),
    Case("single", "one head, one position, d = 1", numbers("q", 1, 1, 1, 1, kv_heads=1)),
    Case("decode-step", "one position, as in a decode step", numbers("q", 2, 6, 1, 4, kv_heads=2)),
    Case("heads", "two batches, 6 query heads on 3 KV heads", numbers("q", 2, 6, 5, 4, kv_heads=3)),
    Case("groups-of-two", "4 query heads on 2 KV heads", numbers("q", 1, 4, 3, 2, kv_heads=2)),
    Case("mha", MHA, numbers("q", 2, 3, 4, 2, kv_heads=3)),
    Case("mqa", MQA, numbers("q", 2, 7, 3, 2, kv_heads=1)),
    Case("strided", TOKENS_FIRST, draws.views(numbers("q", 2, 6, 5, 4, kv_heads=2), q=(1, 2))),
    Case("float16", SIXTEEN, numbers("q", 2, 6, 5, 4, dtype="float16", kv_heads=2)),
    Case("bfloat16", BRAIN, numbers("q", 2, 6, 5, 4, dtype="bfloat16", kv_heads=2)),
    Case("float64", WIDE, numbers("q", 2, 6, 5, 4, dtype="float64", kv_heads=2)),
    draws.metered("many-queries", MOVED, numbers("q", 1, 6, 40, 4, kv_heads=2)),
]

COLUMNS = "q is a view of (B, H, d, N_q)"
STRIDED = "rows of both KV heads alternate in memory"
UNPACK = [
    Case("plain", "12 rows on each of 2 KV heads, 6 query heads", numbers("rows", 1, 2, 12, 2, heads=6), ("grouped",)),
    Case("single", "one row, d = 1", numbers("rows", 1, 1, 1, 1, heads=1)),
    Case("decode-step", "one position, as in a decode step", numbers("rows", 2, 2, 3, 4, heads=6)),
    Case("heads", "two batches, 6 query heads on 3 KV heads", numbers("rows", 2, 3, 12, 4, heads=6)),
    Case("groups-of-two", "4 query heads on 2 KV heads", numbers("rows", 1, 2, 6, 2, heads=4)),
    Case("mha", MHA, numbers("rows", 2, 3, 6, 2, heads=3)),
    Case("mqa", MQA, numbers("rows", 2, 1, 21, 2, heads=7)),
    Case("strided", STRIDED, draws.views(numbers("rows", 2, 2, 15, 4, heads=6), rows=(1, 2))),
    Case("float16", SIXTEEN, numbers("rows", 2, 2, 15, 4, dtype="float16", heads=6)),
    Case("bfloat16", BRAIN, numbers("rows", 2, 2, 15, 4, dtype="bfloat16", heads=6)),
    Case("float64", WIDE, numbers("rows", 2, 2, 15, 4, dtype="float64", heads=6)),
    draws.metered("many-queries", MOVED, numbers("rows", 1, 2, 120, 4, heads=6)),
]

TILES = (16, 16)
packed = partial(grouped, tiles=TILES)
PLAIN = "one query, 4 query heads on 2 KV heads, 20 keys, tiles of 16"
CUT = "causal, groups of 3 do not divide the tile of 16: heads of one query lie in two tiles"
EDGE = "causal, groups of 3: only the last row of the first tile sees key 16, with which a tile of keys begins"
BATCHES = "two batches, 6 query heads on 2 KV heads, d = 32, tiles of 128 rows and 16 keys"
BYTES = "bytes are counted: 6 query heads on 2 KV heads, 4 queries, 61 keys in a cache"
BYTES_CAUSAL = "bytes are counted: causal, groups of 3, 30 queries, 32 keys"

WIDE_HEAD = "d = 128, fp16, 700 keys, 18 query heads on one KV head: the tile of 16 rows holds no whole group"
PACKED = [
    Case("plain", PLAIN, packed(1, 4, 2, 1, 20, 16)),
    Case("single", "one head, one query, one key, tiles of 16", packed(1, 1, 1, 1, 1, 16)),
    Case("several-queries", "5 queries: 10 packed rows in a tile of 16", packed(1, 4, 2, 5, 37, 16)),
    Case("causal", "causal, groups of 2: 7 queries and 20 keys", packed(1, 4, 2, 7, 20, 16, causal=True)),
    Case("grouped", CUT, packed(1, 6, 2, 8, 17, 16, causal=True), ("ragged",), tile=(16, 16)),
    Case("hidden-higher", draws.HIDDEN_HIGHER, packed(1, 4, 2, 9, 20, 16, profile=draws.stairs(20), causal=True)),
    draws.billions_below(packed(1, 4, 2, 9, 9, 16, causal=True)),
    Case("edge-key", EDGE, packed(1, 3, 1, 6, 17, 16, causal=True)),
    Case("groups-of-five", FIVE, grouped(1, 10, 2, 2, 33, 16, tiles=(16, 32))),
    Case("mha", MHA, packed(1, 3, 3, 5, 18, 16, causal=True)),
    Case("mqa", MQA, packed(1, 7, 1, 3, 37, 16, causal=True)),
    Case("cross", flash_tiles.CROSS, packed(1, 6, 2, 5, 21, 16, causal=True)),
    Case("fully-masked", UNSEEN, packed(1, 3, 1, 12, 5, 16, causal=True)),
    draws.own_tiles(grouped(1, 6, 2, 90, 110, 16, dtype="float16", causal=True)),
    Case("tall-tiles", BATCHES, grouped(2, 6, 2, 50, 20, 32, tiles=(128, 16))),
    Case("scaled", "causal, and " + flash_tiles.SCALED, packed(1, 4, 2, 3, 21, 16, scale=0.2, causal=True)),
    Case("rising", flash_tiles.LEAPING, packed(1, 3, 1, 4, 33, 16, profile=flash_tiles.leap(33))),
    Case("falling", flash_tiles.FALLING, packed(1, 3, 1, 3, 37, 16, profile=flash_tiles.cliff(37))),
    Case("light", draws.LIGHT, draws.light(packed(1, 3, 1, 4, 37, 16), 16, 32)),
    Case("large-positive", flash_tiles.LARGE, packed(1, 3, 1, 3, 37, 64, level=(150, 250))),
    Case("very-negative", flash_tiles.SMALL, packed(1, 3, 1, 3, 37, 16, level=(-500, -150))),
    Case("far-below", draws.FAR_BELOW, packed(1, 3, 1, 9, 37, 16, level=draws.DEEP, causal=True)),
    Case("jump", draws.JUMP, packed(1, 3, 1, 3, 33, 16, profile=draws.jump(33))),
    Case("float16", flash_tiles.HALF, packed(1, 6, 2, 3, 37, 32, flat=True, dtype="float16")),
    Case(
        "float16-rising",
        flash_tiles.COARSE,
        packed(1, 3, 1, 3, 37, 16, profile=16 * flash_tiles.twelve_a_tile(37), flat=True, dtype="float16"),
    ),
    Case(
        "float16-sums", flash_tiles.LOST, draws.one_outweighs(packed(1, 4, 1, 3, 256, 32, flat=True, dtype="float16"))
    ),
    Case("float16-scores", flash_tiles.UNROUNDED, draws.opposed(packed(1, 4, 1, 6, 50, 32, dtype="float16"))),
    Case("cache-view", CACHE, in_a_cache(2, 4, 2, 3, 20, 16, tiles=TILES, causal=True)),
    Case("strided", OWN_LAYOUTS, draws.views(packed(2, 4, 2, 3, 20, 16), **TOKENS_BEFORE_HEADS)),
    Case("columns-inside", COLUMNS, draws.views(packed(2, 4, 2, 3, 20, 16), q=(2, 3)), ("strided",)),
    Case("wide-head", WIDE_HEAD, grouped(1, 18, 1, 1, 700, 128, tiles=(16, 32), dtype="float16")),
    draws.metered("traffic", BYTES, in_a_cache(1, 6, 2, 4, 61, 16, tiles=(16, 32))),
    draws.metered("traffic-causal", BYTES_CAUSAL, in_a_cache(1, 6, 2, 30, 32, 128, tiles=TILES, causal=True)),
    Case("wide-heads", draws.WIDE_HEADS, draws.wide(packed(3, 3, 3, 3, 20, 64, dtype="float16"), k=1, v=0)),
]

PACK_HEADS = Exercise(
    function=gqa.pack_heads,
    oracle=right.packed,
    outputs=(Output("rows", memory="view"),),
    points=1,
    backend="torch",
    cases=PACK,
    budget=Budget(products=draws.NOTHING_MULTIPLIED, by_number=draws.NOTHING_MULTIPLIED),
    allowed=("tolist",),
    without=MOVED_ONLY,
)

EXERCISES = [
    Exercise(
        function=gqa.grouped_attention,
        oracle=right.without_lse,
        outputs=(Output("O"),),
        points=2,
        backend="torch",
        forbidden=("scaled_dot_product",),
        cases=BY_INDEX,
        without={"ragged": "there is no tile yet", "rising max": "the whole row is seen at once"},
        budget=Budget(
            is_the_point=True,
            memory=Bound(
                scores_memory,
                "4 bytes * (2 outputs + 4 times the scores of all heads), and nothing of the size of k and v",
            ),
            copied=Bound(
                lambda a: draws.queries_and_some(a["q"], a["k"], a["v"]), "q four times, and a sixteenth of k and v"
            ),
            copied_keys=Bound(lambda a: (a["k"].nbytes + a["v"].nbytes) // 16, "a sixteenth of k and v"),
            products=Bound(
                lambda a: draws.each_score_once(a["q"], a["v"], a["k"].shape[2]),
                "2 d for each query and key, and an eighth more",
            ),
        ),
        mutants=flash_tiles.scores_and_mask("(q[:, h] @ k[:, kv].transpose(1, 2))"),
    ),
    PACK_HEADS,
    replace(
        PACK_HEADS,
        function=gqa.unpack_heads,
        oracle=right.unpacked,
        outputs=(Output("o", memory="view"),),
        cases=UNPACK,
    ),
    Exercise(
        function=gqa.packed_attention,
        kernels=(gqa.packed_attention_kernel,),
        oracle=right.with_lse,
        outputs=(Output("O"), Output("L", "float32")),
        points=5,
        backend="triton",
        forbidden=flash_tiles.FORBIDDEN,
        allowed=("clone",),
        cases=PACKED,
        compiled=grouped(2, 16, 2, 4, 512, 128, tiles=(32, 64), dtype="float16", causal=True),
        budget=Budget(
            is_the_point=True,
            loads=Bound(loads, SEEN_TILES),
            asked=Bound(asked, SEEN_TILES),
            products=Bound(flash_tiles.products_of_both, "those of the tiles of rows and keys that see each other"),
            product_calls=flash_tiles.twice_the_calls(flash_tiles.products_of_both),
            stores=Bound(flash_tiles.output_and_lse_bytes, "o and L once"),
            memory=Bound(flash_tiles.output_and_lse_bytes, "o and L"),
            programs=Bound(flash_tiles.tiles_of_rows, "one for each tile of rows of a KV head", exactly=True),
            busiest=draws.a_quarter_more(a_tile, "a tile of packed rows"),
            widest=flash_tiles.TWO_TILES,
            **flash_tiles.A_PAIR_AT_A_TIME,
        ),
        mutants=flash_tiles.in_base_2("shift"),
    ),
]

NEW_TOKENS = math.ceil(RIDGE / 8)
QUESTIONS = [
    Question(
        name="repeated_traffic",
        ask="Groups of 8. repeat_kv reads the cache, writes the copies, and attention reads the copies. How many times "
        "as many bytes move as if the cache were read once?",
        answer=Quantity(17, "times"),
        why="The cache is read once, 1, the copies are 8 times as large and are written, 8, and read, 8: 1 + 8 + 8 = "
        "17. Attention without groups would have read 8.",
    ),
    Question(
        name="last_key_of_a_row",
        ask="Groups of 3, causal, N_q = 40 queries at the end of N_k = 100 keys: how many keys does packed row 47 see?",
        answer=Quantity(76, "keys"),
        why="Row 47 is position 47 // 3 = 15, which sees the keys up to 15 + 100 - 40 = 75: 76 keys. Row 47 taken for "
        "a position would see all 100.",
    ),
    Question(
        name="positions_to_ridge",
        ask=f"Groups of 8, 2-byte numbers, ridge at {RIDGE:.0f} operations per byte: with how many new tokens at a "
        "time, a whole number, does attention over a long cache begin to take longer to compute than to load?",
        answer=Quantity(NEW_TOKENS, "tokens"),
        why="A number of the cache, 2 bytes, is used by 8 N_q rows, in one multiplication and one addition each: 8 N_q "
        f"operations per byte. {8 * NEW_TOKENS - 8} lies below {RIDGE:.0f}, 8 * {NEW_TOKENS} = {8 * NEW_TOKENS} above.",
    ),
    Question(
        name="cache_outweighs",
        ask="A layer of width 8192, groups of 8, a batch of 32, 2-byte numbers: from how many tokens in each cache on "
        "do the caches have more bytes than the weights of its four products?",
        answer=Quantity(2304, "tokens", rel=0.01),
        why="The weights are (4 + 4/8) * 8192^2 bytes, the caches 4 * 32 * n * 8192 / 8. They are equal at n = 4.5 * "
        "8192 / 16 = 2304. With keys for every head it would be 8 * 8192 / 128 = 512.",
    ),
]
