"""Attention forward in CUDA C++: a thread for each query, tiles in shared memory, tiles in registers."""

from collections.abc import Callable
from dataclasses import replace
from math import ceil
from typing import Any

import numpy as np
from numpy.random import Generator

from autograder.exercises import draws
from autograder.exercises.flash_tiles import (
    LARGE,
    cliff,
    keys_of_each_tile,
    keys_of_queries,
    keys_of_tiles,
    output_and_lse_bytes,
)
from autograder.exercises.measured import rate
from autograder.spec.exercise import Arguments, Bound, Budget, Case, Exercise, Output, Quantity, Question
from kernels import cuda_flash_forward, reference
from simt.far import Far

WITHOUT = draws.NO_GROUPS_YET | {"strided": "the launchers hand contiguous tensors over"}
OUTPUTS = (Output("O"), Output("L", "float32"))


# Inputs.


@draws.drawn
def heads(
    rng: Generator, /, *shape: int, level=0.0, profile=0.0, spread=1.5, dtype="float16", **rest: object
) -> Arguments:  # fmt: skip
    """q, k, v with shape = (B, H, N_q, N_k, d); `rest` is handed on.

    The scores, at the scale 1/sqrt(d), are about 1.5 * spread * N(0, 1) + level + profile: `level` is a number or one
    for each query, `profile` a number or one for each key, or a pair of these, for the queries in turns. q and k are
    multiples of 1/16, or of 1/4 beside large levels, so the products are exact in any order of summation. The values
    drift along the keys.
    """
    steps = 4 if np.min(level) < -1000 else 16
    b, h, n_q, n_k, d = shape
    q, k = (draws.on_grid(size * rng.standard_normal((b, h, n, d)), steps) for n, size in ((n_q, spread), (n_k, 1.5)))
    if np.any(level):
        q[..., -1], k[..., -1] = level, d**0.5
    for turn, rise in enumerate(np.atleast_2d(profile) if np.any(profile) else ()):
        q[..., -2 - turn], k[..., -2 - turn] = 0, rise
        q[..., turn :: len(np.atleast_2d(profile)), -2 - turn] = d**0.5
    v = rng.standard_normal((b, h, n_k, d)) + np.linspace(-2, 2, n_k)[:, None]
    return {name: x.astype(dtype) for name, x in (("q", q), ("k", k), ("v", v))} | rest


@draws.drawn
def billions_below(rng: Generator, /, draw: draws.Draw) -> Arguments:
    """What `draw` makes for d = 64, but every key scores -2^31 for the first query of each head.

    This is a power of two, so that nothing is rounded, in whatever order it is summed, nor when it is multiplied by
    log2(e) and subtracted from itself in one step. The other queries do not see the 16 columns that it takes.
    """
    given = draw(rng)
    q, k = given["q"], given["k"]
    q[..., 0, :] = q[..., -16:] = 0
    q[..., 0, -16:], k[..., -16:] = -(2**15), 2**15
    return given


@draws.drawn
def swinging(rng: Generator, /, draw: draws.Draw) -> Arguments:
    """What `draw` makes in float16, but the first and the last key are alike, and their values are around +-4000.

    If they score most, both weigh 1, and O's sums are large on the way and small at the end: whoever rounds them to 16
    bits in between shows it.
    """
    given = draw(rng)
    given["k"][..., -1, :] = given["k"][..., 0, :]
    given["v"][..., 0, :] += 4000
    given["v"][..., -1, :] -= 4000
    return given


def around_a_64th(rng: Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Positive numbers around 1/64, multiples of nothing larger than their last bit."""
    return rng.uniform(0.5, 1.5, shape) / 64


@draws.drawn
def small_entries(rng: Generator, /, draw: draws.Draw) -> Arguments:
    """What `draw` makes, but the entries of q and k are small.

    Whoever rounds scores, or their terms, to multiples of some fraction shows it in L if the scale is large.
    """
    given = draw(rng)
    for name in ("q", "k"):
        given[name] = around_a_64th(rng, given[name].shape).astype(given[name].dtype)
    return given


# Multiples of 8 and 16: at the end of others a warp's lanes may part, and then they meet in the banks.
SOME_HUNDRED = range(208, 225, 8), range(240, 257, 16)  # queries and keys

# The situations, in the same words for every exercise.

SCALED = "causal, and the scale is given: 0.2, not 1/sqrt(64)"
SMALL = "causal; the entries of q and k are around 1/64, and the scale is 1000"
EDGE = "causal, 128 queries and 129 keys: only the last query sees key 128, with which a tile begins"
CROSS = "causal, 10 queries at the end of 72 keys: of the first 64 keys query 0 does not see the last"
UNSEEN = "causal, 90 queries and only 20 keys: the first 70 queries see none, and their rows are 0 and -inf"
OUTLIER = "causal; one key in seven scores 200 more than the rest; the last six, which most queries do not see, 12000"
BILLIONS = "causal; the first query sees one key, with a score of -2^31: no stand-in for -inf is lower"
METERED = f"counted: causal, two heads, some 200 queries and more keys; {draws.FAR_ON}"
METERED_WIDE = f"counted: causal, d = 128, some 200 queries and more keys; {draws.FAR_ON}"
METERED_BFLOAT16 = f"counted: causal, bfloat16, some 200 queries and more keys; {draws.FAR_ON}"
METERED_BOTH = f"counted: causal, bfloat16, d = 128, some 200 queries and more keys; {draws.FAR_ON}"
BFLOAT16: dict[str, Any] = {"dtype": "bfloat16", "causal": True}
UNMASKED = f"counted: no mask, 128 queries and keys, several tiles of them; {draws.FAR_ON}"
WHOLE = f"counted: causal, 256 queries and some more keys: half of them are hidden; {draws.FAR_ON}"
LONG_ROW = "2 queries, 4500 keys: a thread has no room for their scores, not in 16 bits either"
SWING = "3 queries, 264 keys: the sums are large on the way and small at the end"
RISING = "the maximum grows from key to key, over the last 26 by log 65504, or by 800 at once, or by 200 at the last"
CLIMB = 0.44 * np.arange(90), 800.0 * (np.arange(90) > 70), 200.0 * (np.arange(90) == 89)
ENDS = 2.0 * (np.arange(264) % 263 == 0)
PEAKS = 2.0 * np.arange(70) + 200.0 * (np.arange(70) % 7 == 3) + 12_000.0 * (np.arange(70) >= 64)
DEPTHS = np.concatenate((np.linspace(-150, -500, 14), np.linspace(-11000, -12000, 6).round(-1)))

CASES = [
    Case("plain", "one head, 6 queries, 10 keys, d = 64", heads(1, 1, 6, 10, 64)),
    Case("single", "one query and one key", heads(1, 1, 1, 1, 64)),
    Case("ragged", "d = 128, 37 queries, 83 keys: neither is a multiple of a tile", heads(1, 1, 37, 83, 128)),
    Case("heads", "two batches of three heads, 40 queries, 20 keys", heads(2, 3, 40, 20, 64)),
    Case("scaled", SCALED, heads(1, 1, 20, 40, 64, scale=0.2, causal=True)),
    Case("small-entries", SMALL, small_entries(heads(1, 1, 20, 40, 64, scale=1000.0, causal=True))),
    Case("causal", EDGE, heads(1, 1, 128, 129, 64, profile=8 * (np.arange(129) % 64 == 0), causal=True)),
    Case("cross", CROSS, heads(1, 1, 10, 72, 64, profile=8 * (np.arange(72) == 63), causal=True)),
    Case("fully-masked", UNSEEN, heads(1, 1, 90, 20, 64, causal=True)),
    Case("rising", RISING, heads(1, 1, 20, 90, 64, profile=CLIMB, spread=0.1)),
    Case("falling", "the first 16 keys score 120 more than the rest", heads(1, 1, 20, 90, 64, profile=cliff(90))),
    Case("light", draws.LIGHT, draws.light(heads(1, 1, 40, 160, 64, dtype="bfloat16"), 64, 128)),
    Case("outlier", OUTLIER, heads(1, 1, 50, 70, 64, profile=PEAKS, causal=True)),
    Case("large-positive", LARGE, heads(1, 1, 20, 70, 64, level=np.linspace(150, 250, 20))),
    Case("very-negative", "scores from -12000 to -150, where every exp is 0", heads(1, 1, 20, 70, 64, level=DEPTHS)),
    Case("many-keys", SWING, swinging(heads(1, 1, 3, 264, 64, profile=ENDS, spread=0.1))),
    Case("billions-below", BILLIONS, billions_below(heads(1, 1, 20, 20, 64, causal=True))),
    Case("bfloat16", "bfloat16", heads(1, 1, 20, 40, 64, dtype="bfloat16")),
    Case("wide-head", "d = 128 instead of 64: causal, 40 queries, 90 keys", heads(1, 1, 40, 90, 128, causal=True)),
    Case("counted-full", UNMASKED, heads(1, 1, 128, 128, 64), budget=True),
    Case("counted", METERED, draws.sized(heads, 1, 2, *SOME_HUNDRED, 64, causal=True), budget=True),
    Case("counted-wide", METERED_WIDE, draws.sized(heads, 1, 1, *SOME_HUNDRED, 128, causal=True), budget=True),
    Case("counted-bfloat16", METERED_BFLOAT16, draws.sized(heads, 1, 1, *SOME_HUNDRED, 64, **BFLOAT16), budget=True),
    Case("counted-both", METERED_BOTH, draws.sized(heads, 1, 1, *SOME_HUNDRED, 128, **BFLOAT16), budget=True),
    Case("whole-tiles", WHOLE, draws.sized(heads, 1, 1, 256, range(272, 289, 16), 64, causal=True), budget=True),
]


# What a call may move.


def all_heads(given: Arguments) -> int:
    return given["q"].shape[0] * given["q"].shape[1]


def row_loads(given: Arguments) -> int:
    """BH (N_q d + 2 d * the keys that each query sees) elements."""
    n_q, d = given["q"].shape[2:]
    return given["q"].itemsize * all_heads(given) * d * (n_q + 2 * keys_of_queries(given))


def thread_loads(given: Arguments) -> int:
    """128 ceil(N_q / 128) queries, since threads past the end read one too; k and v once for each 128 of them."""
    n_q, d = given["q"].shape[2:]
    return given["q"].itemsize * all_heads(given) * d * (128 * ceil(n_q / 128) + 2 * keys_of_tiles(given, 128, 1))


def tile_loads(tile_m: int) -> Bound:
    """The queries once; for each tile_m of them the tiles of 64 keys and values that one of them sees."""

    def loads(given: Arguments) -> int:
        n_q, d = given["q"].shape[2:]
        return given["q"].itemsize * all_heads(given) * d * (n_q + 2 * keys_of_tiles(given, tile_m, 64))

    return Bound(loads, f"q once; for each {tile_m} queries the tiles of k and v that one of them sees")


def register_sectors(given: Arguments) -> int:
    """Whole rows everywhere; every L has a request of its own, since the queries of a warp's halves lie 8 apart."""
    return (tile_loads(64).most(given) + given["q"].nbytes) // 32 + given["q"][..., 0].size


def rows_of_a_thread(tile_m: int) -> Bound:
    """The budget of each of a block's 128 threads, which store o and L of tile_m queries."""
    return draws.share_of_a_thread(lambda a: tile_m * (a["q"].itemsize * a["q"].shape[3] + 4), 128)


def barriers(tile_m: int, tile_n: int) -> Bound:
    """Of a block of tile_m queries that walks over tiles of tile_n keys."""
    return draws.barriers_of_tiles(lambda a: ceil(max(keys_of_each_tile(a, tile_m, tile_n)) / tile_n))


def powers_of_a_thread(tiles: Callable[[Arguments], int], each: Callable[[Arguments], int]) -> Bound:
    """The budget of one thread: so many for each tile that its block walks over, half as many again, and a few."""
    return Bound(lambda a: 3 * tiles(a) * each(a) // 2 + 16, "1.5 times its even share of the scores of tiles, and 16")


NOTHING_AGAIN = Bound(lambda a: 0, "a block loads each number once")


def queries_of_a_block(tile_m: int, tile_n: int) -> dict[str, Any]:
    """The budget of a block whose tile_m queries walk over the keys that one of them sees, tile_n at a time."""

    def moved(given: Arguments) -> int:
        row = 2 * given["q"].itemsize * given["q"].shape[3]
        return tile_m * (row + 4) + row * max(keys_of_each_tile(given, tile_m, tile_n))

    def tiles(given: Arguments) -> int:
        return ceil(max(keys_of_each_tile(given, tile_m, tile_n)) / tile_n)

    return {
        "block": draws.a_quarter_more(moved, f"a tile of {tile_m} queries"),
        "again": NOTHING_AGAIN,
        "exponentials": powers_of_a_thread(tiles, lambda a: tile_m * tile_n // 128),
        "thread": rows_of_a_thread(tile_m),
        "barriers": barriers(tile_m, tile_n),
        "thread_loads": draws.share_of_a_thread(moved, 128),
    }


def rows_of_a_block(given: Arguments) -> int:
    """What a block of 128 queries moves, each of which reads the keys that it sees."""
    row, keys = 2 * given["q"].itemsize * given["q"].shape[3], keys_of_each_tile(given, 1, 1)
    return 128 * (row + 4) + row * max(sum(keys[begin : begin + 128]) for begin in range(0, len(keys), 128))


def hidden_in_a_block(tile_m: int, tile_n: int, lanes: int) -> Bound:
    """Of the block with most: hidden keys in its tiles, and two at the first tile in each of a query's lanes.

    Queries past the end may be masked, too.
    """

    def most(given: Arguments) -> int:
        tiles, seen = keys_of_each_tile(given, tile_m, tile_n), keys_of_each_tile(given, 1, 1)
        pairs = [tile_m * (ceil(keys / tile_n) * tile_n + 2 * lanes) for keys in tiles]
        return max(pairs[i] - sum(seen[tile_m * i : tile_m * (i + 1)]) for i in range(len(pairs)))

    return Bound(most, f"the hidden keys of the tiles that one of {tile_m} queries sees")


def rounded_outputs(tile_m: int, factors: str = "") -> Bound:
    """Of the rows past the end too. factors: of 16 bits, of such rows and of keys past the end where none is hidden."""

    def numbers(given: Arguments) -> int:
        (n_q, d), n_k = given["q"].shape[2:], given["k"].shape[2]
        rows, keys = n_q + -n_q % tile_m, n_k + (0 if given.get("causal") else -n_k % 64)
        scores = keys_of_queries(given) + rows * keys - n_q * n_k if factors else 0
        return all_heads(given) * (rows * d + scores)

    return Bound(numbers, f"{factors} of what queries see, and the result" if factors else "those of o")


def read_by_registers(given: Arguments) -> int:
    """Float32 in shared memory: 64 queries are written once, 64 keys and values for each tile that one of them sees.

    Each of 128 threads reads a column of its 8 queries and 4 keys for their 32 products. Of the probabilities all are
    written, and it reads those of 8 queries and a key, and d / 16 numbers of its value. A quarter more is allowed.
    """
    d = given["q"].shape[3]
    keys = [64 * ceil(n / 64) for n in keys_of_each_tile(given, 64, 64)]
    of_a_key = 2 * d + 128 * 12 * d // 64 + 64 + 128 * (8 + d // 16)
    return all_heads(given) * 4 * sum(64 * d + n * of_a_key for n in keys) * 5 // 4


def conflicts(given: Arguments) -> int:
    """None; but of 128 columns lanes whose ways a mask parts make more requests than are put together at a time."""
    return 0 if given["q"].shape[3] == 64 else 64


def row_shuffles(given: Arguments) -> int:
    """Of each of four warps, in each tile: its eight queries' maxima and sums over 16 lanes, and a quarter more.

    The sums may be merged once, at the end, and are where a block sees no tile, too.
    """
    return all_heads(given) * 4 * 80 * sum(max(1, ceil(keys / 64)) for keys in keys_of_each_tile(given, 64, 64))


def idle(given: Arguments) -> int:
    """Of a block of 128: threads past the end, and those whose queries see less than a quarter of what one sees, which
    may take two exponentials for each key where these take one.
    """
    seen = keys_of_each_tile(given, 1, 1)
    blocks = [seen[begin : begin + 128] for begin in range(0, len(seen), 128)]
    return max(128 - sum(4 * keys >= max(block) for keys in block) for block in blocks)


ALONE = Bound(lambda a: 0, "each query has one thread")
BY_ROWS = Budget(
    is_the_point=True,
    loads=Bound(row_loads, "q once, k and v once for each query that sees them"),
    stores=Bound(output_and_lse_bytes, "o and L once"),
    block=draws.a_quarter_more(rows_of_a_block, "128 queries"),
    thread=rows_of_a_thread(128),
    exchanged=ALONE,
    shuffled=ALONE,
    barriers=ALONE,
    rounded=rounded_outputs(128),
    vanished=Bound(lambda a: 128 * 32, "32 for each query"),
)
IN_TILES = Budget(
    is_the_point=True,
    stores=Bound(output_and_lse_bytes, "o and L once"),
    conflicts=replace(draws.NO_CONFLICTS, most=conflicts, everywhere=True),
)
BY_TILES = replace(
    IN_TILES,
    loads=Bound(thread_loads, "q once by each thread; for each 128 queries the k and v that one of them sees"),
    **queries_of_a_block(128, 1)
    | {
        "again": Bound(lambda a: a["q"].itemsize * a["q"].shape[3], "a query, by threads past the last one"),
        "barriers": barriers(128, 32),
        "exponentials": None,  # some take two for each key: `idle` bounds their shares
    },
    shuffled=ALONE,
    idle=Bound(idle, "those without a query, or with few keys"),
    rounded=rounded_outputs(128),
    vanished=hidden_in_a_block(128, 32, 1),
)
BY_REGISTERS = replace(
    IN_TILES,
    loads=tile_loads(64),
    **queries_of_a_block(64, 64),
    sectors=Bound(register_sectors, "those of the bytes, and one for every L"),
    vanished=hidden_in_a_block(64, 64, 16),
    shared=Bound(read_by_registers, "a quarter more than 8 x 4 scores in the registers of a thread take"),
    rounded=rounded_outputs(64),
    shuffled=Bound(row_shuffles, "a quarter more than maxima and sums of rows take, in each tile"),
)


def builds(**tiles: int) -> tuple[dict[str, int], ...]:
    """Both widths in both element types, with the sizes of the tiles."""
    return of_both_types({"D": 64} | tiles, {"D": 128} | tiles)


def of_both_types(*widths: dict[str, int]) -> tuple[dict[str, int], ...]:
    """The macros of each width, and the same with bfloat16: each pair, since a kernel could tell any of them apart."""
    return *widths, *(macros | {"BF16": 1} for macros in widths)


FLASH_ROWS = Exercise(
    function=cuda_flash_forward.flash_rows,
    oracle=reference.attention,
    outputs=OUTPUTS,
    backend="cuda",
    builds=builds(),
    points=2,
    cases=[*CASES, Case("long-row", LONG_ROW, heads(1, 1, 2, 4500, 64))],
    forbidden=("mma",),
    far=Far(1, tensors=(0, 1, 2, 3, 4)),  # heads of q, k, v, o and L
    budget=BY_ROWS,
    without=WITHOUT,
)

EXERCISES = [
    FLASH_ROWS,
    replace(
        FLASH_ROWS,
        function=cuda_flash_forward.flash_tiles,
        builds=builds(TILE_M=128, TILE_N=32),
        points=3,
        cases=CASES,
        budget=BY_TILES,
    ),
    replace(FLASH_ROWS, function=cuda_flash_forward.flash_registers, points=3, cases=CASES, budget=BY_REGISTERS),
]

ROWS, TILES = ({d: rate(kernel, f"D={d} N=4096 full") for d in (64, 128)} for kernel in ("flash_rows", "flash_tiles"))
QUESTIONS = [
    Question(
        name="rows_to_keys",
        ask="One head, N = 4096 queries and keys: how many times as many bytes as K and V have together do the threads "
        "of flash_rows load from main memory?",
        answer=Quantity(4096, "times as many", rel=0.01),
        why="Each of the 4096 queries has a thread, and each thread reads all of K and V: 4096 times. At d = 64 in "
        "fp16 that is 4.3 GB for one head, whose K and V have 0.001 GB.",
    ),
    Question(
        name="tiles_at_128",
        ask=f"At d = 64 flash_tiles is {TILES[64] / ROWS[64]:.1f} times as fast as flash_rows on the H200. How many "
        "times as fast is it at d = 128?",
        answer=Quantity(TILES[128] / ROWS[128], "times", rel=0.1),
        why=f"{TILES[128]:.2f} against {ROWS[128]:.2f} TFLOP/s: it gains nothing. A query and its accumulator are 256 "
        "numbers at d = 128, and a thread has 255 registers. What does not fit is spilled, in every round of the loop.",
    ),
    Question(
        name="products_per_number",
        ask="A thread reads one column of eight queries and of four keys, and multiplies each of the eight with each "
        "of the four. How many multiplications is that for each number read?",
        answer=Quantity(2.667, "products per number", rel=0.01),
        why="8 * 4 = 32 products of 8 + 4 = 12 numbers: 2.67, where the kernel before it had one for each number of "
        "the tile.",
    ),
]
