"""Products on tensor cores, and attention forward that is made of them."""

from dataclasses import replace
from math import ceil

from numpy.random import Generator

from autograder.exercises import cuda_flash_forward as forward
from autograder.exercises.cuda_basics import NO_SOFTMAX
from autograder.exercises.draws import FAR_ON, drawn, metered, on_grid
from autograder.exercises.flash_tiles import (
    by_four_warps,
    keys_of_each_tile,
    multiplications,
    products_of_tiles,
    sums_of_scores,
)
from autograder.spec.exercise import Arguments, Bound, Budget, Case, Exercise, Output, Quantity, Question
from kernels import tensor_cores
from kernels.oracles import tensor_cores as right
from simt.far import Far

# Inputs.


@drawn
def rows(rng: Generator, /, m: int, n: int, d: int, dtype: str = "float16", small: bool = False) -> Arguments:
    """q (m, d) and k (n, d), multiples of 1/16, so that their products are exact in any order of summation.

    small: as `forward.around_a_64th` has them.
    """
    if small:
        q, k = (forward.around_a_64th(rng, (count, d)) for count in (m, n))
    else:
        q, k = (on_grid(1.5 * rng.standard_normal((count, d)), 16) for count in (m, n))
    return {"q": q.astype(dtype), "k": k.astype(dtype)}


PRODUCTS = [
    Case("plain", "16 queries, 16 keys, d = 16: one warp, two instructions", rows(16, 16, 16)),
    metered("columns", "d = 64: four steps along the columns", rows(16, 16, 64)),
    Case("keys", "16 queries, 48 keys, d = 32", rows(16, 48, 32)),
    Case("queries", "48 queries, 16 keys, d = 1040", rows(48, 16, 1040)),
    Case("small-entries", "16 queries, 16 keys, d = 64: entries around 1/64", rows(16, 16, 64, small=True)),
    metered("bfloat16", "bfloat16: 32 queries, 16 keys, d = 16", rows(32, 16, 16, "bfloat16")),
    metered("wide", "bfloat16, 32 queries, 80 keys, d = 128", rows(32, 80, 128, "bfloat16")),
    metered("counted", f"counted: 64 queries, 32 keys, d = 64; {FAR_ON}", rows(64, 32, 64)),
]


WHOLE_TILES = {
    "single": "a tensor core multiplies 16 rows at the least",
    "ragged": "whole tiles only, until the kernel after this one",
}


# What a call may move.


def keys_after_first(given: Arguments) -> int:
    """Keys of all tiles but the first of each 128 queries: they can come while the tile before is multiplied."""
    return sum(max(0, keys - 64) for keys in keys_of_each_tile(given, 128, 1))


def products_beside_copies(given: Arguments) -> int:
    """Half of those that one of Q K^T and P V takes in all but the last tile of each 128 queries, hidden keys apart."""
    seen, before = (
        keys_of_each_tile(given, 1, 1),
        [max(0, keys - 1) // 64 * 64 for keys in keys_of_each_tile(given, 128, 1)],
    )
    pairs = sum(min(keys, before[query // 128]) for query, keys in enumerate(seen))
    return forward.all_heads(given) * given["q"].shape[3] * pairs // (16 * 16 * 8) // 2


def of_seen_tiles(tile_m: int) -> Bound:
    """Both products of all warps' queries with the tiles that one of tile_m queries sees."""

    def most(given: Arguments) -> int:
        keys, d = keys_of_each_tile(given, tile_m, 64), given["q"].shape[3]
        return forward.all_heads(given) * products_of_tiles(keys, 64, tile_m, d, products=2) // (16 * 16 * 8)

    return Bound(most, "both products of the tiles that a query sees")


def fragment_sectors(given: Arguments) -> int:
    """Of q and o a request takes 16 bytes of each of eight rows, half a sector; k, v and L are moved whole."""
    q = given["q"].nbytes // 32
    return forward.tile_loads(64).most(given) // 32 + 3 * q + lse_sectors(given)


def copied_sectors(given: Arguments) -> int:
    """As before, with the queries copied like a tile of keys."""
    q = given["q"].nbytes // 32
    return forward.tile_loads(128).most(given) // 32 + 2 * q + lse_sectors(given)


def lse_sectors(given: Arguments) -> int:
    """A request takes the L of eight rows: a sector, or two where those of a head begin within one."""
    n_q = given["q"].shape[2]
    return forward.all_heads(given) * ceil(n_q / 8) * (2 if n_q % 8 else 1)


def fragments_of_scores(given: Arguments) -> int:
    return int(len(given["q"]) * given["k"].size // (16 * 16 * 8))


BY_WARPS = Budget(
    is_the_point=True,
    loads=Bound(
        lambda a: a["q"].nbytes * (len(a["k"]) // 16) + a["k"].nbytes * (len(a["q"]) // 16),
        "q once for each 16 keys, k once for each 16 queries",
    ),
    stores=Bound(lambda a: 4 * len(a["q"]) * len(a["k"]), "s once"),
    multiplications=Bound(fragments_of_scores, "the products Q K^T, 16 x 16 by 16 x 8"),
    fragments=Bound(fragments_of_scores, "Q K^T once"),
    block=Bound(lambda a: 16 * (2 * a["q"].itemsize * a["q"].shape[1] + 4 * 16), "a tile of 16 x 16"),
)
BY_FRAGMENTS = replace(
    forward.IN_TILES,
    loads=forward.tile_loads(64),
    **forward.queries_of_a_block(64, 64),
    sectors=Bound(fragment_sectors, "those of the bytes, twice for q and o, of which a request takes half sectors"),
    multiplications=Bound(multiplications(2), "the products Q K^T and P V, 16 x 16 by 16 x 8"),
    fragments=of_seen_tiles(64),
    coarse=sums_of_scores(lambda a: keys_of_each_tile(a, 64, 64), 64, lambda d: 64),
    rounded=forward.rounded_outputs(64, "P"),
    vanished=forward.hidden_in_a_block(64, 64, 4),
    shared=by_four_warps(lambda a: keys_of_each_tile(a, 64, 64), 64, 2),
)
BY_COPIES = replace(
    BY_FRAGMENTS,
    loads=forward.tile_loads(128),
    **forward.queries_of_a_block(128, 64),
    sectors=Bound(copied_sectors, "those of the bytes, twice for o, of which a request takes half sectors"),
    copies=Bound(
        lambda a: 2 * a["q"].itemsize * forward.all_heads(a) * a["q"].shape[3] * keys_after_first(a),
        "all but the first tile of the keys and values that one of 128 queries sees, for each 128",
    ),
    overlapped=Bound(products_beside_copies, "half of Q K^T or of P V in all tiles but the last, while the next comes"),
    fragments=of_seen_tiles(128),
    coarse=sums_of_scores(lambda a: keys_of_each_tile(a, 128, 64), 64, lambda d: 128),
    rounded=forward.rounded_outputs(128, "P"),
    vanished=forward.hidden_in_a_block(128, 64, 4),
    # A warp's 32 queries are read anew for each 64 rows: 4 * 32 * 128 bytes, 256 for each row.
    shared=by_four_warps(lambda a: keys_of_each_tile(a, 128, 64), 64, 2, 256),
)

FLASH_MMA = replace(
    forward.FLASH_ROWS,
    function=tensor_cores.flash_mma,
    cases=forward.CASES,
    forbidden=(),
    builds=forward.builds(TILE_M=64, TILE_N=64),
    points=4,
    budget=BY_FRAGMENTS,
    multiplied=("k", "v"),
)

EXERCISES = [
    Exercise(
        function=tensor_cores.mma_scores,
        oracle=right.products,
        outputs=(Output("s", "float32"),),
        backend="cuda",
        builds=({}, {"BF16": 1}),
        points=2,
        cases=PRODUCTS,
        far=Far(1, tensors=(0, 2)),  # rows of q and s
        budget=BY_WARPS,
        multiplied=("k",),
        without=NO_SOFTMAX | WHOLE_TILES,
    ),
    FLASH_MMA,
    replace(
        FLASH_MMA,
        function=tensor_cores.flash_async,
        builds=forward.builds(TILE_M=128, TILE_N=64),
        budget=BY_COPIES,
    ),
]

QUESTIONS = [
    Question(
        name="mma_per_tile",
        ask="How many mma_m16n8k16 does a warp with 16 queries need for the scores of a tile of 64 keys, at d = 64?",
        answer=Quantity(32, "instructions"),
        why="One does 8 keys and 16 columns: 64 / 8 = 8 fragments of keys, each in 64 / 16 = 4 steps along the "
        "columns, are 32. Ordinary multiply-adds would be 16 * 64 * 64 / 32 = 2048 instructions.",
    ),
    Question(
        name="passes_in_order",
        ask="Rows of 64 elements (128 bytes) follow each other without a gap. In how many passes are the same 16 bytes "
        "of eight consecutive rows read?",
        answer=Quantity(8, "passes"),
        why="128 bytes are one word in each of the 32 banks, so the same place of every row lies in the same four "
        "banks. They hand out one row's chunk in a pass: 8 passes, where one would do.",
    ),
    Question(
        name="stages_for_two",
        ask="A block of flash_async holds 128 queries, and in each stage 64 keys and 64 values, d = 128, 2 bytes per "
        "number. How many stages can it have, if two blocks are to fit into 228 KiB of shared memory, of which each "
        "takes 1 KiB more than it asks for?",
        answer=Quantity(2, "stages"),
        why="A row of 128 numbers has 256 bytes: 32 KiB for the queries and 32 for each stage. Two blocks have 113 "
        "KiB each: with two stages it is 96, with three it would be 128.",
    ),
]
