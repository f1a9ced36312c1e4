"""Lesson 15: query heads that share keys and values, by head index, packed into rows, and packed into one tile."""

from collections.abc import Callable
from math import ceil

import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor

from autograder.exercises.attention import scores_and_mask
from autograder.exercises.draws import swapped
from autograder.exercises.flash_forward import (
    ACC,
    ALPHA_THEN_P,
    FALLING,
    FORBIDDEN,
    HALF,
    LARGE,
    MAX_2,
    RISING,
    SCALED,
    SMALL,
    START_AT_ZERO,
    cliff,
    climb,
    folded_scale,
    log_sum_exps,
    mistakes,
    output_and_lse_bytes,
    rescaling,
)
from autograder.spec.exercise import Arguments, Budget, Case, Exercise, Mutant, Output, Question
from kernels import gqa, reference

Draw = Callable[[Generator], Arguments]

MOVED_ONLY = {
    name: "numbers are moved here, not computed with"
    for name in ("ragged", "rising max", "large positive", "very negative", "masked row", "cross")
}


# What is right.


def with_lse(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None, **tiles: int | None
) -> tuple[Tensor, Tensor]:
    """Every query head with a copy of its group's keys and values; tile sizes must not matter."""
    group = q.shape[1] // k.shape[1]
    return reference.attention(q, k.repeat_interleave(group, 1), v.repeat_interleave(group, 1), causal, scale)


def without_lse(q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None) -> Tensor:
    return with_lse(q, k, v, causal, scale)[0]


def packed(q: Tensor, kv_heads: int) -> Tensor:
    """Row by row, as the contract says."""
    group = q.shape[1] // kv_heads
    rows = range(q.shape[2] * group)
    return torch.stack(
        [torch.stack([q[:, kv * group + r % group, r // group] for r in rows], 1) for kv in range(kv_heads)], 1
    )


def unpacked(rows: Tensor, heads: int) -> Tensor:
    group = heads // rows.shape[1]
    positions = range(rows.shape[2] // group)
    return torch.stack(
        [torch.stack([rows[:, h // group, i * group + h % group] for i in positions], 1) for h in range(heads)], 1
    )


# Inputs.


def grouped(
    *shape: int,
    level=None,
    profile=0.0,
    flat=False,
    dtype="float32",
    tiles=(),
    **rest: object,
) -> Draw:
    """q, k, v with shape = (B, H, H_kv, N_q, N_k, d), and tile sizes if any; `rest` is handed on.

    The scores, at the scale 1/sqrt(d), are about 2 * N(0, 1) + level + profile: `level` is a first and a last number,
    between which the rows of all heads lie, `profile` one number for each key. q and k are multiples of 1/16, so the
    products are exact in any order of summation. The values drift along the keys. `flat`: all scores are near 0 and
    all values near 3000.
    """
    b, h, h_kv, n_q, n_k, d = shape

    def draw(rng: Generator) -> Arguments:
        q = np.round(16 * 1.5 * rng.standard_normal((b, h, n_q, d))) / 16
        k = np.round(16 * 1.5 * rng.standard_normal((b, h_kv, n_k, d))) / 16
        if level:
            lowest, highest = level
            q[..., -1], k[..., -1] = np.linspace(lowest, highest, h * n_q).reshape(n_q, h).T, d**0.5
        elif np.any(profile):
            q[..., -1], k[..., -1] = d**0.5, profile
        v = rng.standard_normal((b, h_kv, n_k, d)) + np.linspace(-2, 2, n_k)[:, None]
        if flat:
            q, v = q / 16, 3000 + 100 * v
        given = {name: x.astype(dtype) for name, x in (("q", q), ("k", k), ("v", v))}
        return given | rest | dict(zip(("tile_m", "tile_n"), tiles))

    return draw


def in_a_cache(*shape: int, **rest: object) -> Draw:
    """The same with k and v as views of the first N_k places of a cache with room for 11 more."""

    def draw(rng: Generator) -> Arguments:
        given = grouped(*shape, **rest)(rng)
        longer = [(0, 0), (0, 0), (0, 11), (0, 0)]
        views = {name: np.pad(given[name], longer)[:, :, : shape[4]] for name in "kv"}
        return given | views

    return draw


def tokens_first(*shape: int, **rest: object) -> Draw:
    """The same as views: (B, N, H, d) in memory, (B, H, N, d) to the function, as a model's projections leave them."""

    def draw(rng: Generator) -> Arguments:
        given = grouped(*shape, **rest)(rng)
        moved = {name: swapped(given[name]) for name in "qkv"}
        return given | moved

    return draw


def numbers(name: str, *shape: int, moved: bool = False, **rest: int) -> Draw:
    """One tensor of normal numbers; `moved`: its heads lie inside its tokens."""

    def draw(rng: Generator) -> Arguments:
        x = rng.standard_normal(shape).astype(np.float32)
        return {name: swapped(x) if moved else x} | rest

    return draw


# What a call may use.


def scores_memory(given: Arguments) -> int:
    """The output twice and the scores of all heads four times."""
    q = given["q"]
    return 4 * (2 * q.size + 4 * q[..., 0].size * given["k"].shape[2])


def loads(given: Arguments) -> int:
    """q once; for each tile of a KV head's packed rows the tiles of k and v that one of its rows sees."""
    b, h, n_q, d = given["q"].shape
    h_kv, n_k = given["k"].shape[1:3]
    group, tile_m, tile_n = h // h_kv, given["tile_m"], given["tile_n"]
    rows = [min((t + 1) * tile_m, n_q * group) - 1 for t in range(ceil(n_q * group / tile_m))]
    seen = [max(0, r // group + 1 + n_k - n_q) if given.get("causal") else n_k for r in rows]
    keys = sum(min(n_k, ceil(count / tile_n) * tile_n) for count in seen)
    return given["q"].itemsize * b * (h * n_q * d + 2 * h_kv * keys * d)


# The situations.

CAUSAL = "causal, as many queries as keys"
CROSS = "causal, 5 queries at the end of 21 keys: query 0 already sees 17 of them"
UNSEEN = "causal, 12 queries and only 5 keys: the first 7 queries see none, and their rows are 0"
MHA = "as many KV heads as query heads, which is multi-head attention"
MQA = "7 query heads on a single KV head, which is multi-query attention"
FIVE = "10 query heads on 2 KV heads: groups of 5"
TOKENS_FIRST = "heads lie inside tokens, as a model's projections leave them"
CACHE = "k and v are views into a longer cache"
NO_COPY = "memory: 12 query heads on 2 KV heads, 2 queries, 300 keys"

BY_INDEX = [
    Case("plain", "4 query heads on 2 KV heads, 3 queries, 5 keys", grouped(1, 4, 2, 3, 5, 4)),
    Case("single", "one head, one query, one key, d = 1", grouped(1, 1, 1, 1, 1, 1), ("single",)),
    Case("grouped", "two batches, 6 query heads on 2 KV heads: groups of 3", grouped(2, 6, 2, 4, 9, 8), ("grouped",)),
    Case("groups-of-five", FIVE, grouped(1, 10, 2, 1, 12, 8)),
    Case("mha", MHA, grouped(1, 3, 3, 4, 9, 8)),
    Case("mqa", MQA, grouped(2, 7, 1, 4, 9, 8)),
    Case("scaled", SCALED, grouped(1, 6, 3, 4, 9, 16, scale=0.2)),
    Case("causal", CAUSAL, grouped(1, 6, 2, 9, 9, 8, causal=True)),
    Case("cross", CROSS, grouped(1, 6, 2, 5, 21, 8, causal=True), ("cross",)),
    Case("fully-masked", UNSEEN, grouped(1, 6, 2, 12, 5, 8, causal=True), ("masked row",)),
    Case("large-positive", LARGE, grouped(1, 6, 2, 4, 37, 16, level=(150, 250)), ("large positive",)),
    Case("very-negative", SMALL, grouped(1, 6, 2, 4, 37, 16, level=(-500, -150)), ("very negative",)),
    Case("cache-view", CACHE, in_a_cache(2, 6, 2, 3, 9, 8, causal=True)),
    Case("strided", TOKENS_FIRST, tokens_first(2, 6, 2, 5, 9, 8), ("strided",)),
    Case("memory", NO_COPY, in_a_cache(1, 12, 2, 2, 300, 32, causal=True), budget=True),
]

PACK = [
    Case(
        "plain", "6 query heads on 2 KV heads, 4 positions, d = 2", numbers("q", 1, 6, 4, 2, kv_heads=2), ("grouped",)
    ),
    Case("single", "one head, one position, d = 1", numbers("q", 1, 1, 1, 1, kv_heads=1), ("single",)),
    Case("decode-step", "one position, as in a decode step", numbers("q", 2, 6, 1, 4, kv_heads=2)),
    Case("heads", "two batches, 6 query heads on 3 KV heads", numbers("q", 2, 6, 5, 4, kv_heads=3)),
    Case("groups-of-two", "4 query heads on 2 KV heads", numbers("q", 1, 4, 3, 2, kv_heads=2)),
    Case("mha", MHA, numbers("q", 1, 3, 4, 2, kv_heads=3)),
    Case("mqa", MQA, numbers("q", 2, 7, 3, 2, kv_heads=1)),
    Case("strided", TOKENS_FIRST, numbers("q", 2, 6, 5, 4, moved=True, kv_heads=2), ("strided",)),
]

UNPACK = [
    Case("plain", "12 rows on each of 2 KV heads, 6 query heads", numbers("rows", 1, 2, 12, 2, heads=6), ("grouped",)),
    Case("single", "one row, d = 1", numbers("rows", 1, 1, 1, 1, heads=1), ("single",)),
    Case("decode-step", "one position, as in a decode step", numbers("rows", 2, 2, 3, 4, heads=6)),
    Case("heads", "two batches, 6 query heads on 3 KV heads", numbers("rows", 2, 3, 12, 4, heads=6)),
    Case("groups-of-two", "4 query heads on 2 KV heads", numbers("rows", 1, 2, 6, 2, heads=4)),
    Case("mha", MHA, numbers("rows", 1, 3, 6, 2, heads=3)),
    Case("mqa", MQA, numbers("rows", 2, 1, 21, 2, heads=7)),
    Case(
        "strided",
        "rows of both KV heads alternate in memory",
        numbers("rows", 2, 2, 15, 4, moved=True, heads=6),
        ("strided",),
    ),
]

TILES = (16, 16)
PLAIN = "one query, 4 query heads on 2 KV heads, 20 keys, tiles of 16"
CUT = "causal, groups of 3 do not divide the tile of 16: heads of one query lie in two tiles"
EDGE = "causal, groups of 3: only the last row of the first tile sees key 16, with which a tile of keys begins"
BATCHES = "two batches, 6 query heads on 2 KV heads, d = 32, tiles of 32 rows and 16 keys"
BYTES = "bytes are counted: 6 query heads on 2 KV heads, 4 queries, 61 keys in a cache"
BYTES_CAUSAL = "bytes are counted: causal, groups of 3, 16 queries, 20 keys"


PACKED = [
    Case("plain", PLAIN, grouped(1, 4, 2, 1, 20, 16, tiles=TILES)),
    Case("single", "one head, one query, one key, tiles of 16", grouped(1, 1, 1, 1, 1, 16, tiles=TILES), ("single",)),
    Case("several-queries", "5 queries: 10 packed rows in a tile of 16", grouped(1, 4, 2, 5, 37, 16, tiles=TILES)),
    Case("causal", "causal, groups of 2: 7 queries and 20 keys", grouped(1, 4, 2, 7, 20, 16, tiles=TILES, causal=True)),
    Case("grouped", CUT, grouped(1, 6, 2, 8, 30, 16, tiles=TILES, causal=True), ("grouped", "ragged"), tile=(16, 16)),
    Case("edge-key", EDGE, grouped(1, 3, 1, 6, 17, 16, tiles=TILES, causal=True)),
    Case("groups-of-five", FIVE, grouped(1, 10, 2, 2, 33, 16, tiles=(16, 32))),
    Case("mha", MHA, grouped(1, 3, 3, 5, 18, 16, tiles=TILES, causal=True)),
    Case("mqa", MQA, grouped(1, 7, 1, 3, 37, 16, tiles=TILES, causal=True)),
    Case("cross", CROSS, grouped(1, 6, 2, 5, 21, 16, tiles=TILES, causal=True), ("cross",)),
    Case("fully-masked", UNSEEN, grouped(1, 3, 1, 12, 5, 16, tiles=TILES, causal=True), ("masked row",)),
    Case("tall-tiles", BATCHES, grouped(2, 6, 2, 5, 20, 32, tiles=(32, 16))),
    Case("scaled", SCALED, grouped(1, 4, 2, 3, 21, 16, tiles=TILES, scale=0.2)),
    Case("rising", RISING, grouped(1, 3, 1, 3, 37, 16, tiles=TILES, profile=climb(37)), ("rising max",)),
    Case("falling", FALLING, grouped(1, 3, 1, 3, 37, 16, tiles=TILES, profile=cliff(37))),
    Case("large-positive", LARGE, grouped(1, 3, 1, 3, 37, 16, tiles=TILES, level=(150, 250)), ("large positive",)),
    Case("very-negative", SMALL, grouped(1, 3, 1, 3, 37, 16, tiles=TILES, level=(-500, -150)), ("very negative",)),
    Case("float16", HALF, grouped(1, 6, 2, 3, 37, 32, tiles=TILES, flat=True, dtype="float16")),
    Case("cache-view", CACHE, in_a_cache(2, 4, 2, 3, 20, 16, tiles=TILES, causal=True)),
    Case("strided", TOKENS_FIRST, tokens_first(2, 4, 2, 3, 20, 16, tiles=TILES), ("strided",)),
    Case(
        "wide-head",
        "d = 128, fp16, 8 query heads on one KV head",
        grouped(1, 8, 1, 1, 40, 128, tiles=(16, 32), dtype="float16"),
    ),
    Case("traffic", BYTES, in_a_cache(1, 6, 2, 4, 61, 16, tiles=TILES), budget=True),
    Case("traffic-causal", BYTES_CAUSAL, in_a_cache(1, 6, 2, 16, 20, 16, tiles=TILES, causal=True), budget=True),
]

# Mistakes.


def replaced(line: str, wrong: dict[str, tuple[str, str]], hint: int = 2) -> list[Mutant]:
    """Mutants of one line: name -> (what stands in its place, the case that kills it)."""
    return [Mutant(name, old=line, new=new, killed_by=case, hint=hint) for name, (new, case) in wrong.items()]


INTERLEAVED = "query head h takes the KV head h mod H_kv, so that the groups are interleaved"

HERE = "here = (kv * GROUP + rows % GROUP) * n_q + position"
LAST = "last = position + n_k - n_q"
END = "end = tl.minimum((first + TILE_M - 1) // GROUP + 1 + n_k - n_q, n_k)"
STORE_O, STORE_L = "tl.store(o_ptr + here[:, None] * D", "tl.store(L_ptr + here,"
K_HEAD, V_HEAD = (
    "k_ptr += kv // H_kv * k_batch + kv % H_kv * k_head",
    "v_ptr += kv // H_kv * v_batch + kv % H_kv * v_head",
)

ROWS = [
    *replaced(
        HERE,
        {
            INTERLEAVED: (
                "here = (kv // H_kv * H_kv * GROUP + rows % GROUP * H_kv + kv % H_kv) * n_q + position",
                "plain",
            ),
        },
        hint=1,
    ),
    *replaced(
        LAST,
        {
            "the causal mask takes the number of the packed row for the position of the query": (
                "last = rows + n_k - n_q",
                "causal",
            ),
            "the causal mask takes the head's number within the group for the position of the query": (
                "last = rows % GROUP + n_k - n_q",
                "causal",
            ),
            "the causal mask counts positions from the start of the tile": (
                "last = tl.arange(0, TILE_M) // GROUP + n_k - n_q",
                "grouped",
            ),
            "the causal mask is aligned top-left instead of bottom-right": ("last = position", "cross"),
            "the causal mask hides every query's own key: it is off by one": (
                "last = position + n_k - n_q - 1",
                "causal",
            ),
            "the causal mask lets every query see one key too many: it is off by one": (
                "last = position + n_k - n_q + 1",
                "causal",
            ),
        },
    ),
    Mutant("causal is ignored", old="if CAUSAL:", new="if False:", killed_by="causal", hint=2),
    *replaced(
        END,
        {
            "the loop over keys ends with the last key of the tile's first query": (
                "end = tl.minimum(first // GROUP + 1 + n_k - n_q, n_k)",
                "causal",
            ),
            "the loop over keys ends one key before the last one that the tile's last row sees": (
                "end = tl.minimum((first + TILE_M - 1) // GROUP + n_k - n_q, n_k)",
                "edge-key",
            ),
            "the end of the loop counts positions from key 0, as if nothing were cached": (
                "end = tl.minimum((first + TILE_M - 1) // GROUP + 1, n_k)",
                "causal",
            ),
            "the end of the loop takes packed rows for positions, so that tiles of keys which no row sees are loaded": (
                "end = tl.minimum(first + TILE_M + n_k - n_q, n_k)",
                "traffic-causal",
            ),
        },
        hint=3,
    ),
    Mutant(
        "a packed row is taken for real if its number, and not its position, is below N_q",
        old="real = position < n_q",
        new="real = rows < n_q",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "queries, o and L are taken to lie in packed order in memory, one row after the other",
        old=HERE,
        new="here = kv * GROUP * n_q + rows",
        killed_by="causal",
        hint=2,
    ),
    Mutant(
        "the queries are loaded as if they lay in packed order in memory already",
        old="q_ptr + here[:, None] * D",
        new="q_ptr + (kv * GROUP * n_q + rows)[:, None] * D",
        killed_by="several-queries",
        hint=2,
    ),
    Mutant(
        "the output is stored in packed order, one row after the other",
        old=STORE_O,
        new="tl.store(o_ptr + (kv * GROUP * n_q + rows)[:, None] * D",
        killed_by="several-queries",
        hint=2,
    ),
    Mutant(
        "L is stored in packed order, one row after the other",
        old=STORE_L,
        new="tl.store(L_ptr + kv * GROUP * n_q + rows,",
        killed_by="several-queries",
        hint=2,
    ),
]

KEYS = [
    Mutant(
        "every group reads the keys of the first KV head",
        old=K_HEAD,
        new="k_ptr += kv // H_kv * k_batch",
        killed_by="plain",
        hint=1,
    ),
    Mutant(
        "all batches read the values of the first one",
        old=V_HEAD,
        new="v_ptr += kv % H_kv * v_head",
        killed_by="tall-tiles",
        hint=1,
    ),
    Mutant(
        "the rows of keys and values are taken to lie d numbers apart, whatever their strides",
        old="keys[:, None] * k_row + columns, mask=held, other=0)\n        v = tl.load(v_ptr + keys[:, None] * v_row",
        new="keys[:, None] * D + columns, mask=held, other=0)\n        v = tl.load(v_ptr + keys[:, None] * D",
        killed_by="strided",
        hint=4,
    ),
    Mutant(
        "the strides of the keys are ignored, as if the cache ended with its last key",
        old="*k.stride()[:3]",
        new="kv_heads * n_k * d, n_k * d, d",
        killed_by="cache-view",
        hint=4,
    ),
    Mutant(
        "the keys past the end count, with the score 0",
        old="tl.full((TILE_M,), n_k - 1, tl.int32)",
        new="tl.full((TILE_M,), n_k + TILE_N, tl.int32)",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "the last, ragged tile of keys is dropped",
        old="range(0, end, TILE_N)",
        new="range(0, end // TILE_N * TILE_N, TILE_N)",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "masked scores become large negative numbers, so that a query that sees no key averages all values",
        old='s = tl.where(keys <= last[:, None], s, float("-inf"))',
        new="s = tl.where(keys <= last[:, None], s, -1e6)",
        killed_by="fully-masked",
        hint=3,
    ),
    Mutant(
        "-inf is subtracted from -inf while a query has seen no key, which is NaN",
        old='shift = tl.where(m_new == float("-inf"), 0.0, m_new)',
        new="shift = m_new",
        killed_by="fully-masked",
        hint=3,
    ),
    Mutant(
        "0 is divided by 0 for a query that sees no key",
        old="l = tl.where(l == 0, 1.0, l)",
        new="l = l",
        killed_by="fully-masked",
        hint=3,
    ),
    Mutant(
        "the keys and values are loaded anew for every query head of the group",
        old="        s = tl.dot(q, k.T",
        new="        for _ in range(GROUP - 1):\n"
        "            k = tl.load(k_ptr + keys[:, None] * k_row + columns, mask=held, other=0)\n"
        "            v = tl.load(v_ptr + keys[:, None] * v_row + columns, mask=held, other=0)\n"
        "        s = tl.dot(q, k.T",
        killed_by="traffic",
        hint=1,
    ),
    Mutant(
        "the queries are loaded anew for every tile of keys",
        old="        held = keys[:, None] < n_k",
        new="        held = keys[:, None] < n_k\n"
        "        q = tl.load(q_ptr + here[:, None] * D + columns * 1, mask=real[:, None], other=0)",
        killed_by="traffic",
        hint=1,
    ),
    Mutant(
        "the keys and values are repeated for every query head before the kernel starts",
        old="    q = q.contiguous()",
        new="    k = k[:, :, None].expand(-1, -1, group, -1, -1).flatten(1, 2)\n"
        "    v = v[:, :, None].expand(-1, -1, group, -1, -1).flatten(1, 2)\n"
        "    kv_heads, group = heads, 1\n"
        "    q = q.contiguous()",
        killed_by="traffic",
        hint=1,
    ),
    Mutant(
        "the part of the cache that is used is copied before the kernel starts",
        old="    q = q.contiguous()",
        new="    q, k, v = q.contiguous(), k.contiguous(), v.contiguous()",
        killed_by="traffic",
        hint=4,
    ),
]

KV = "kv = h // (heads // kv_heads)"

EXERCISES = [
    Exercise(
        function=gqa.grouped_attention,
        oracle=without_lse,
        outputs=(Output("O"),),
        points=2,
        backend="torch",
        forbidden=("scaled_dot_product",),
        cases=BY_INDEX,
        without={"ragged": "there is no tile yet", "rising max": "the whole row is seen at once"},
        budget=Budget(
            memory=scores_memory,
            memory_is="4 bytes * (2 outputs + 4 times the scores of all heads), and nothing of the size of k and v",
        ),
        mutants=[
            *scores_and_mask("(q[:, h] @ k[:, kv].transpose(1, 2))"),
            *replaced(
                KV,
                {
                    INTERLEAVED: ("kv = h % kv_heads", "plain"),
                    "query head h takes the KV head h mod g": ("kv = h % (heads // kv_heads)", "plain"),
                    "every query head takes the first KV head": ("kv = 0", "plain"),
                    "the groups are counted from the last KV head": (
                        "kv = kv_heads - 1 - h // (heads // kv_heads)",
                        "plain",
                    ),
                    "the number of KV heads is taken for the size of a group": (
                        "kv = min(h // kv_heads, kv_heads - 1)",
                        "groups-of-five",
                    ),
                    "the size of a group is rounded up to a power of two": (
                        "kv = h // (1 << (heads // kv_heads - 1).bit_length())",
                        "groups-of-five",
                    ),
                },
                hint=1,
            ),
            Mutant(
                "the keys are those of head h // g, the values those of head h mod H_kv",
                old="p @ v[:, kv]",
                new="p @ v[:, h % kv_heads]",
                killed_by="plain",
                hint=2,
            ),
            Mutant(
                "masked scores become large negative numbers, so that a query that sees no key averages all values",
                old="-torch.inf)\n",
                new="-1e9)\n",
                killed_by="fully-masked",
                hint=3,
            ),
            Mutant(
                "a query that sees no key takes the softmax of a row of -inf, which is NaN",
                old="p.masked_fill(torch.isneginf(s), 0)",
                new="p",
                killed_by="fully-masked",
                hint=3,
            ),
            Mutant(
                "the softmax runs along the queries instead of along the keys",
                old="torch.softmax(s, dim=-1)",
                new="torch.softmax(s, dim=-2)",
                killed_by="plain",
                hint=2,
            ),
            Mutant(
                "the keys and values are repeated for every query head",
                old=KV,
                new="if k.shape[1] < heads:\n"
                "            k, v = (x.repeat_interleave(heads // kv_heads, dim=1) for x in (k, v))\n"
                "        kv = h",
                killed_by="memory",
                hint=1,
            ),
        ],
        hints=[
            "A head is an index. q[:, h] is the matrix of one query head of all batches, k[:, kv] that of one KV head, "
            "and both are views: no number moves. All that is new is which kv belongs to h.",
            "The g = H / H_kv query heads of a group are neighbours: 0 to g - 1 on KV head 0, g to 2 g - 1 on KV head "
            "1, and so on, so kv = h // g, for the keys and for the values. One head after the other is "
            "naive_attention of lesson 03 with a batch in place of its heads.",
            "H = 6, H_kv = 2, g = 3: the heads 0 to 5 take the KV heads 0, 0, 0, 1, 1, 1. With h mod H_kv it would be "
            "0, 1, 0, 1, 0, 1. A row of scores that are all -inf has NaN for a softmax; replace what was masked by 0 "
            "after it.",
        ],
    ),
    Exercise(
        function=gqa.pack_heads,
        oracle=packed,
        outputs=(Output("rows"),),
        points=1,
        backend="torch",
        cases=PACK,
        without=MOVED_ONLY,
        mutants=replaced(
            "q.unflatten(1, (kv_heads, -1)).transpose(2, 3).flatten(2, 3)",
            {
                INTERLEAVED: ("q.unflatten(1, (-1, kv_heads)).permute(0, 2, 3, 1, 4).flatten(2, 3)", "plain"),
                "the rows run head by head: all positions of the first head, then all of the second": (
                    "q.unflatten(1, (kv_heads, -1)).flatten(2, 3)",
                    "plain",
                ),
                "positions come before heads, and the whole is cut into H_kv pieces of rows": (
                    "q.transpose(1, 2).reshape(q.shape[0], kv_heads, -1, q.shape[-1])",
                    "plain",
                ),
                "the number of KV heads is taken for the size of a group": (
                    "q.unflatten(1, (-1, kv_heads)).transpose(2, 3).flatten(2, 3)",
                    "plain",
                ),
                "the first head of a group stands in for all of its heads": (
                    "q.unflatten(1, (kv_heads, -1)).transpose(2, 3)[:, :, :, :1]"
                    ".expand(-1, -1, -1, q.shape[1] // kv_heads, -1).flatten(2, 3)",
                    "plain",
                ),
                "the heads of a group come in reverse order": (
                    "q.unflatten(1, (kv_heads, -1)).flip(2).transpose(2, 3).flatten(2, 3)",
                    "plain",
                ),
                "the axis of the KV heads is moved behind the rows": (
                    "q.unflatten(1, (kv_heads, -1)).transpose(2, 3).flatten(2, 3).transpose(1, 2)",
                    "plain",
                ),
            },
        ),
        hints=[
            "Cut the axis of heads in two, (H_kv, g), bring the positions before the heads of the group, and melt the "
            "two into one axis of rows.",
            "With the axes (B, H_kv, g, N_q, d), row r = i g + j wants the head of the group, j, to vary fastest: the "
            "order has to be (B, H_kv, N_q, g, d) before the axes 2 and 3 become one.",
            "H = 6, H_kv = 2, two positions. KV head 0 gets six rows, as (head, position): (0, 0), (1, 0), (2, 0), "
            "(0, 1), (1, 1), (2, 1). KV head 1 gets the same of the heads 3, 4, 5. Row 4 is position 4 // 3 = 1 of "
            "head 4 % 3 = 1.",
        ],
    ),
    Exercise(
        function=gqa.unpack_heads,
        oracle=unpacked,
        outputs=(Output("o"),),
        points=1,
        backend="torch",
        cases=UNPACK,
        without=MOVED_ONLY,
        mutants=replaced(
            "rows.unflatten(2, (-1, heads // rows.shape[1])).transpose(2, 3).flatten(1, 2)",
            {
                INTERLEAVED: (
                    "rows.unflatten(2, (-1, heads // rows.shape[1])).permute(0, 3, 1, 2, 4).flatten(1, 2)",
                    "plain",
                ),
                "the rows are read head by head: all positions of the first head, then all of the second": (
                    "rows.unflatten(2, (heads // rows.shape[1], -1)).flatten(1, 2)",
                    "plain",
                ),
                "the heads of a group are left inside the positions, (B, N_q, H, d)": (
                    "rows.unflatten(2, (-1, heads // rows.shape[1])).transpose(1, 2).flatten(2, 3)",
                    "plain",
                ),
                "the number of KV heads is taken for the size of a group": (
                    "rows.unflatten(2, (-1, rows.shape[1])).transpose(2, 3).flatten(1, 2)",
                    "plain",
                ),
                "the first head of a group stands in for all of its heads": (
                    "rows.unflatten(2, (-1, heads // rows.shape[1]))[:, :, :, :1].transpose(2, 3)"
                    ".repeat_interleave(heads // rows.shape[1], dim=2).flatten(1, 2)",
                    "plain",
                ),
                "the heads of a group come in reverse order": (
                    "rows.unflatten(2, (-1, heads // rows.shape[1])).flip(3).transpose(2, 3).flatten(1, 2)",
                    "plain",
                ),
            },
        ),
        hints=[
            "The same three moves backwards: cut the axis of rows in two, bring the heads of the group before the "
            "positions, melt KV heads and heads of the group into one axis.",
            "Rows split into (N_q, g), in this order, because the head of the group varies fastest. g is H / H_kv, and "
            "H_kv is the length of axis 1 of `rows`.",
            "H = 6, H_kv = 2, six rows each: (B, 2, 6, d), then (B, 2, 2, 3, d) with axes KV head, position, head of "
            "the group, then (B, 2, 3, 2, d), then (B, 6, 2, d). Row 4 of KV head 1 becomes position 1 of head 3 + 1 = "
            "4.",
        ],
    ),
    Exercise(
        function=gqa.packed_attention,
        kernels=(gqa.packed_attention_kernel,),
        oracle=with_lse,
        outputs=(Output("O"), Output("L", "float32")),
        points=5,
        backend="triton",
        forbidden=FORBIDDEN,
        allowed=("clone",),
        cases=PACKED,
        compiled=grouped(2, 16, 2, 4, 512, 128, tiles=(32, 64), dtype="float16", causal=True),
        budget=Budget(
            loads=loads,
            stores=output_and_lse_bytes,
            traffic_is="q once; k and v once for each KV head and tile of its packed rows, as far as they see; o and L",
            memory=output_and_lse_bytes,
            memory_is="o and L",
        ),
        mutants=[
            *ROWS,
            *KEYS,
            *log_sum_exps()[:2],
            *folded_scale(ALPHA_THEN_P.format("shift"))[:4],
            *mistakes("exp2", "shift", MAX_2, "s * scale_2")[:6],
            *rescaling(ACC),
            START_AT_ZERO,
        ],
        hints=[
            "It is the loop of flash_causal (lesson 08), with the mask in every round. New is what a row is: row r of "
            "KV head kv stands for position r // g of query head kv g + r % g, as in pack_heads. One tile of keys, "
            "loaded once, meets all of them.",
            "Three things follow from a row's position and head: where its query lies (and its output, and its L), the "
            "last key that it sees, position + N_k - N_q, and whether it exists, position < N_q. In contiguous (B, H, "
            "N_q, d) it is line (kv g + r % g) N_q + r // g, where kv counts the KV heads of all batches.",
            "g = 3, N_q = 10, N_k = 20, tiles of 16. Row 7 of KV head 1 is position 2 of head 4, line 4 * 10 + 2 = 42 "
            "of q, and sees the keys 0 to 12. The last row of the first tile, 15, is position 5 and sees keys 0 to 15, "
            "so end = 16: one tile of keys. A row of scores that are all -inf keeps m = -inf; subtract 0 there, and "
            "divide by 1 where l = 0.",
        ],
    ),
]

QUESTIONS = [
    Question(
        name="cache_kib_per_token",
        ask="Llama 3 70B: 80 layers, 64 query heads on 8 KV heads, d = 128, 2 bytes a number. How many KiB (1024 "
        "bytes) of cache does one token take?",
        answer=320,
        rel=0,
        why="Keys and values: 2 * 80 layers * 8 KV heads * 128 numbers * 2 bytes = 327,680 bytes = 320 KiB. With 64 KV "
        "heads it would be 8 times as much, 2.5 MiB.",
        unit="KiB",
    ),
    Question(
        name="repeated_traffic",
        ask="Groups of 8. repeat_kv reads the cache, writes the copies, and attention reads the copies. How many times "
        "as many bytes move as if the cache were read once?",
        answer=17,
        rel=0,
        why="The cache is read once, 1, the copies are 8 times as large and are written, 8, and read, 8: 1 + 8 + 8 = "
        "17. Attention without groups would have read 8.",
        unit="times",
    ),
    Question(
        name="last_key_of_a_row",
        ask="Groups of 3, causal, N_q = 40 queries at the end of N_k = 100 keys: how many keys does packed row 47 see?",
        answer=76,
        rel=0,
        why="Row 47 is position 47 // 3 = 15, which sees the keys up to 15 + 100 - 40 = 75: 76 keys. Row 47 taken for "
        "a position would see all 100.",
        unit="keys",
    ),
    Question(
        name="positions_to_ridge",
        ask="Groups of 8, 2-byte numbers, ridge at 185 operations a byte: from how many new tokens at a time on does "
        "attention over a long cache take longer to compute than to load?",
        answer=24,
        rel=0,
        why="A number of the cache, 2 bytes, is used by 8 N_q rows, in one multiplication and one addition each: 8 N_q "
        "operations a byte. 8 * 23 = 184 lies just below 185, 8 * 24 = 192 above.",
        unit="tokens",
    ),
]
