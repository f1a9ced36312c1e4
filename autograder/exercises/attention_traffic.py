"""What attention computes and moves: over a prompt, strictly, in three kernels and tile by tile, and over a cache."""

from numpy.random import Generator

from autograder.exercises.draws import Draw, numbers, redrawn
from autograder.exercises.measured import BANDWIDTH, EXPONENTIALS, PEAK
from autograder.exercises.memory_hierarchy import COST, NO_TILES, UNMASKED
from autograder.spec.exercise import Arguments, Case, Exercise, Output, Quantity, Question
from kernels import attention_traffic
from kernels.oracles import attention_traffic as right

SQUARE = {"cross": "as many queries as keys, to keep the formula short", "grouped": "one head"}
UNTILED = {"ragged": "no tile can be seen in these counts"}
ACCESSES = (Output("loads", "int64", exact=True), Output("stores", "int64", exact=True))


def odd(draw: Draw) -> Draw:
    """With an odd n: its square is odd, and a float, which does not hold all of its digits, rounds it."""
    return redrawn(draw, lambda a: a["n"] % 2 == 1)


def one_more(rng: Generator) -> Arguments:
    """Tiles so large, and full but for a last one with a single query, that no float holds the quotient."""
    d, rows, turns = int(rng.integers(1, 4)), int(rng.integers(2**51, 2**51 + 2**48)), int(rng.integers(9, 15))
    return {"n": turns * rows + 1, "d": d, "on_chip": 4 * d * rows}


ONE_TOO_MANY = "one query more than fills its tiles, of so many that a float takes their number for a whole one"
LONG = (300_000, 900_000)  # tokens: the counts overflow 32 bits
LONGER = (95_000_000, 130_000_000)  # and here are more than a float can tell apart
LONGEST = (20_000_000_000, 30_000_000_000)  # and here in a few thousand tiles
WIDE_CHIP = (500_000_000, 600_000_000)
FEW = (9000, 19000)  # numbers on chip
A100 = 163 * 1024 // 2  # numbers of 2 bytes, all the shared memory that a program can have there
SMALL_PREFILL = "2 prompts of 5 tokens, 3 heads of width 4, numbers of 4 bytes"
SMALL_FLASH = "40 queries and keys, d = 4, 128 numbers on chip: five tiles of 8"
NARROW_FLASH = "a narrow head on an A100: tiles of more than 1000 rows"
LONGEST_FLASH = "billions of queries on a large chip: counts that no float holds"
FILLED = "160 KiB of 4-byte numbers, a wide head: the tiles fill the chip"

ONE_ROW_TILES = "a chip so small that a tile has one row"
PLAIN = "2 sequences of 10 tokens, 6 query heads on 2 KV heads of width 4, numbers of 4 bytes"
ONE_TOKEN = "one sequence of one token, one head, d = 1"
MHA = "multi-head attention: 32 heads, each with its own cache"
MQA = "multi-query attention: 64 query heads on one KV head"
MANY_LONG = "very many and long sequences: counts that no float holds"
ONE_BYTE = "grouped heads and a cache of 1 byte a number"
EXERCISES = [
    Exercise(
        function=attention_traffic.prefill_cost,
        oracle=right.prefill,
        outputs=COST,
        points=2,
        cases=[
            Case("plain", SMALL_PREFILL, numbers(batch=2, n=5, heads=3, d=4, itemsize=4)),
            Case("single", "one prompt of one token, one head, d = 1", numbers(batch=1, n=1, heads=1, d=1, itemsize=2)),
            Case("long-text", "one long prompt", odd(numbers(batch=1, n=LONGER, heads=(5, 7), d=(9, 15), itemsize=2))),
            Case("many-texts", "short prompts", numbers(batch=(20, 99), n=(20, 99), heads=(2, 7), d=64, itemsize=2)),
        ],
        without=UNMASKED
        | NO_TILES
        | {"cross": "the tokens of a prompt attend to each other: N_q = N_k"}
        | {"grouped": "every head has keys and values of its own until `decode_cost`"},
    ),
    Exercise(
        function=attention_traffic.standard_attention_accesses,
        oracle=right.three_kernels,
        outputs=ACCESSES,
        points=2,
        cases=[
            Case("plain", "10 queries and keys, d = 4", numbers(n=10, d=4)),
            Case("single", "one query, one key, d = 1", numbers(n=1, d=1)),
            Case("long-text", "a long sequence", odd(numbers(n=LONGER, d=127))),
            Case("wide-head", "fewer tokens than the head is wide", numbers(n=(20, 60), d=(64, 256))),
        ],
        without=UNMASKED | UNTILED | SQUARE,
    ),
    Exercise(
        function=attention_traffic.largest_tile,
        oracle=right.rows_that_fit,
        outputs=(Output("B", "int64", exact=True),),
        points=1,
        cases=[
            Case("plain", "200 numbers on chip, d = 4", numbers(d=4, on_chip=200)),
            Case("single", "just one row of each fits", numbers(d=1, on_chip=4)),
            Case("ragged", "the chip holds no multiple of a tile", numbers(d=(33, 64), on_chip=FEW)),
            Case("two-bytes", "163 KiB of 2-byte numbers", numbers(d=(64, 128), on_chip=A100)),
            Case("narrow-heads", "the same for narrow heads: more than 1000 rows", numbers(d=(4, 16), on_chip=A100)),
            Case("four-bytes", FILLED, numbers(d=256, on_chip=160 * 1024 // 4)),
        ],
        without=UNMASKED | {"cross": "the tiles of queries and of keys are equally large here", "grouped": "one head"},
    ),
    Exercise(
        function=attention_traffic.flash_attention_accesses,
        oracle=right.tile_by_tile,
        outputs=ACCESSES,
        points=2,
        cases=[
            Case("plain", SMALL_FLASH, numbers(n=40, d=4, on_chip=128)),
            Case("single", "one query, one key, d = 1", numbers(n=1, d=1, on_chip=4)),
            Case("ragged", "30 queries = 8 + 8 + 8 + 6, d = 4, 128 numbers on chip", numbers(n=30, d=4, on_chip=128)),
            Case("one-tile", "a single tile holds all queries", numbers(n=(20, 60), d=64, on_chip=A100)),
            Case("narrow-heads", NARROW_FLASH, numbers(n=(2000, 9000), d=(4, 16), on_chip=A100)),
            Case("long-text", "a long sequence on an A100", numbers(n=LONG, d=128, on_chip=A100), ("ragged",)),
            Case("longest-text", LONGEST_FLASH, odd(numbers(n=LONGEST, d=127, on_chip=WIDE_CHIP))),
            Case("one-too-many", ONE_TOO_MANY, one_more),
            Case("one-row-tiles", ONE_ROW_TILES, numbers(n=(200, 400), d=32, on_chip=(128, 255))),
        ],
        without=UNMASKED | SQUARE,
    ),
    Exercise(
        function=attention_traffic.decode_cost,
        oracle=right.decode,
        outputs=COST,
        points=2,
        cases=[
            Case("plain", PLAIN, numbers(batch=2, n=10, heads=6, kv_heads=2, d=4, itemsize=4), ("cross", "grouped")),
            Case("single", ONE_TOKEN, numbers(batch=1, n=1, heads=1, kv_heads=1, d=1, itemsize=2)),
            Case("mha", MHA, numbers(batch=(2, 9), n=LONG, heads=32, kv_heads=32, d=128, itemsize=2)),
            Case("mqa", MQA, numbers(batch=(2, 9), n=LONG, heads=64, kv_heads=1, d=128, itemsize=2)),
            Case("long-text", MANY_LONG, odd(numbers(batch=99991, n=LONGER, heads=63, kv_heads=9, d=127, itemsize=1))),
            Case("one-byte", ONE_BYTE, numbers(batch=(10, 90), n=(100, 900), heads=40, kv_heads=8, d=64, itemsize=1)),
        ],
        without=UNMASKED | UNTILED,
    ),
]

SCORE = 256 / PEAK + 1 / EXPONENTIALS  # seconds
QUESTIONS = [
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
        name="decode_ms",
        ask="Llama 3 8B, 32 sequences of 4096 tokens, numbers of 2 bytes: how many milliseconds does reading the "
        "caches of all 32 layers take on the H200, for one new token of each sequence?",
        answer=Quantity(17.18e12 / BANDWIDTH, "milliseconds", rel=0.02),
        why="2 * 32 * 8 * 4096 * 128 numbers of 2 bytes are 537 MB per layer, 17.2 GB for 32 layers, at "
        f"{BANDWIDTH / 1e12:g} TB/s. With 32 KV heads instead of 8 it would be {4 * 17.18e12 / BANDWIDTH:.1f} ms.",
    ),
    Question(
        name="after_exp",
        ask=f"d = 64: a score takes 4 d operations of the {PEAK / 1e12:g}e12 per second and one exponential of the "
        f"{EXPONENTIALS / 1e12:g}e12 per second. If one has to wait for the other, how many TFLOP/s of products are "
        "left?",
        answer=Quantity(256e-12 / SCORE, "TFLOP/s", rel=0.02),
        why=f"A score takes 256 / {PEAK / 1e12:g}e12 = {256e12 / PEAK:.3f} ps of products and 1 / "
        f"{EXPONENTIALS / 1e12:g}e12 = {1e12 / EXPONENTIALS:.3f} ps of exponentials. 256 operations in "
        f"{SCORE * 1e12:.3f} ps are {256e-12 / SCORE:.0f} TFLOP/s.",
    ),
]
