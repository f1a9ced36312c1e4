"""Attention over a paged cache."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import ceil
from typing import Any

import numpy as np
from numpy.random import Generator

from autograder.exercises import draws, flash_tiles
from autograder.spec.exercise import Arguments, Bound, Budget, Case, Exercise, Output, Quantity, Question, launched
from kernels import paged_attention
from kernels.oracles import paged_attention as right


@draws.drawn
def pools(
    rng: Generator, /, lengths: list[int], kv_heads: int = 1, group: int = 1, n_q: int = 1, d: int = 16,
    block_size: int = 16, level: Any = 0.0, profile: Any = 0.0, shuffled: bool = False, dtype: str = "float32",
    shared: int = 0, first: int = 0, flat: bool = False, tokens_first: bool = False, unwritten: float = np.nan,
    room: int = 1, **rest: object,
) -> Arguments:  # fmt: skip
    """Sequences of the given lengths, scattered over a pool in which all that belongs to none of them is `unwritten`.

    The scores, at the scale 1/sqrt(d), are about 2 * N(0, 1) + level + profile: `level` is a number or one for each
    query head, `profile` a number or one for each key, `shuffled` by the seed or not. q and k are multiples of 1/16, so
    that the products are exact in any order. The values drift along the keys. `flat`: all scores are near 0 and all
    values near 3000. The first `shared` blocks are the same for all sequences. Blocks before `first` belong to nobody.
    tokens_first: in memory the tokens of a block come before its heads. room: columns of the table after the longest.
    """
    heads, width = kv_heads * group, max([1, *(ceil(n / block_size) for n in lengths)]) + room
    n_blocks = first + sum(ceil(n / block_size) for n in lengths) + 2
    free = (first + rng.permutation(n_blocks - first)).tolist()
    q = draws.on_grid(1.5 * rng.standard_normal((len(lengths), heads, n_q, d)))
    given = [np.full((n_blocks, kv_heads, block_size, d), unwritten) for _ in "kv"]
    tables = np.full((len(lengths), width), -1, np.int32)
    if np.any(level) or np.any(profile):
        q[..., -1] = np.broadcast_to(level, heads)[:, None] if np.any(level) else d**0.5
    if flat:
        q /= 16
    for b, length in enumerate(lengths):
        k = draws.on_grid(1.5 * rng.standard_normal((kv_heads, length, d)))
        v = rng.standard_normal((kv_heads, length, d)) + np.linspace(-2, 2, length)[:, None]
        if np.any(level) or np.any(profile):
            each = np.broadcast_to(profile, length)
            k[..., -1] = d**0.5 if np.any(level) else rng.permutation(each) if shuffled else each
        if flat:
            v = 3000 + 100 * v
        for i in range(ceil(length / block_size)):
            tables[b, i] = tables[0, i] if b and i < shared else free.pop()
            for pool, x in zip(given, (k, v), strict=True):
                piece = x[:, i * block_size : (i + 1) * block_size]
                pool[tables[b, i], :, : piece.shape[1]] = piece
    k_pool, v_pool = (draws.swapped(x.astype(dtype)) if tokens_first else x.astype(dtype) for x in given)
    found = {"q": q.astype(dtype), "k_pool": k_pool, "v_pool": v_pool}
    return found | {"tables": tables, "lengths": np.array(lengths, np.int32)} | rest


@draws.drawn
def decoding(rng: Generator, /, lengths: list[int], splits: int = 2, tile: int = 16, **rest: Any) -> Arguments:
    """The same with a single query of each sequence, (B, H, d)."""
    given = pools(lengths, splits=splits, tile=tile, **rest)(rng)
    return given | {"q": given["q"][:, :, 0].copy()}


TWELVE = flash_tiles.twelve_a_tile(50)
ONE_KEY = "one sequence of one token: its own key is all it sees"
GROUPS = "two KV heads, three query heads on each"
RISING = "the maximum grows from key to key"
RISING_TO_LAST = f"{RISING}, by 200 at the last"
SHARED = "three sequences whose first two blocks are the same"
FIVES = "blocks of 5 tokens, of which none is a tile"
UNUSED = "block 0 belongs to nobody, and what nobody wrote is NaN"
CHUNK = "a chunk of 5 queries at the end of 18 tokens: query 0 already sees 14 of them"
BATCH = "four sequences of 17, 3, 8 and 1 tokens, blocks of 8"
CACHED = "chunks of 4 queries; two sequences have fewer tokens, and their first queries see no key"
NO_QUERY = "all 12 tokens are cached and no query is left: the output is empty"
VIEWED = "the pool has tokens before heads in memory"
NEGATIVE = "the scale is -0.5, and the first key's product with the queries is far larger than the others'"
FULL = "sequences of 127 and 128 tokens, in blocks that are all full: products are counted"
MANY = "eight sequences of some 20 tokens: products are counted, which the blocks of others are no part of"
LONG = "2187 tokens: no mask or row of positions that was made beforehand is long enough"
GATHER = [
    Case("plain", "one sequence of 12 tokens in blocks of 4, one query", pools([12], block_size=4, room=0)),
    Case("single", ONE_KEY, pools([1], block_size=4)),
    Case("ragged", BATCH, pools([17, 3, 8, 1], kv_heads=2, block_size=8)),
    Case("cross", CHUNK, pools([18], n_q=5, block_size=4)),
    Case("whole-prompt", "21 queries of 21 tokens: the whole prompt is the chunk", pools([21], n_q=21, block_size=4)),
    Case("grouped", GROUPS, pools([19, 30], kv_heads=2, group=3, n_q=2, d=24, block_size=6)),
    Case("fully-masked", CACHED, pools([9, 2, 0, 5], n_q=4, block_size=4)),
    Case("no-query", NO_QUERY, pools([12], n_q=0, block_size=4)),
    Case("long", LONG, pools([2187], n_q=3)),
    Case("shared-prefix", SHARED, pools([40, 33, 36], shared=2)),
    Case("unwritten-nan", UNUSED, pools([11, 6], first=1, block_size=4)),
    Case("strided", VIEWED, pools([19, 30], kv_heads=2, group=3, block_size=8, tokens_first=True)),
    Case("scaled", flash_tiles.SCALED, pools([21], scale=0.2)),
    Case("zero-scale", "the scale is 0: all keys weigh alike", pools([21, 2], n_q=4, scale=0.0)),
    Case("negative-scale", NEGATIVE, pools([21], n_q=4, scale=-0.5, profile=draws.outlier(21))),
    Case("rising", RISING_TO_LAST, pools([37], profile=flash_tiles.climb(37) + draws.at_last(37), n_q=3)),
    Case("large-positive", flash_tiles.LARGE, pools([37], kv_heads=2, group=2, level=flash_tiles.up(4))),
    Case("light", draws.LIGHT, draws.light(pools([41], n_q=3), 16, 32)),
    Case("very-negative", flash_tiles.SMALL, pools([37], kv_heads=2, group=2, level=flash_tiles.down(4))),
    Case("far-below", draws.FAR_BELOW, pools([37, 5], n_q=6, group=2, level=np.array(draws.DEEP))),
    draws.billions_below(pools([3, 3], n_q=3, block_size=4)),
    Case("outlier", draws.OUTLIER, pools([37], n_q=1, group=2, profile=draws.outlier(37), shuffled=True)),
    draws.metered("many-sequences", MANY, pools([20, 17, 23, 19, 22, 18, 21, 24], n_q=2, group=2, block_size=8)),
    draws.metered("full-blocks", FULL, pools([127, 128], n_q=2, group=2, block_size=8)),
]


def own_keys(given: Arguments) -> int:
    """Multiplications of each query with the slots of its own sequence's blocks."""
    blocks = -(-given["lengths"] // given["k_pool"].shape[2])
    return draws.each_score_once(given["q"][:1], given["v_pool"], int(blocks.sum()) * given["k_pool"].shape[2])


DECODE_PLAIN = "one sequence of 40 tokens in blocks of 16, four query heads on one KV head, one split"
EMPTY = "sequences of 20, 0 and 3 tokens, three splits: some have no key"
LARGE_BLOCKS = "blocks of 24, in which every other tile begins but does not end, 1110 tokens in 70 splits"
HALF = "bytes are counted in fp16, too: 50 tokens, two query heads on one KV head, two splits, values around 3000"
LONG_WIDE_HEAD = "float16, d = 128, 40 query heads on one KV head, tiles of 32, 1380 tokens: 22 tiles in a split"
BYTES = (
    "bytes are counted: 50 and 23 tokens, two KV heads, three query heads on each, room for 13 blocks of 8, two "
    "splits, tiles of 32"
)
SHORT = "how many splits there are is not said, and the table has room for 48 tokens"
DECODE = [
    Case("plain", DECODE_PLAIN, decoding([40], group=4, splits=1, room=0)),
    Case("single", ONE_KEY, decoding([1])),
    Case("ragged", "three sequences of 37, 5 and 64 tokens, two splits", decoding([37, 5, 64], group=2)),
    Case("fully-masked", EMPTY, decoding([20, 0, 3], splits=3)),
    Case("grouped", GROUPS, decoding([40, 21], kv_heads=2, group=3, block_size=8, unwritten=0.0)),
    Case("mha", "MHA: three heads, each with keys of its own", decoding([33], kv_heads=3, splits=1, d=128)),
    Case("odd-blocks", FIVES, decoding([33, 27], group=2, block_size=5)),
    Case("large-blocks", LARGE_BLOCKS, decoding([1110], group=2, block_size=24, splits=70)),
    Case("shared-prefix", SHARED, decoding([40, 33, 36], shared=2, splits=1)),
    Case("unwritten-nan", UNUSED, decoding([41, 23], first=1, kv_heads=2, block_size=8)),
    Case("scaled", flash_tiles.SCALED, decoding([60], group=70, scale=0.2)),
    Case("rising", RISING, decoding([60], profile=flash_tiles.climb(60), group=2)),
    Case("falling", flash_tiles.FALLING, decoding([60], profile=flash_tiles.cliff(60), group=2, splits=1)),
    Case("large-positive", flash_tiles.LARGE, decoding([37], kv_heads=2, group=2, d=64, level=flash_tiles.up(4))),
    Case("light", draws.LIGHT, draws.light(decoding([60], group=2, splits=1), 16, 32)),
    Case("very-negative", flash_tiles.SMALL, decoding([37], kv_heads=2, group=2, level=flash_tiles.down(4))),
    Case("far-below", draws.FAR_BELOW, decoding([37], kv_heads=2, group=2, level=np.linspace(*draws.DEEP, 4))),
    draws.billions_below(decoding([1, 1], splits=1)),
    Case("jump", draws.JUMP, decoding([33], group=2, splits=1, profile=draws.jump(33))),
    Case("float16", HALF, decoding([50], group=2, flat=True, dtype="float16", d=32), budget=True),
    Case("float16-rising", flash_tiles.COARSE, decoding([50, 50], group=16, splits=1, profile=TWELVE, dtype="float16")),
    Case(
        "float16-sums",
        flash_tiles.LOST,
        draws.one_outweighs(decoding([256], group=2, splits=1, flat=True, dtype="float16", d=64)),
    ),
    Case("float16-scores", flash_tiles.UNROUNDED, draws.opposed(decoding([50], group=4, d=32, dtype="float16"))),
    draws.own_tiles(decoding([290, 20], group=2), "splits", "tile"),
    replace(draws.own_tiles(decoding([20], group=2), "splits"), key="short-table", name=SHORT),
    Case("wide-head", LONG_WIDE_HEAD, decoding([1380], group=40, d=128, dtype="float16", tile=32)),
    draws.metered("traffic", BYTES, decoding([50, 23], kv_heads=2, group=3, block_size=8, room=6, d=32, tile=32)),
]


TWO_TILES = Bound(flash_tiles.two_larger_tiles, "two tiles, and one at least", least=flash_tiles.larger_tile)
OFFSETS = Bound(lambda given: 0, "block numbers become 64 bits wide before they are multiplied")


def decode_loads(given: Arguments) -> int:
    batch, heads, d = given["q"].shape
    kv_heads, splits, size = given["k_pool"].shape[1], given["splits"], given["q"].itemsize
    keys = int(given["lengths"].sum()) * kv_heads
    outputs = batch * heads * splits
    return keys * (2 * d * size + 4) + outputs * d * size + 4 * batch * kv_heads * splits + 4 * outputs * (d + 1)


def decode_stores(given: Arguments) -> int:
    batch, heads, d = given["q"].shape
    return 4 * batch * heads * int(given["splits"]) * (d + 1) + given["q"].nbytes


def decode_stores_at_least(given: Arguments) -> int:
    """Of splits that hold no key nothing need be stored, and what is stored of the others is in float32."""
    (_, heads, d), splits, tile = given["q"].shape, int(given["splits"]), given["tile"]
    tiles = [ceil(length / tile) for length in given["lengths"].tolist()]
    with_keys = sum(ceil(n / ceil(n / splits)) for n in tiles if n)
    return 4 * heads * with_keys * (d + 1) + given["q"].nbytes


def one_split(given: Arguments) -> int:
    """What a program takes for a split of the longest sequence, and one for the merge of a query."""
    (_, heads, d), kv_heads, splits, tile = (
        given["q"].shape, given["k_pool"].shape[1], given["splits"], given["tile"]
    )  # fmt: skip
    keys = ceil(ceil(int(given["lengths"].max()) / tile) / splits) * tile
    size, group = given["q"].itemsize, heads // kv_heads
    split = keys * (2 * d * size + 4) + group * d * size + 4 + 4 * group * (d + 1)
    return split + 4 * splits * (d + 1) + d * size


def chunk_of(lengths: list[int], **rest: Any) -> draws.Draw:
    """Tiles of 16 packed rows and 16 keys, if nothing else is said."""
    return pools(lengths, **{"tile_m": 16, "tile_n": 16} | rest)


PREFILL_PLAIN = "the last 7 of 40 tokens, two query heads on one KV head, blocks of 16"
WHOLE_PROMPT = "the chunk is the whole prompt: 21 queries of 21 tokens, blocks of 8"
LAST_TOKEN = "one query, which is decoding: 40 tokens, four query heads on one KV head"
CUT = "a tile of 16 rows ends within a group of 3: its query is the first to see a second tile of keys, or misses it"
EVEN = "16 queries of 32 tokens, groups of 2: the tile of 16 divides everything"
RAGGED_BATCH = "bytes are counted: three sequences of 37, 5 and 64 tokens, chunks of 5"
SHORTER = "chunks of 12; sequences of 9, 2, 0 and 17 tokens: queries that see no key"
MUCH_SHORTER = "chunks of 22; of sequences of 3, 30 and 1 tokens, the first lacks more tokens than a tile has"
TALL = "tiles of 128 rows and 16 keys, blocks of 24; with the last row of a tile another tile of keys begins"
WIDE = "tiles of 16 rows and 32 keys, blocks of 8"
CHUNK_BYTES = "bytes are counted: 20 of 50 tokens, two KV heads, three query heads on each, blocks of 8"
WIDE_HEAD = "float16, d = 128, 18 query heads on one KV head, 700 tokens: 22 tiles of keys"
PREFILL = [
    Case("plain", PREFILL_PLAIN, chunk_of([40], group=2, n_q=7, room=0)),
    Case("single", "one sequence of one token, at position 0", chunk_of([1])),
    Case("whole-prompt", WHOLE_PROMPT, chunk_of([21], group=2, n_q=21, block_size=8)),
    Case("cross", "5 queries after 30 tokens that were cached", chunk_of([35], n_q=5)),
    Case("decode-step", LAST_TOKEN, chunk_of([40], group=4)),
    Case("grouped", CUT, chunk_of([19, 17], kv_heads=2, group=3, n_q=8, block_size=8, unwritten=0.0), ("ragged",)),
    Case("full-tiles", EVEN, chunk_of([32], group=2, n_q=16, d=128)),
    draws.metered("traffic-batch", RAGGED_BATCH, chunk_of([37, 5, 64], group=2, n_q=5)),
    Case("fully-masked", SHORTER, chunk_of([9, 2, 0, 17], group=2, n_q=12)),
    Case("much-shorter", MUCH_SHORTER, chunk_of([3, 30, 1], group=2, n_q=22)),
    Case("odd-blocks", FIVES, chunk_of([33, 27], group=2, n_q=6, block_size=5)),
    Case("tall-tiles", TALL, chunk_of([97], group=2, n_q=80, block_size=24, tile_m=128)),
    draws.metered("wide-tiles", WIDE, chunk_of([70], group=2, n_q=20, block_size=8, tile_n=32)),
    Case("shared-prefix", SHARED, chunk_of([40, 33, 36], n_q=3, shared=2)),
    Case("unwritten-nan", UNUSED, chunk_of([41], first=1, n_q=4, block_size=8)),
    Case("scaled", flash_tiles.SCALED, chunk_of([37], n_q=3, scale=0.2)),
    Case("rising", flash_tiles.RISING, chunk_of([60], profile=flash_tiles.climb(60), group=2, n_q=4)),
    Case("large-positive", flash_tiles.LARGE, chunk_of([37], group=4, n_q=4, d=64, level=flash_tiles.up(4))),
    Case("light", draws.LIGHT, draws.light(chunk_of([60], group=2, n_q=4), 16, 32)),
    Case("very-negative", flash_tiles.SMALL, chunk_of([37], group=4, n_q=4, level=flash_tiles.down(4))),
    Case("far-below", draws.FAR_BELOW, chunk_of([37], group=4, n_q=9, level=np.linspace(*draws.DEEP, 4))),
    Case("hidden-higher", draws.HIDDEN_HIGHER, chunk_of([21], n_q=21, profile=draws.stairs(21))),
    draws.billions_below(chunk_of([9], n_q=9)),
    Case("jump", draws.JUMP, chunk_of([33], group=2, n_q=4, profile=draws.jump(33))),
    Case("float16", flash_tiles.HALF, chunk_of([50], group=2, n_q=6, flat=True, dtype="float16", d=32)),
    Case("float16-rising", flash_tiles.COARSE, chunk_of([50], group=4, n_q=6, profile=TWELVE, dtype="float16")),
    Case(
        "float16-sums", flash_tiles.LOST, draws.one_outweighs(chunk_of([256], n_q=2, flat=True, dtype="float16", d=64))
    ),
    Case("float16-scores", flash_tiles.UNROUNDED, draws.opposed(chunk_of([50], group=4, n_q=6, d=32, dtype="float16"))),
    draws.own_tiles(chunk_of([100, 20], group=2, n_q=90, dtype="float16")),
    Case("wide-head", WIDE_HEAD, chunk_of([700], group=18, n_q=2, d=128, dtype="float16", tile_m=32, tile_n=32)),
    draws.metered("traffic", CHUNK_BYTES, chunk_of([50], kv_heads=2, group=3, n_q=20, block_size=8, d=32)),
]


SEEN_BY_ROWS = "q once; for each tile of a KV head's rows the tiles of keys and values that one of them sees"
SEEN_ROWS = "those of the tiles of rows and keys that see each other"


def keys_of_tiles(given: Arguments) -> list[list[int]]:
    """For each sequence how many keys each tile of a KV head's packed rows reads; of a ragged batch, too."""
    lengths, tiles = given["lengths"].tolist(), (given["tile_m"], given["tile_n"])
    new = np.diff(given["begins"]).tolist() if "begins" in given else [given["q"].shape[2]] * len(lengths)
    group = given["q"].shape[1] // flash_tiles.kv_heads(given)
    return [flash_tiles.keys_of_rows(n_q, n, True, *tiles, group) for n_q, n in zip(new, lengths, strict=True)]


def tile_of_rows(given: Arguments) -> int:
    """What the program moves whose packed rows see most keys: q and o once, keys, values and their blocks in turn."""
    row = 2 * given["q"].itemsize * given["q"].shape[-1]
    numbers = 3 if "begins" in given else 1  # its length, and where its chunk begins and ends
    return row * given["tile_m"] + (row + 4) * max(map(max, filter(None, keys_of_tiles(given)))) + 4 * numbers


def prefill_loads(given: Arguments) -> int:
    """q once; for each tile of a KV head's packed rows the tiles of keys that one of its rows sees."""
    key = 2 * given["q"].itemsize * given["q"].shape[3] + 4
    moved = sum(sum(keys) * key + 4 * len(keys) for keys in keys_of_tiles(given))
    return given["q"].nbytes + flash_tiles.kv_heads(given) * moved


def prefill_asked(given: Arguments) -> int:
    """Elements of the tiles in `prefill_loads`, ragged or not; no bound where nothing is said of them."""
    (batch, heads, n_q, d), kv_heads, tile_n = given["q"].shape, flash_tiles.kv_heads(given), given["tile_n"]
    rows = flash_tiles.whole([n_q * heads // kv_heads] * batch, given["tile_m"])
    keys = sum(flash_tiles.whole(seen, tile_n) * (2 * d + 1) + len(seen) for seen in keys_of_tiles(given))
    return kv_heads * (d * rows + keys)


def packed_products(given: Arguments) -> int:
    """Of S and of P V, for the tiles that meet."""
    d, tile_m, tile_n = given["q"].shape[-1], given["tile_m"], given["tile_n"]
    products = (flash_tiles.products_of_tiles(seen, tile_n, tile_m, d) for seen in keys_of_tiles(given))
    return flash_tiles.kv_heads(given) * sum(products)


kernel = partial(Exercise, outputs=(Output("O"),), points=5, backend="triton", forbidden=flash_tiles.FORBIDDEN)
EXERCISES = [
    Exercise(
        function=paged_attention.paged_gather_attention,
        oracle=right.over_tables,
        outputs=(Output("O"),),
        points=3,
        backend="torch",
        forbidden=("scaled_dot_product",),
        cases=GATHER,
        budget=Budget(
            products=Bound(own_keys, "2 d for each query and each key of its sequence's blocks, and an eighth more")
        ),
    ),
    kernel(
        function=paged_attention.paged_decode,
        kernels=(paged_attention.paged_split_kernel, paged_attention.paged_combine_kernel),
        oracle=right.one_query,
        cases=DECODE,
        compiled=decoding([300, 200], kv_heads=2, group=8, d=128, dtype="float16", splits=2, tile=64),
        budget=Budget(
            is_the_point=True,
            loads=Bound(
                decode_loads,
                "each key and value once for each KV head, with 4 bytes of the table; q for "
                "each split; o and L of every split",
            ),
            narrow=OFFSETS,
            stores=Bound(decode_stores, "o and L of every split, in float32; o once", least=decode_stores_at_least),
            memory=Bound(decode_stores, "o and L of every split, and o: no copy of keys or values"),
            programs=Bound(
                flash_tiles.splits_and_heads, "one for each split of each KV head, one for each query", exactly=True
            ),
            launches=launched(2, "each of the two kernels once"),
            busiest=draws.a_quarter_more(one_split, "a split of the longest sequence, and the merge of a query"),
            widest=flash_tiles.widest_in_a_split("tile"),
            at_a_time=flash_tiles.at_a_time_in_a_split("tile"),
            products=flash_tiles.products_of_splits("tile"),
            met=Bound(flash_tiles.one_product_of_splits),
            powers_in_all=flash_tiles.powers_of_splits("tile"),
        ),
        without={
            "cross": "there is one query, the last token, which sees all keys",
            "strided": "contiguous inputs are part of the contract",
        },
    ),
    kernel(
        function=paged_attention.paged_prefill,
        kernels=(paged_attention.paged_prefill_kernel,),
        oracle=right.over_tables,
        cases=PREFILL,
        compiled=chunk_of([700, 300], kv_heads=2, group=8, n_q=64, d=128, dtype="float16", tile_m=64, tile_n=64),
        budget=Budget(
            is_the_point=True,
            loads=Bound(prefill_loads, f"{SEEN_BY_ROWS}, with 4 bytes of the table per key"),
            asked=Bound(prefill_asked, SEEN_BY_ROWS),
            narrow=OFFSETS,
            products=Bound(packed_products, SEEN_ROWS),
            stores=Bound(draws.bytes_of("q"), "o once"),
            memory=Bound(draws.bytes_of("q"), "o: no copy of keys or values"),
            programs=Bound(flash_tiles.tiles_of_rows, "one for each tile of rows of a KV head", exactly=True),
            busiest=draws.a_quarter_more(tile_of_rows, "a tile of packed rows"),
            widest=TWO_TILES,
            **flash_tiles.A_PAIR_AT_A_TIME,
        ),
        without={"strided": "contiguous inputs are part of the contract"},
    ),
]

QUESTIONS = [
    Question(
        name="gather_factor",
        ask="Gathering reads the keys and values and writes them in order, and attention reads the copy: how many "
        "times as many bytes is that as reading them once?",
        answer=Quantity(3),
        why="Read, write, read: three times, and the copy takes room besides.",
    ),
    Question(
        name="percent_of_table",
        ask="The table is read at 4 bytes for each key. What percentage is that of the bytes of the key and its value, "
        "with d = 128 in bf16?",
        answer=Quantity(0.78, "%", rel=0.03),
        why="A key and a value are 2 * 128 * 2 = 512 bytes; 4 / 512 = 0.78 %.",
    ),
    Question(
        name="chunk_to_token",
        ask="A chunk of 512 tokens of one sequence, 64 query heads on 8 KV heads, tiles of 64 packed rows: how many "
        "times as many programs as for one new token, without a split?",
        answer=Quantity(64, "times as many"),
        why="A KV head has 512 * 8 = 4096 packed rows, 64 tiles of 64, and there are 8 KV heads: 512 programs. One new "
        "token has 8 packed rows in one tile for each KV head, 8 programs.",
    ),
]
