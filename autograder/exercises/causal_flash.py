"""FlashAttention forward with a causal mask, up to the kernel that the later lessons use."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.random import Generator

from autograder.exercises import draws, flash_forward, flash_tiles
from autograder.exercises.flash_forward import heads, loads
from autograder.spec.exercise import Arguments, Bound, Case, Quantity, Question
from kernels import causal_flash

# Inputs.


@draws.drawn
def moved(rng: Generator, /, *shape: int, rows: bool, **rest: Any) -> Arguments:
    """The same as views, each with a layout of its own: q (B, N, H, d) in memory, k (H, B, N, d), v wider rows.

    rows: those of q, k and v are contiguous. Otherwise q and k are (B, H, d, N) and (B, N, H, d) in memory, and v
    begins at an odd address.
    """
    given = heads(*shape, **rest)(rng)
    q, k, v = (given[name] for name in "qkv")
    wide = np.concatenate([v, v[..., ::-1]], axis=-1)[..., : v.shape[-1]]
    odd = np.concatenate([v.ravel()[:1], v.ravel()])[1:].reshape(v.shape)
    views = (
        (draws.swapped(q), draws.swapped(k, 0, 1), wide) if rows else (draws.swapped(q, 2, 3), draws.swapped(k), odd)
    )
    return given | dict(zip("qkv", views, strict=True))


# What a call may move.


def asked(given: Arguments) -> int:
    """Elements of the tiles in `loads`, whether they are ragged or not."""
    (b, h, n_q, d), h_kv = given["q"].shape, flash_tiles.kv_heads(given)
    keys = flash_tiles.whole(flash_tiles.keys_of_each_tile(given, given["tile_m"], given["tile_n"]), given["tile_n"])
    return b * h_kv * d * (flash_tiles.whole([n_q * h // h_kv], given["tile_m"]) + 2 * keys)


def two_tiles(given: Arguments) -> int:
    """What a program moves with two tiles of queries: that which meets fewest keys and that which meets most, and so
    on; or a little more than what one moves with one.
    """
    seen = sorted(flash_tiles.keys_of_each_tile(given, given["tile_m"], given["tile_n"]))
    pairs = zip(seen[: len(seen) // 2], reversed(seen))
    both = (flash_forward.by_a_tile(given, few) + flash_forward.by_a_tile(given, many) for few, many in pairs)
    return max((flash_forward.a_tile(given) * 5 // 4, *both))


SEEN_TILES = "q once; for each tile of queries the tiles of k and v that one of its queries sees"
SEEN_KEYS = replace(
    flash_forward.ALL_KEYS_LSE,
    loads=Bound(loads, SEEN_TILES),
    asked=Bound(asked, SEEN_TILES),
    products=Bound(flash_tiles.products_of_both, flash_tiles.SEEN_PAIRS),
    programs=Bound(
        flash_tiles.tiles_of_queries,
        "one for each tile of queries of a head, or one for two of them",
        least=lambda a: flash_tiles.tiles_of_queries(a) // 2,
    ),
    busiest=Bound(two_tiles, "the tile of queries that sees fewest keys and the one that sees most, and so on"),
    region=None,  # the two lie apart
    pieces=Bound(lambda a: 2, "two tiles of consecutive queries"),
)

# The situations.

PLAIN = "causal, one head, 20 queries and keys, tiles of 16"
EVEN = "causal, two heads, 32 queries and keys: the tile of 16 divides both"
WIDE = "causal, tiles of 16 queries and 32 keys"
TALL = "causal, 150 queries and keys, tiles of 128 queries and 16 keys"
UNSEEN = "causal, 37 queries and only 11 keys: the first 26 queries see none, and their rows are 0 and -inf"
CORNER = "causal, 18 queries and 16 keys: query 16, with which a tile begins, sees all keys but the last"
FEW = "causal, 3 queries at the end of 21 keys, and the scale is given: 0.2, not 1/sqrt(16)"
FULL_RAGGED = "not causal, 50 queries, 33 keys in tiles of 32: the last tile holds one, and every query sees it"
FLOAT16_CAUSAL = "d = 128, fp16, causal, tiles of 32"
METERED = "bytes are counted: causal, two heads, 45 queries, 58 keys, tiles of 32 queries and 16 keys"
METERED_PAIRS = (
    "bytes are counted: causal, 93 queries and keys in tiles of 16: six tiles of queries, each sees more keys"
)
METERED_UNSEEN = "bytes are counted: causal, 90 queries, 40 keys, tiles of 16 and 32: three tiles of queries see none"

MASKED = [
    Case("plain", PLAIN, heads(1, 1, 20, 20, 16, causal=True), tile=(16, 16)),
    Case("single", flash_forward.SINGLE, heads(1, 1, 1, 1, 16, causal=True)),
    Case("not-causal", FULL_RAGGED, heads(1, 2, 50, 33, 16, tiles=(16, 32)), tile=(16, 32)),
    Case("causal", "causal, 37 queries and keys", heads(2, 1, 37, 37, 16, causal=True), ("ragged",), tile=(16, 16)),
    Case("full-tiles", EVEN, heads(1, 2, 32, 32, 128, causal=True), tile=(16, 16)),
    Case("wide-tiles", WIDE, heads(1, 1, 50, 50, 16, tiles=(16, 32), causal=True), tile=(16, 32)),
    Case("tall-tiles", TALL, heads(1, 1, 150, 150, 16, tiles=(128, 16), causal=True), tile=(128, 16)),
    draws.own_tiles(heads(1, 2, 150, 150, 16, dtype="float16", causal=True)),
    Case("hidden-higher", draws.HIDDEN_HIGHER, heads(1, 1, 37, 37, 16, profile=draws.stairs(37), causal=True)),
    draws.metered("traffic-pairs", METERED_PAIRS, heads(1, 1, 93, 93, 16, causal=True), tile=(16, 16)),
    draws.metered("traffic-unseen", METERED_UNSEEN, heads(1, 1, 90, 40, 16, tiles=(16, 32), causal=True)),
    draws.billions_below(heads(1, 1, 37, 37, 16, causal=True)),
    Case("cross", flash_tiles.CROSS, heads(1, 2, 5, 21, 16, causal=True), tile=(16, 16)),
    Case("few-queries", FEW, heads(1, 1, 3, 21, 16, causal=True, scale=0.2), tile=(16, 16)),
    Case("edge-key", flash_tiles.EDGE, heads(1, 1, 16, 17, 16, causal=True), tile=(16, 16)),
    Case("edge-query", CORNER, heads(1, 1, 18, 16, 16, causal=True), ("masked row",), tile=(16, 16)),
    Case("fully-masked", UNSEEN, heads(1, 1, 37, 11, 16, causal=True), tile=(16, 16)),
    *flash_forward.situations(21, 33),
    Case("float16-causal", FLOAT16_CAUSAL, heads(1, 1, 40, 40, 128, tiles=(32, 32), dtype="float16", causal=True)),
    Case(
        "hidden-low",
        flash_tiles.HIDDEN_LOW,
        heads(1, 1, 21, 37, 16, level=flash_tiles.low(21), causal=True),
        tile=(16, 16),
    ),
    Case("heads", f"{flash_forward.RAGGED_HEADS}, d = 64", heads(2, 3, 17, 48, 64, tiles=(16, 32)), tile=(16, 32)),
    draws.metered("traffic", METERED, heads(1, 2, 45, 58, 32, tiles=(32, 16), causal=True), tile=(32, 16)),
]

DEEP = "d = 128, 33 queries, 50 keys, causal"
VIEWS = "views: in q heads lie inside tokens, in k batches inside heads, and v is half of a wider tensor"
ODD_VIEWS = "views: no row of q is contiguous, heads of k lie inside tokens, and v begins at an odd address"
TURNED = "views: no row of k or v is contiguous, heads of q lie inside tokens"
TURN = {"q": (1, 2), "k": (2, 3), "v": (2, 3)}
WIDE_HEAD_RISING = "d = 128, the maximum grows in every tile"
WIDE_HEAD_MASKED = "d = 128, causal, 37 queries and only 11 keys"
WHOLE = [
    *MASKED[:-1],
    Case("wide-head", DEEP, heads(1, 1, 33, 50, 128, causal=True), tile=(16, 16)),
    Case("wide-head-rising", WIDE_HEAD_RISING, heads(1, 1, 16, 48, 128, profile=flash_tiles.climb(48)), tile=(16, 16)),
    Case("wide-head-masked", WIDE_HEAD_MASKED, heads(1, 1, 37, 11, 128, causal=True), ("masked row",), tile=(16, 16)),
    draws.metered("strided", VIEWS, moved(2, 3, 19, 20, 32, rows=True, tiles=(32, 16), causal=True), tile=(32, 16)),
    Case("no-contiguous-row", ODD_VIEWS, moved(1, 2, 19, 20, 16, rows=False), tile=(16, 16)),
    Case("turned", TURNED, draws.views(heads(1, 2, 19, 20, 16), **TURN), tile=(16, 16)),
    MASKED[-1],
]

CAUSAL_LIMITS = flash_tiles.visited_keys(causal="plain", full="not-causal")

FLASH_CAUSAL = replace(
    flash_forward.FLASH_LSE,
    function=causal_flash.flash_causal,
    kernels=(causal_flash.visit_keys, causal_flash.flash_causal_kernel),
    points=4,
    cases=MASKED,
    compiled=flash_forward.on_a_gpu(causal=True),
    budget=SEEN_KEYS,
    without=draws.NO_GROUPS_YET | flash_forward.CONTIGUOUS,
    mutants=[*CAUSAL_LIMITS, *flash_forward.WRONG_LSE, *flash_tiles.in_base_2("shift")],
)

EXERCISES = [
    FLASH_CAUSAL,
    replace(
        FLASH_CAUSAL,
        function=causal_flash.flash_attention,
        kernels=(causal_flash.flash_attention_kernel,),
        points=5,
        allowed=("clone",),
        cases=WHOLE,
        compiled=draws.only(flash_forward.on_a_gpu(causal=True), "q", "k", "v", "causal"),
        without=draws.NO_GROUPS_YET,
        mutants=[*CAUSAL_LIMITS, *flash_forward.WRONG_LSE, *flash_tiles.in_base_2("shift", in_dot=True, p_first=True)],
    ),
]

QUESTIONS = [
    Question(
        name="keys_without_mask",
        ask="N_q = N_k = 128, tiles of 16 queries and 32 keys: how many keys does the tile of queries 48 to 63 visit "
        "without a mask?",
        answer=Quantity(32, "keys"),
        why="Query 48 sees 49 keys, and 49 holds one whole tile of 32. The second tile, keys 32 to 63, is masked: "
        "query 48 sees only 32 to 48 of it.",
    ),
    Question(
        name="fewest_warps",
        ask="Tiles of 128 by 128, d = 128, 1, 2, 4, 8 or 16 warps of 32 threads: with how many at the least do S and "
        "acc, both float32, fit into the 255 registers of 4 bytes that each thread can have?",
        answer=Quantity(8, "warps"),
        why="S and acc are 128 * 128 numbers each, 32,768 together. The 128 threads of 4 warps would have 256 each, "
        "one more than there is; with 8 warps it is 128, and half of the registers are left for all the rest.",
    ),
]
