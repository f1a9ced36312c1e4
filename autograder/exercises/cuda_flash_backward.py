"""The gradients of attention in CUDA C++: delta, dK and dV, dQ; and the merge of blocks of keys in memory."""

from collections.abc import Callable
from dataclasses import replace
from math import ceil
from typing import Any

import numpy as np
from numpy.random import Generator

from autograder.exercises import cuda_flash_forward as forward
from autograder.exercises import draws, flash_tiles
from autograder.exercises.attention_gradients import GRADIENTS, NO_MAX, with_delta
from autograder.spec.exercise import Arguments, Bound, Budget, Case, Exercise, Output, Quantity, Question
from kernels import cuda_flash_backward
from kernels.oracles import cuda_flash_backward as right
from kernels.oracles.attention_gradients import one_number_a_query, to_keys_and_values, to_queries
from simt.far import Far

WITHOUT = NO_MAX | draws.NO_GROUPS_YET | {"strided": "the kernels take contiguous tensors"}


# Inputs.

IN_BACKWARD: dict[str, Any] = {"spread": (1.2, 1.2), "drift": 1}


@draws.drawn
def heads(
    rng: Generator, /, b: int, h: int, n_q: int, n_k: int, d: int, *, level: Any = 0.0, twins: Any = False,
    hidden: int = 0, above: bool = False, size: int = 1, swinging: bool = False, small: bool = False,
    light: tuple[int, int] | None = None, dtype: str = "float16", **rest: Any,
) -> Arguments:  # fmt: skip
    """A batch of heads after their forward pass: q, k, v, o, do (B, H, N, d), L and delta (B, H, N_q) float32.

    See `draws.qkv`. twins: nearly all weight of the last query lies on the last two keys, half on each; they are alike,
    and their values are not.
    hidden: a key that the first query would give nearly all its weight, with a value that its do points to.
    above: see `hide_above`. size: of the entries of v and do; where it is not 1, no key has much of the weight.
    light: see `draws.lighten`. swinging: see `draws.swing`. small: q and k are as `forward.around_a_64th` has them.
    """
    given = draws.qkv(rng, (b, h, n_q, d), (b, h, n_k, d), level=level, **IN_BACKWARD, dtype="float64")
    q, k, v = given.values()
    do = rng.standard_normal((b, h, n_q, d)) + 0.5
    if small:
        q, k = (forward.around_a_64th(rng, x.shape) for x in (q, k))
    if twins:
        k[..., -2:, :], v[..., -2:, :] = q[..., -1:, :], do[..., -1:, :] * np.array([[-0.25], [0.25]])
    if hidden:
        k[..., hidden, :], v[..., hidden, :] = q[..., 0, :], do[..., 0, :] / 4
    if swinging:
        draws.swing(q, k, v, do)
    if above:
        draws.hide_above(q, k, do)
    if light:
        draws.lighten(q, k, v, np.s_[..., slice(*light), :])
    if size != 1:
        q, v, do = q / 16, size * v, size * do
    return with_delta(q, k, v, do, dtype, **rest)


def outputs_of(*shape: int, **rest: Any) -> draws.Draw:
    """o and do."""
    return draws.only(heads(*shape, **rest), "o", "do")


@draws.drawn
def by_blocks(rng: Generator, /, b: int, h: int, n_q: int, n_k: int, d: int, block: int, **rest: Any) -> Arguments:
    """q, k, v (B, H, N, d) as `draws.qkv` makes them."""
    return draws.qkv(rng, (b, h, n_q, d), (b, h, n_k, d), **IN_BACKWARD, block=block, **{"dtype": "float16"} | rest)


UP, DOWN = np.linspace(150, 250, 21), np.linspace(-150, -500, 21)

# The situations, in the same words for both kernels.

WIDE_DELTA = "d = 128: every lane holds four numbers (their sums pass the largest number of float16)"
DELTA_PLAIN = "one head, 16 queries, d = 64: a block of 16 warps, one for each query"

RAGGED = "two sequences of three heads with 37 queries each: the last block has 2 warps too many"
FULLY_MASKED = "causal, 40 queries and 24 keys: the first 16 queries see none, their o is 0"
DELTA = [
    Case("plain", DELTA_PLAIN, outputs_of(1, 1, 16, 16, 64)),
    Case("single", "one query", outputs_of(1, 1, 1, 1, 64)),
    Case("ragged", RAGGED, outputs_of(2, 3, 37, 20, 64)),
    draws.metered("wide-head", WIDE_DELTA, outputs_of(1, 2, 40, 40, 128, size=300)),
    Case("fully-masked", FULLY_MASKED, outputs_of(1, 2, 40, 24, 64, causal=True)),
    draws.metered("traffic", f"traffic: 1040 queries in two heads; {draws.FAR_ON}", outputs_of(1, 2, 520, 16, 64)),
    draws.metered("bfloat16", "bfloat16", outputs_of(1, 1, 20, 20, 64, dtype="bfloat16")),
    draws.metered("wide-bfloat16", "bfloat16, d = 128", outputs_of(1, 1, 40, 20, 128, dtype="bfloat16")),
]

CROSS = "causal, 20 queries at the end of 146 keys: of the first 128 query 0 does not see the last"
LATE = "causal, 200 queries and 60 keys: the first 140 queries see none, their L is -inf"
SWING = "the sums over them are large on the way and small at the end"
SMALL = "scores from -500 to -150, where exp(-L) overflows"
BEYOND = "v and do around 60: dP passes the largest number of float16, and dS and the gradients do not"
TINY = "v and do around 60, and a scale of 1e-6, of which the gradients are a multiple"


def situations(rows: int) -> list[Case]:
    """The cases of both kernels; rows: of the outputs' tile."""

    def given(draw: draws.Draw) -> draws.Draw:
        return draws.only(draw, "q", "k", "v", "do", "L", "delta", "causal", "scale")

    def case(key: str, name: str, *shape: int, **rest: Any) -> Case:
        return Case(key, name, given(heads(*shape, **rest)), tile=(rows, shape[4]))

    def counted(key: str, name: str, draw: draws.Draw, d: int = 64) -> Case:
        return draws.metered(key, name, given(draw), tile=(rows, d))

    return [
        case("plain", "one head, 32 queries and keys, d = 64", 1, 1, 32, 32, 64),
        case("single", "one query, one key", 1, 1, 1, 1, 64),
        case("ragged", "37 queries and 53 keys: no tile is full", 1, 1, 37, 53, 64),
        case("many-tiles", "150 queries and 180 keys: several tiles of each", 1, 1, 150, 180, 64),
        case("many-queries", f"600 queries and 20 keys; {SWING}", 1, 1, 600, 20, 64, swinging=True),
        case("many-keys", f"10 queries and 600 keys; {SWING}", 1, 1, 10, 600, 64, swinging=True),
        case("scaled", forward.SCALED, 1, 1, 40, 48, 64, scale=0.2, causal=True),
        case("small-entries", forward.SMALL, 1, 1, 40, 48, 64, small=True, scale=1000.0, causal=True),
        case("causal", "causal, as many queries as keys, 150", 1, 1, 150, 150, 64, causal=True),
        case("cross", CROSS, 1, 1, 20, 146, 64, causal=True, hidden=127),
        case("edge-key", forward.EDGE, 1, 1, 128, 129, 64, twins=True, causal=True),
        case("fully-masked", LATE, 1, 1, 200, 60, 64, causal=True),
        case("light", draws.LIGHT, 1, 1, 40, 160, 64, light=(64, 128), dtype="bfloat16"),
        case("large-positive", flash_tiles.LARGE, 1, 1, 21, 37, 64, level=UP),
        case("very-negative", SMALL, 1, 1, 21, 37, 64, level=DOWN),
        case("hidden-higher", draws.HIDDEN_ABOVE, 1, 1, 20, 20, 64, above=True, causal=True),
        case("large-gradients", BEYOND, 1, 1, 40, 96, 64, size=60),
        case("negative-scale", "causal, the scale is -0.3", 1, 1, 40, 24, 64, scale=-0.3, causal=True),
        case("tiny-scale", TINY, 1, 1, 40, 96, 64, size=60, scale=1e-6),
        case("wide-head", "causal, d = 128: 70 queries and 90 keys", 1, 1, 70, 90, 128, causal=True),
        case("heads", "two sequences of two heads, 20 queries and 24 keys", 2, 2, 20, 24, 64),
        counted("counted-full", forward.UNMASKED, heads(1, 1, 128, 128, 64)),
        counted("counted", forward.METERED, draws.sized(heads, 1, 2, *forward.SOME_HUNDRED, 64, causal=True)),
        counted(
            "counted-wide", forward.METERED_WIDE, draws.sized(heads, 1, 1, *forward.SOME_HUNDRED, 128, causal=True), 128
        ),
        counted(
            "counted-bfloat16",
            forward.METERED_BFLOAT16,
            draws.sized(heads, 1, 1, *forward.SOME_HUNDRED, 64, **forward.BFLOAT16),
        ),
        counted(
            "counted-both",
            forward.METERED_BOTH,
            draws.sized(heads, 1, 1, *forward.SOME_HUNDRED, 128, **forward.BFLOAT16),
            128,
        ),
        case("bfloat16", "bfloat16", 1, 1, 20, 24, 64, dtype="bfloat16"),
    ]


RISE = "the maximum rises by 800 in the second block, and by 200 at the last key, which is alone in the third"
LEAP = 800.0 * (np.arange(65) >= 32) - 400 + draws.at_last(65)

BILLIONS = "every key scores -2^31 for the first query: no stand-in for -inf is lower"

SMALL_BLOCKS = "16 queries, 64 keys in two blocks; the entries of q and k are around 1/64"
BLOCKWISE = [
    Case("plain", "16 queries, 64 keys in two blocks", by_blocks(1, 1, 16, 64, 64, 32)),
    Case("single", "one query, one key", by_blocks(1, 1, 1, 1, 64, 32)),
    Case("small-entries", SMALL_BLOCKS, forward.small_entries(by_blocks(1, 1, 16, 64, 64, 32))),
    Case("one-block", "a single block, which is not full", by_blocks(1, 1, 20, 27, 64, 32)),
    Case("ragged", "19 queries, 75 keys in blocks of 32", by_blocks(1, 2, 19, 75, 64, 32)),
    Case("rising", "the maximum rises in every block", by_blocks(1, 1, 16, 96, 64, 32, profile=np.arange(96) / 16)),
    Case("falling", "the maximum is in the first block", by_blocks(1, 1, 16, 96, 64, 32, profile=-np.arange(96) / 16)),
    Case("jump", RISE, by_blocks(1, 1, 9, 65, 64, 32, profile=LEAP), ("rising max",)),
    Case("light", draws.LIGHT, draws.light(by_blocks(1, 1, 21, 70, 64, 32, dtype="bfloat16"), 32, 64)),
    Case("large-positive", flash_tiles.LARGE, by_blocks(1, 1, 21, 70, 64, 32, level=UP)),
    Case("very-negative", SMALL, by_blocks(1, 1, 21, 70, 64, 32, level=DOWN)),
    Case("billions-below", BILLIONS, forward.billions_below(by_blocks(1, 1, 10, 40, 64, 32))),
    draws.metered("wide-head", "d = 128, blocks of 96 keys", by_blocks(1, 1, 18, 100, 128, 96)),
    Case("heads", "two sequences of two heads", by_blocks(2, 2, 10, 40, 64, 32)),
    draws.metered(
        "counted", f"traffic: 40 queries, 160 keys in five blocks; {draws.FAR_ON}", by_blocks(1, 2, 40, 160, 64, 32)
    ),
    draws.metered("bfloat16", "bfloat16", by_blocks(1, 1, 16, 48, 64, 32, dtype="bfloat16")),
    draws.metered(
        "wide-bfloat16",
        "bfloat16, d = 128: 18 queries, 200 keys in blocks of 96",
        by_blocks(1, 1, 18, 200, 128, 96, dtype="bfloat16"),
    ),
]


# What may be moved.


delta_loads = draws.bytes_of("o", "do")


def blockwise_loads(a: Arguments) -> int:
    """k and v once; q for each block of keys; o, m and l for each but the first."""
    visits = -(-a["k"].shape[2] // a["block"])
    state = 4 * a["q"].size + 8 * a["q"][..., 0].size
    return a["k"].nbytes + a["v"].nbytes + visits * a["q"].nbytes + (visits - 1) * state


def blockwise_stores(a: Arguments) -> int:
    return -(-a["k"].shape[2] // a["block"]) * (4 * a["q"].size + 8 * a["q"][..., 0].size)


def copied_after_first(
    a: Arguments, own: int, tile: int, walks: Callable[[int], range], meet: Callable[[int, int], bool]
) -> int:
    """The bytes of all tiles but the first of each block, which can come while the tile before is multiplied, as far as
    a warp copies them that multiplies there: it may leave out what is hidden from all of its rows.

    own, tile: how many rows the blocks own, and each of them. walks: where the tiles begin that a block walks over,
    and the end of the last, by its first row. meet: whether a warp, by its first row, has a row that meets one of the
    tile that begins there.
    """
    d = a["q"].shape[3]
    warps, rows = tile * d // 2048, 0
    for first in range(0, own, tile):
        tiles = walks(first)
        for start in tiles[:-1]:
            busy = sum(meet(mine, start) for mine in range(first, min(first + tile, own), tile // warps))
            left_out = tiles.step * (warps - busy) // warps
            rows += max(0, min(tiles.step, tiles.stop - start - tiles.step) - left_out)
    return forward.all_heads(a) * 2 * a["q"].itemsize * d * rows


def copied_by_keys(a: Arguments) -> int:
    (n_q, d), n_k = a["q"].shape[2:], a["k"].shape[2]
    shift = n_k - n_q if a.get("causal") else n_k  # query i sees the keys up to i + shift
    return copied_after_first(
        a,
        n_k,
        128,
        lambda first: range(max(first - shift, 0) // d * d, n_q, d),
        lambda key, query: key < query + d + shift,
    )


def copied_by_queries(a: Arguments) -> int:
    (n_q, d), n_k = a["q"].shape[2:], a["k"].shape[2]
    shift, tile = n_k - n_q if a.get("causal") else n_k, 8192 // d
    return copied_after_first(
        a,
        n_q,
        tile,
        lambda first: range(0, max(0, min(first + tile + shift, n_k)), 64),
        lambda query, key: key < min(query + 2048 // d, n_q) + shift,
    )


COPIED = "all tiles but each block's first, where a warp sees one of the tile before"


def fragments_by_keys(a: Arguments) -> int:
    """Four products of 128 keys with the tiles of d queries that see one of them."""
    d = a["q"].shape[3]
    seen = flash_tiles.queries_of_each_tile(a, d, 128)
    return forward.all_heads(a) * flash_tiles.products_of_tiles(seen, d, 128, d, products=4) // (16 * 16 * 8)


def fragments_by_queries(a: Arguments) -> int:
    """Three products of 8192 / d queries with the tiles of 64 keys that one of them sees."""
    d = a["q"].shape[3]
    seen = flash_tiles.keys_of_each_tile(a, 8192 // d, 64)
    return forward.all_heads(a) * flash_tiles.products_of_tiles(seen, 64, 8192 // d, d, products=3) // (16 * 16 * 8)


def blockwise_sectors(a: Arguments) -> int:
    """Whole rows everywhere; every number of m and l has a request of its own."""
    visits, queries = -(-a["k"].shape[2] // a["block"]), a["q"][..., 0].size
    return (blockwise_loads(a) + blockwise_stores(a)) // 32 + 4 * visits * queries


def powers_of_a_lane(a: Arguments) -> int:
    """Those of all keys, which one lane may take for the others, and what rescales; not once more for each column."""
    return queries_of_a_warp(a) * (a["block"] + 8)


KEPT_BY_BLOCK = "k and v once; q, and what is kept of each query, for each block of keys"


def rows_of_blocks(a: Arguments) -> int:
    """Those past the end too, which warps may take part in."""
    return 16 * -(-a["o"][..., 0].size // 16)


def dkdv_loads(a: Arguments) -> int:
    """k and v once; q, do, L and delta for each 128 keys, from the first tile of d queries that sees one of them."""
    (batch, heads, _, d), n_k = a["q"].shape, a["k"].shape[2]
    visits = flash_tiles.queries_of_tiles(a, d, 128)
    return batch * heads * (2 * 2 * d * (n_k + visits) + 2 * 4 * visits)


def dq_loads(a: Arguments) -> int:
    """q and do once, L and delta by four lanes; k and v for each tile of queries, up to the last 64 keys it sees."""
    batch, heads, n_q, d = a["q"].shape
    visits = flash_tiles.keys_of_tiles(a, 8192 // d, 64)
    return batch * heads * (2 * 2 * d * (n_q + visits) + 2 * 4 * 4 * n_q)


def keys_of_a_block(a: Arguments) -> int:
    """What the block of 128 keys moves that most queries see: k, v, dk and dv once, q, do, L and delta in turn."""
    d = a["q"].shape[3]
    visits = max(flash_tiles.queries_of_each_tile(a, d, 128))
    return 2 * 2 * d * (2 * 128 + visits) + 2 * 4 * visits


def queries_of_a_block(a: Arguments) -> int:
    """What the block moves whose queries see most keys: q, do and dq once, L, delta by four lanes, k and v in turn."""
    d = a["q"].shape[3]
    tile_m = 8192 // d
    return 2 * d * (3 * tile_m + 2 * max(flash_tiles.keys_of_each_tile(a, tile_m, 64))) + 2 * 4 * 4 * tile_m


def tiles_of_queries(a: Arguments) -> int:
    """How many tiles of d queries the block of 128 keys walks over that most queries see."""
    d = a["q"].shape[3]
    return ceil(max(flash_tiles.queries_of_each_tile(a, d, 128)) / d)


def tiles_of_keys(a: Arguments) -> int:
    """How many tiles of 64 keys the block walks over whose queries see most keys."""
    return ceil(max(flash_tiles.keys_of_each_tile(a, 8192 // a["q"].shape[3], 64)) / 64)


def rounded_by_keys(a: Arguments) -> int:
    """P and dS of what queries see, dk and dv, with the keys past the end, which a causal mask hides."""
    (n_q, d), n_k = a["q"].shape[2:], a["k"].shape[2]
    past = -n_k % 128
    scores = flash_tiles.keys_of_queries(a) + (0 if a.get("causal") else past * n_q)
    return 2 * int(a["q"][..., 0, 0].size) * (scores + (n_k + past) * d)


def shared_by_keys(a: Arguments) -> int:
    """Tiles of d queries, which d / 16 warps read. L and delta of a row: 8 bytes are written, and 2d threads read as
    many each, on average.
    """
    d = a["q"].shape[3]
    rows = flash_tiles.by_four_warps(
        lambda a: flash_tiles.queries_of_each_tile(a, d, 128), d, reads=d // 16, beside=8 + 16 * d
    )
    return rows.most(a) * 9 // 10  # of a quarter an eighth is left


def every_16th_query(a: Arguments) -> int:
    """What the first lane of a warp stores if its lanes store four neighbouring columns of o each."""
    visits, (n_q, d) = -(-a["k"].shape[2] // a["block"]), a["q"].shape[2:]
    return visits * -(-n_q // 16) * (16 * -(-d // 128) + 8)


def queries_of_a_warp(a: Arguments) -> int:
    """How many queries pass by each of 16 warps, in all blocks of keys."""
    return ceil(a["k"].shape[2] / a["block"]) * ceil(a["q"].shape[2] / 16)


DKDV = Exercise(
    function=cuda_flash_backward.flash_dkdv,
    oracle=to_keys_and_values,
    outputs=(Output("dK"), Output("dV")),
    backend="cuda",
    builds=forward.of_both_types({"D": 64, "TILE_M": 64, "TILE_N": 128}, {"D": 128, "TILE_M": 128, "TILE_N": 128}),
    points=4,
    tolerance=GRADIENTS,
    cases=situations(128),
    without=WITHOUT,
    far=Far(1, tensors=tuple(range(8))),  # heads of all from q to dv
    budget=Budget(
        is_the_point=True,
        loads=Bound(
            dkdv_loads,
            "k and v once; q, do, L and delta for each 128 keys, from the first tile of queries that sees one of them",
        ),
        stores=Bound(draws.bytes_of("k", "v"), "dk and dv once"),
        block=draws.a_quarter_more(keys_of_a_block, "a tile of 128 keys"),
        thread_loads=draws.share_of_a_thread(lambda a: keys_of_a_block(a) // a["q"].shape[3], 2),
        barriers=draws.barriers_of_tiles(tiles_of_queries),
        again=forward.NOTHING_AGAIN,
        exponentials=forward.powers_of_a_thread(tiles_of_queries, lambda a: 64),
        thread=draws.share_of_a_thread(lambda a: 2 * 2 * 128, 2),  # 128 rows of dk and dv: for each column two threads
        conflicts=draws.NO_CONFLICTS,
        shared=Bound(shared_by_keys, "an eighth more than it takes if each warp reads four rows for each of a tile"),
        multiplications=Bound(flash_tiles.multiplications(4), "the products S, dP, dV and dK, 16 x 16 by 16 x 8"),
        fragments=Bound(fragments_by_keys, "the four products of the tiles that meet"),
        copies=Bound(copied_by_keys, COPIED),
        coarse=flash_tiles.sums_of_scores(
            lambda a: flash_tiles.queries_of_each_tile(a, a["q"].shape[3], 128), 0, lambda d: 128
        ),
        rounded=Bound(rounded_by_keys, "P and dS of what queries see, dk and dv"),
    ),
    multiplied=("q", "do"),
)

EXERCISES = [
    Exercise(
        function=cuda_flash_backward.flash_delta,
        oracle=one_number_a_query,
        outputs=(Output("delta", dtype="float32"),),
        backend="cuda",
        builds=forward.builds(),
        points=2,
        tolerance=GRADIENTS,
        cases=DELTA,
        far=Far(0, tensors=(0, 1, 2), counts=(3,), rows=16),
        forbidden=("mma",),
        without=WITHOUT
        | {
            "large positive": "there are no scores here",
            "very negative": "there are no scores here",
            "cross": "keys play no part in it",
        },
        budget=Budget(
            loads=Bound(delta_loads, "o and do once"),
            stores=Bound(lambda a: 4 * a["o"][..., 0].size, "delta once"),
            sectors=Bound(
                lambda a: delta_loads(a) // 32 + a["o"][..., 0].size,
                "those of o and do, and one for each number of delta",
            ),
            block=Bound(lambda a: 16 * (2 * 2 * a["o"].shape[3] + 4), "a block's 16 rows"),
            thread_loads=draws.share_of_a_thread(lambda a: 2 * 16 * a["o"].shape[3], 512, 3),
            thread=draws.share_of_a_thread(lambda a: 4 * 16, 512),
            exchanged=Bound(lambda a: 40 * rows_of_blocks(a), "40 for each row, of which one lane may read 32"),
            thread_reads=Bound(lambda a: 4 * 40, "40 sums"),
            shuffled=Bound(lambda a: 32 * rows_of_blocks(a), "32 for each row"),
        ),
    ),
    DKDV,
    replace(
        DKDV,
        function=cuda_flash_backward.flash_dq,
        oracle=to_queries,
        outputs=(Output("dQ"),),
        builds=forward.of_both_types(
            {"D": 64, "TILE_M": 128, "TILE_N": 64, "BLOCKS": 2}, {"D": 128, "TILE_M": 64, "TILE_N": 64, "BLOCKS": 3}
        ),
        cases=situations(64),
        far=Far(1, tensors=tuple(range(7))),
        budget=Budget(
            is_the_point=True,
            loads=Bound(
                dq_loads,
                "q and do once, L and delta by four lanes each; k and v for each tile of "
                "queries, up to the last tile of keys that it sees",
            ),
            stores=Bound(draws.bytes_of("q"), "dq once"),
            block=draws.a_quarter_more(queries_of_a_block, "a tile of queries"),
            thread_loads=draws.share_of_a_thread(queries_of_a_block, 128),
            thread=draws.share_of_a_thread(lambda a: 2 * 8192, 128),
            barriers=draws.barriers_of_tiles(tiles_of_keys),
            again=Bound(lambda a: 8 * 8192 // a["q"].shape[3], "L and delta of a block's queries"),
            exponentials=forward.powers_of_a_thread(tiles_of_keys, lambda a: 4096 // a["q"].shape[3]),
            conflicts=draws.NO_CONFLICTS,
            shared=flash_tiles.by_four_warps(
                lambda a: flash_tiles.keys_of_each_tile(a, 8192 // a["q"].shape[3], 64), 64, 3
            ),
            multiplications=Bound(flash_tiles.multiplications(3), "the products S, dP and dQ, 16 x 16 by 16 x 8"),
            fragments=Bound(fragments_by_queries, "the three products of the tiles that meet"),
            copies=Bound(copied_by_queries, COPIED),
            coarse=flash_tiles.sums_of_scores(
                lambda a: flash_tiles.keys_of_each_tile(a, 8192 // a["q"].shape[3], 64), 64, lambda d: 8192 // d
            ),
            rounded=forward.rounded_outputs(128, "dS"),
        ),
        multiplied=("k", "v"),
    ),
    Exercise(
        function=cuda_flash_backward.blockwise_forward,
        oracle=right.with_statistics,
        outputs=(Output("o", dtype="float32"), Output("m", dtype="float32"), Output("l", dtype="float32")),
        backend="cuda",
        builds=forward.of_both_types({"D": 64, "BLOCK": 32}, {"D": 128, "BLOCK": 96}),
        points=2,
        cases=BLOCKWISE,
        far=Far(0, tensors=tuple(range(6))),  # heads of all from q to l
        keeps="main memory",
        forbidden=("mma",),
        without=WITHOUT
        | {
            "cross": "nothing is masked: every query sees every key",
            "masked row": "nothing is masked: every query sees every key",
        },
        budget=Budget(
            loads=Bound(blockwise_loads, KEPT_BY_BLOCK, least=blockwise_loads),
            stores=Bound(blockwise_stores, "what is kept of each query, for each block", least=blockwise_stores),
            block=draws.a_quarter_more(
                lambda a: (blockwise_loads(a) + blockwise_stores(a)) // forward.all_heads(a), "a head"
            ),
            thread_loads=draws.share_of_a_thread(lambda a: 1024 * every_16th_query(a) + 2 * a["k"][0, 0].nbytes, 512),
            thread=Bound(
                every_16th_query, "four columns of o at a time, m and l, of every 16th query, for each block of keys"
            ),
            sectors=Bound(blockwise_sectors, "those of the bytes, and one for every number of m and l"),
            conflicts=replace(draws.NO_CONFLICTS, everywhere=True),
            passed=Bound(lambda a: 0, "a query belongs to one warp"),
            exponentials=Bound(powers_of_a_lane, "one for each key of a block, and eight, for each query"),
            barriers=draws.barriers_of_tiles(queries_of_a_warp),
            rounded=Bound(lambda a: 0, "all in float32"),
        ),
    ),
]

QUESTIONS = [
    Question(
        name="sum_registers",
        ask="128 threads, 128 keys, d = 64: how many registers of each thread do the sums of dK and dV take?",
        answer=Quantity(128, "registers"),
        why="Two sums of 128 * 64 float32 numbers, 16384 in all, on 128 threads: 128 registers of the 255 that a "
        "thread can have. K and V, with two 16-bit numbers in a register, take 64 more.",
    ),
    Question(
        name="column_of_sum",
        ask="In which column of its square does the sum p[1][2] of lane 9 stand?",
        answer=Quantity(10),
        why="Lane 9 has t = 9 % 4 = 1. p[1] is the right half, from column 8 on, and p[1][2] the first of two "
        "neighbours in the lower row: 8 + 2 t = 10.",
    ),
    Question(
        name="begins_at",
        ask="200 queries, 240 keys, causal, tiles of 64 queries: at which query does the loop of the keys 128 to 239 "
        "begin?",
        answer=Quantity(64),
        why="Query i sees the keys up to i + 40, so key 128 is first seen by query 88, and the tile that holds it "
        "begins at 88 / 64 * 64 = 64.",
    ),
    Question(
        name="stores_of_o",
        ask="N_k = 8192, blocks of 384 keys: how often is each entry of O written?",
        answer=Quantity(22, "times"),
        why="Once for each block of keys: 8192 / 384 = 21.3, and the rest is a block too.",
    ),
]
