"""Operations and bytes of a transformer's layers, the roofline, and the accesses of attention."""

import math
from typing import Any

import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor

from autograder.exercises.draws import drawn, numbers
from autograder.spec.exercise import Arguments, Case, Exercise, Output, Quantity, Question
from kernels import memory_hierarchy

COST = (Output("flops", "int64", exact=True), Output("bytes_moved", "int64", exact=True))
ACCESSES = (Output("loads", "int64", exact=True), Output("stores", "int64", exact=True))
SIZES_ONLY = {
    "rising max": "sizes are counted here, and no score is computed",
    "large positive": "sizes are counted here, and no score is computed",
    "very negative": "sizes are counted here, and no score is computed",
    "masked row": "nothing is masked in these counts",
    "strided": "the arguments are single numbers",
}
NO_TILES = {"ragged": "nothing is cut into tiles yet"}
NO_QUERIES = {"cross": "there are no queries and keys yet"}
NO_HEADS = {"grouped": "there are no heads yet"}


# What is right.


def total(*shapes: tuple[int, ...]) -> int:
    """Numbers in arrays of these shapes together."""
    return sum(map(math.prod, shapes))


def relu(n: int, itemsize: int) -> tuple[int, int]:
    return n, itemsize * total((n,), (n,))


def slower(flops: Tensor, bytes_moved: Tensor, peak: float, bandwidth: float) -> Tensor:
    return torch.maximum(flops / peak, bytes_moved / bandwidth)


def linear(tokens: int, d_in: int, d_out: int, itemsize: int) -> tuple[int, int]:
    moved = total((tokens, d_in), (d_in, d_out), (tokens, d_out))
    return 2 * total((tokens, d_in, d_out)), itemsize * moved


def attention(batch: int, n_q: int, n_k: int, heads: int, kv_heads: int, d: int, itemsize: int) -> tuple[int, int]:
    """Two products for every query and key, and all four arrays once."""
    one, other = (batch, heads, n_q, d), (batch, kv_heads, n_k, d)
    return 2 * 2 * total((batch, heads, n_q, n_k, d)), itemsize * total(one, other, other, one)


def prefill(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    return attention(batch, n, n, heads, heads, d, itemsize)


def decode(batch: int, n: int, heads: int, kv_heads: int, d: int, itemsize: int) -> tuple[int, int]:
    return attention(batch, 1, n, heads, kv_heads, d, itemsize)


def three_kernels(n: int, d: int) -> tuple[int, int]:
    rows, square = (n, d), (n, n)
    return total(rows, rows) + total(square) + total(square, rows), total(square) + total(square) + total(rows)


def rows_that_fit(d: int, on_chip: int) -> int:
    rows = 0
    while total(*4 * [(rows + 1, d)]) <= on_chip:
        rows += 1
    return rows


def tile_by_tile(n: int, d: int, on_chip: int) -> tuple[int, int]:
    """The walk itself, counted."""
    loads = stores = 0
    tile = rows_that_fit(d, on_chip)
    for first in range(0, n, tile):
        rows = min(tile, n - first)
        loads += total((rows, d), (n, d), (n, d))
        stores += total((rows, d), (rows,))
    return loads, stores


# Inputs.


A100: dict[str, Any] = {"peak": 312e12, "bandwidth": 2039e9}
H200: dict[str, Any] = {"peak": 790e12, "bandwidth": 4.27e12}


@drawn
def work(rng: Generator, /, k: int, low: float, high: float, every: int = 1, **machine: float) -> Arguments:
    """K pieces of work of 1e12 operations or so, with intensities spread over [low, high] operations per byte."""
    intensity = np.geomspace(low, high, k) * rng.uniform(0.9, 1.1, k)
    flops = 1e12 * rng.uniform(0.2, 5, k)
    pair = np.repeat(np.stack([flops, flops / intensity]), every, axis=1)
    return {"flops": pair[0, ::every], "bytes_moved": pair[1, ::every]} | machine


def one_piece(rng: Generator) -> Arguments:
    """Two single numbers instead of arrays."""
    flops, intensity = 1e12 * rng.uniform(0.2, 5), rng.choice([20.0, 1000.0])
    return {"flops": np.float64(flops), "bytes_moved": np.float64(flops / intensity)} | H200


@drawn
def only(rng: Generator, /, flops: float, bytes_moved: float, **machine: float) -> Arguments:
    """One kind of work alone, five pieces of it."""
    pieces = rng.uniform(1, 9, 5)
    return {"flops": flops * pieces, "bytes_moved": bytes_moved * pieces} | machine


LONG = (300_000, 900_000)  # tokens: the counts overflow 32 bits
FEW = (9000, 19000)  # numbers on chip
WORK = "four pieces of work on an A100, two bound by memory and two by arithmetic"
SMALL_LINEAR = "3 tokens, from width 4 to width 5, numbers of 4 bytes"
SMALL_PREFILL = "2 prompts of 5 tokens, 3 heads of width 4, numbers of 4 bytes"
SMALL_FLASH = "24 queries and keys, d = 4, 128 numbers on chip: three tiles of 8"
RAGGED_FLASH = "30 queries = 8 + 8 + 8 + 6, d = 4, 128 numbers on chip"

EXERCISES = [
    Exercise(
        function=memory_hierarchy.relu_cost,
        oracle=relu,
        outputs=COST,
        points=1,
        cases=[
            Case("plain", "eight numbers of 4 bytes", numbers(n=8, itemsize=4)),
            Case("single", "a single number of 2 bytes", numbers(n=1, itemsize=2), ("single",)),
            Case("millions", "billions of numbers of 2 bytes", numbers(n=(3 * 10**9, 10**10), itemsize=2)),
            Case("float64", "float64: numbers of 8 bytes", numbers(n=(10, 1000), itemsize=8)),
        ],
        without=SIZES_ONLY | NO_TILES | NO_QUERIES | NO_HEADS,
    ),
    Exercise(
        function=memory_hierarchy.roofline_time,
        oracle=slower,
        outputs=(Output("seconds"),),
        points=1,
        cases=[
            Case("plain", WORK, work(4, 15, 1500, **A100)),
            Case("single", "a single piece of work", work(1, 1000, 1000, **H200), ("single",)),
            Case("single-numbers", "flops and bytes_moved are single numbers, not arrays", one_piece),
            Case("all-intensities", "work of all intensities on an H200", work(40, 0.1, 1e4, **H200)),
            Case("no-operations", "copies: no operation at all", only(0, 1e9, **H200)),
            Case("no-bytes", "arithmetic on what is there already: no byte moves", only(1e12, 0, **A100)),
            Case("strided", "every other entry of longer arrays", work(9, 1, 1e4, every=2, **A100), ("strided",)),
        ],
        without={name: why for name, why in SIZES_ONLY.items() if name != "strided"} | NO_TILES | NO_QUERIES | NO_HEADS,
    ),
    Exercise(
        function=memory_hierarchy.linear_cost,
        oracle=linear,
        outputs=COST,
        points=1,
        cases=[
            Case("plain", SMALL_LINEAR, numbers(tokens=3, d_in=4, d_out=5, itemsize=4)),
            Case(
                "single", "one token, widths of 1, 2 bytes", numbers(tokens=1, d_in=1, d_out=1, itemsize=2), ("single",)
            ),
            Case(
                "decode-step",
                "one token, as in decoding",
                numbers(tokens=1, d_in=4096, d_out=(4097, 20000), itemsize=2),
            ),
            Case(
                "many-tokens",
                "many tokens",
                numbers(tokens=(2000, 9000), d_in=(1000, 2000), d_out=(3000, 9000), itemsize=2),
            ),
            Case("one-byte", "weights of 1 byte", numbers(tokens=(20, 90), d_in=1024, d_out=(64, 999), itemsize=1)),
        ],
        without=SIZES_ONLY | NO_TILES | NO_QUERIES | NO_HEADS,
    ),
    Exercise(
        function=memory_hierarchy.prefill_cost,
        oracle=prefill,
        outputs=COST,
        points=2,
        cases=[
            Case("plain", SMALL_PREFILL, numbers(batch=2, n=5, heads=3, d=4, itemsize=4)),
            Case(
                "single",
                "one prompt of one token, one head, d = 1",
                numbers(batch=1, n=1, heads=1, d=1, itemsize=2),
                ("single",),
            ),
            Case("long-text", "one long prompt", numbers(batch=1, n=LONG, heads=(8, 32), d=128, itemsize=2)),
            Case("many-texts", "short prompts", numbers(batch=(20, 99), n=(20, 99), heads=(2, 7), d=64, itemsize=2)),
        ],
        without=SIZES_ONLY
        | NO_TILES
        | {"cross": "the tokens of a prompt attend to each other: N_q = N_k"}
        | {"grouped": "every head has keys and values of its own until the next exercise"},
    ),
    Exercise(
        function=memory_hierarchy.decode_cost,
        oracle=decode,
        outputs=COST,
        points=2,
        cases=[
            Case(
                "plain",
                "2 sequences of 10 tokens, 6 query heads on 2 KV heads of width 4, numbers of 4 bytes",
                numbers(batch=2, n=10, heads=6, kv_heads=2, d=4, itemsize=4),
                ("cross", "grouped"),
            ),
            Case(
                "single",
                "one sequence of one token, one head, d = 1",
                numbers(batch=1, n=1, heads=1, kv_heads=1, d=1, itemsize=2),
                ("single",),
            ),
            Case(
                "mha",
                "multi-head attention: 32 heads, each with its own cache",
                numbers(batch=(2, 9), n=LONG, heads=32, kv_heads=32, d=128, itemsize=2),
            ),
            Case(
                "mqa",
                "multi-query attention: 64 query heads on one KV head",
                numbers(batch=(2, 9), n=LONG, heads=64, kv_heads=1, d=128, itemsize=2),
            ),
            Case(
                "one-byte",
                "grouped heads and a cache of 1 byte a number",
                numbers(batch=(10, 90), n=(100, 900), heads=40, kv_heads=8, d=64, itemsize=1),
            ),
        ],
        without={name: why for name, why in SIZES_ONLY.items()} | NO_TILES,
    ),
    Exercise(
        function=memory_hierarchy.standard_attention_accesses,
        oracle=three_kernels,
        outputs=ACCESSES,
        points=2,
        cases=[
            Case("plain", "10 queries and keys, d = 4", numbers(n=10, d=4)),
            Case("single", "one query, one key, d = 1", numbers(n=1, d=1), ("single",)),
            Case("long-text", "a long sequence", numbers(n=LONG, d=128)),
            Case("wide-head", "fewer tokens than the head is wide", numbers(n=(20, 60), d=(64, 256))),
        ],
        without=SIZES_ONLY
        | {
            "ragged": "no tile can be seen in these counts",
            "cross": "as many queries as keys, to keep the formula short",
            "grouped": "one head",
        },
    ),
    Exercise(
        function=memory_hierarchy.largest_tile,
        oracle=rows_that_fit,
        outputs=(Output("B", "int64", exact=True),),
        points=1,
        cases=[
            Case("plain", "200 numbers on chip, d = 4", numbers(d=4, on_chip=200)),
            Case("single", "just one row of each fits", numbers(d=1, on_chip=4), ("single",)),
            Case("ragged", "the chip holds no multiple of a tile", numbers(d=(33, 64), on_chip=FEW), ("ragged",)),
            Case("two-bytes", "192 KiB of 2-byte numbers", numbers(d=(64, 128), on_chip=98304)),
            Case("four-bytes", "192 KiB of 4-byte numbers, a wide head", numbers(d=256, on_chip=49152)),
        ],
        without=SIZES_ONLY
        | {"cross": "the tiles of queries and of keys are equally large here", "grouped": "one head"},
    ),
    Exercise(
        function=memory_hierarchy.flash_attention_accesses,
        oracle=tile_by_tile,
        outputs=ACCESSES,
        points=2,
        cases=[
            Case("plain", SMALL_FLASH, numbers(n=24, d=4, on_chip=128)),
            Case("single", "one query, one key, d = 1", numbers(n=1, d=1, on_chip=4), ("single",)),
            Case("ragged", RAGGED_FLASH, numbers(n=30, d=4, on_chip=128), ("ragged",)),
            Case("one-tile", "a single tile holds all queries", numbers(n=(20, 60), d=64, on_chip=98304)),
            Case("long-text", "a long sequence on an A100", numbers(n=LONG, d=128, on_chip=98304), ("ragged",)),
            Case(
                "one-row-tiles",
                "a chip so small that a tile has one row",
                numbers(n=(200, 400), d=32, on_chip=(128, 255)),
            ),
        ],
        without=SIZES_ONLY | {"cross": "as many queries as keys, to keep the formula short", "grouped": "one head"},
    ),
]

QUESTIONS = [
    Question(
        name="relu_intensity",
        ask="How many operations does a ReLU do for each byte it moves, on numbers of 2 bytes?",
        answer=Quantity(0.25, "operations per byte", rel=0.001),
        why="One comparison for 2 bytes in and 2 bytes out: 1/4, however many numbers there are.",
    ),
    Question(
        name="h200_ridge",
        ask="From how many operations per byte on does the H200 (790 TFLOP/s, 4.27 TB/s) have to wait for arithmetic?",
        answer=Quantity(185.0, "operations per byte", rel=0.01),
        why="Both times are equal where flops / 790e12 = bytes / 4.27e12, that is at 790 / 4.27 = 185 operations "
        "per byte.",
    ),
    Question(
        name="linear_turns",
        ask="A linear layer of 8192 x 8192, numbers of 2 bytes, on the H200: from how many tokens on is it bound by "
        "arithmetic?",
        answer=Quantity(194, "tokens", rel=0.05),
        why="If the weights were all there is to move, t tokens would do 2 t d^2 operations on 2 d^2 bytes, t for each "
        "byte, and 185 would do. x and y are moved too: t / (1 + 2 t / 8192) = 185 at t = 194.",
    ),
    Question(
        name="decode_ms",
        ask="Llama 3 8B, 32 sequences of 4096 tokens, numbers of 2 bytes: how many milliseconds does reading the "
        "caches of all 32 layers take on the H200, for one new token of each sequence?",
        answer=Quantity(4.02, "milliseconds", rel=0.02),
        why="2 * 32 * 8 * 4096 * 128 numbers of 2 bytes are 537 MB per layer, 17.2 GB for 32 layers, at 4.27 TB/s. "
        "With 32 KV heads instead of 8 it would be 16.1 ms.",
    ),
    Question(
        name="standard_intensity",
        ask="d = 64, numbers of 2 bytes, a very long sequence: how many operations per byte does standard attention "
        "do?",
        answer=Quantity(32, "operations per byte", rel=0.03),
        why="4 N^2 d operations, and 4 N^2 numbers of 2 bytes (S and P, each written and read; the rest does not show "
        "for large N): d / 2 = 32.",
    ),
    Question(
        name="break_even",
        ask="d = 256, a very long sequence: how many numbers have to fit on chip before flash attention moves less "
        "than standard attention?",
        answer=Quantity(131072, "numbers", rel=0.03),
        why="Flash moves 8 N^2 d^2 / M numbers and standard attention 4 N^2, up to terms in N. They are equal at M = 2 "
        "d^2 = 131072, 256 KiB of 2-byte numbers.",
    ),
    Question(
        name="after_exp",
        ask="d = 64: a score takes 4 d operations of the 790e12 per second and one exponential of the 4.2e12 per "
        "second. If one has to wait for the other, how many TFLOP/s of products are left?",
        answer=Quantity(455, "TFLOP/s", rel=0.02),
        why="A score takes 256 / 790e12 = 0.324 ps of products and 1 / 4.2e12 = 0.238 ps of exponentials. 256 "
        "operations in 0.562 ps are 455 TFLOP/s.",
    ),
]
