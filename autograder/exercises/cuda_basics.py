"""A vector times a number, three broken kernels: sectors, a barrier, banks; and the warps that are resident."""

from collections.abc import Callable
from dataclasses import replace
from math import ceil
from typing import Any

import numpy as np
from numpy.random import Generator

from autograder.exercises import draws
from autograder.exercises.draws import drawn, matrix, metered, numbers
from autograder.spec.exercise import Arguments, Bound, Budget, Case, Exercise, Output, Quantity, Question
from kernels import cuda_basics
from kernels.oracles import cuda_basics as right
from simt.far import Far

# Inputs.


@drawn
def whole_tiles(rng: Generator, /) -> Arguments:
    """A matrix of some tiles of 32 x 32, two to four in either direction."""
    rows, cols = 32 * rng.integers(2, 5, 2)
    return matrix(int(rows), int(cols))(rng)


@drawn
def vector(rng: Generator, /, n: int, **rest: object) -> Arguments:
    """Numbers, one of which is 0 if there are several."""
    x = (3 * rng.standard_normal(n)).astype(np.float32)
    x[rng.integers(n)] *= n == 1
    return {"x": x} | rest


@drawn
def with_factors(rng: Generator, /, rows: int, cols: int) -> Arguments:
    """A matrix, and a number for each of its columns, one of which is 0 if there are several."""
    given = matrix(rows, cols)(rng) | {"factor": rng.uniform(-2, 2, cols).astype(np.float32)}
    given["factor"][rng.integers(cols)] *= cols == 1
    return given


# The situations, in the same words for every exercise that has them.

FIRST = "8 numbers"
TINY = "a matrix of 2 x 3"
SINGLE = "a single number"
VECTOR_FULL = "512 numbers: two full blocks"

SCALE = [
    Case("plain", FIRST, vector(8, factor=3.0)),
    Case("single", SINGLE, vector(1, factor=-1.5)),
    Case("full-blocks", VECTOR_FULL + "; the factor is 1", vector(512, factor=1.0)),
    Case("view", f"804 numbers; {draws.BEGINS_LATE}", draws.one_number_on(vector(804, factor=-2.0))),
    Case("ragged", "1000 numbers: the last block has 24 threads too many", vector(1000, factor=0.5)),
    metered("sectors", "sectors: 66,000 numbers", vector(66_000, factor=2.5)),
]

REVERSE = [
    Case("plain", FIRST, vector(8)),
    Case("single", SINGLE, vector(1)),
    Case("full-blocks", VECTOR_FULL, vector(512)),
    Case("view", f"804 numbers; {draws.BEGINS_LATE}", draws.one_number_on(vector(804))),
    Case("ragged", "66,536 numbers: the last tile has 232", vector(66_536)),
]

FAR_BEHIND = "2^28 numbers lie before these"  # whose numbers no float32 holds
COLUMNS = [
    Case("plain", TINY, with_factors(2, 3)),
    Case("single", SINGLE, with_factors(1, 1)),
    Case("ragged", "a matrix of 37 x 29", with_factors(37, 29)),
    metered("sectors", "sectors: a matrix of 64 x 48", with_factors(64, 48)),
    metered("far", f"sectors: a matrix of 64 x 64; {FAR_BEHIND}", with_factors(64, 64)),
    Case("odd-width", "90 rows of 61 columns: 1 / 61 is no binary fraction", with_factors(90, 61)),
    Case("wide", "61 rows of 1100 columns, more than a block has threads", with_factors(61, 1100)),
    Case("view", f"5 rows of 52 columns; {draws.BEGINS_LATE}", draws.one_number_on(with_factors(5, 52))),
]

TRANSPOSE = [
    Case("plain", TINY, matrix(2, 3)),
    Case("single", SINGLE, matrix(1, 1)),
    Case("ragged", "45 x 1470: tiles that are not full", matrix(45, 1470), tile=(32, 32)),
    Case("view", f"40 x 76; {draws.BEGINS_LATE}", draws.one_number_on(matrix(40, 76)), tile=(32, 32)),
    metered("banks", "banks: some number of whole tiles", whole_tiles(), tile=(32, 32)),
]

# How many threads or bytes a block has.


@drawn
def one_more(rng: Generator, /, name: str, units: tuple[int, ...], each: int, **rest: Any) -> Arguments:
    """The named number is one more than some of these whole units, which makes it take another one."""
    return numbers(**rest)(rng) | {name: each * int(rng.choice(units)) + 1}


KIB = 1024
RTX_4090 = {"max_warps": 48, "max_blocks": 24, "shared_memory": 100 * KIB}
ALL_AT_ONCE = "warps, registers and shared memory run out at the same block"
TOO_MANY = "1024 threads with 65 registers each: a block that cannot run at all"

WARP_SLOTS = "five warps a block and few registers: the places for warps run out first"
RAGGED = "the last warp of a block is begun, not full"
ONE_THREAD = "blocks of whole warps and a thread, which takes the room of one more"
ONE_BYTE = "tiles of whole units of shared memory and a byte, which takes another one"
REGISTER_UNITS = "81 to 85 registers, which 8 does not divide"
SYSTEM_SHARE = "tiles of 75 KiB and a little: three of them fit, the system's shares beside them do not"
NONE_ASKED = "a chip with 16 KiB of shared memory, and blocks that ask for none"
LARGEST_TILE = "227 KiB for one block: all that it can have"
OTHER_CHIP = "an RTX 4090: 48 warps, 24 blocks, 100 KiB"
LARGER = 230 * KIB, 248 * KIB
OTHER_SHARED = "a chip with 500 KiB of shared memory, of which a block takes more than 227"
OCCUPANCY = [
    Case("plain", "blocks of 128 threads with 168 registers each", numbers(threads=128, registers=168, shared=0)),
    Case("single", "blocks of a single thread", numbers(threads=1, registers=(1, 16), shared=0)),
    Case("warp-slots", WARP_SLOTS, numbers(threads=(129, 150), registers=(8, 24), shared=(0, 9 * KIB))),
    Case("ragged", RAGGED, numbers(threads=(97, 120), registers=(40, 48), shared=0)),
    Case("one-thread-more", ONE_THREAD, one_more("threads", (3, 4, 5, 6, 7), 32, registers=(8, 16), shared=0)),
    Case("one-byte-more", ONE_BYTE, one_more("shared", (68, 88, 106, 144), 128, threads=32, registers=(8, 16))),
    Case("register-units", REGISTER_UNITS, numbers(threads=128, registers=(81, 85), shared=KIB)),
    Case("quarters", "97 to 104 registers: three warps a block", numbers(threads=96, registers=(97, 104), shared=0)),
    Case("shared-tiles", "tiles of 96 KiB", numbers(threads=(33, 256), registers=64, shared=96 * KIB)),
    Case("system-share", SYSTEM_SHARE, numbers(threads=128, registers=32, shared=(76_900, 77_400))),
    Case("shared-units", "tiles of 10.4 KiB", numbers(threads=64, registers=32, shared=(10_625, 10_649))),
    Case("shared-odd-units", "tiles of 10.3 KiB", numbers(threads=64, registers=32, shared=(10_497, 10_624))),
    Case("none-asked", NONE_ASKED, numbers(threads=(33, 64), registers=(8, 16), shared=0, shared_memory=16 * KIB)),
    Case("tie", ALL_AT_ONCE, numbers(threads=256, registers=32, shared=28_160)),
    Case("too-many-registers", TOO_MANY, numbers(threads=1024, registers=65, shared=0)),
    Case("too-much-shared", "228 KiB for one block", numbers(threads=128, registers=32, shared=228 * KIB)),
    Case("largest-tile", LARGEST_TILE, numbers(threads=384, registers=168, shared=227 * KIB)),
    Case("other-chip", OTHER_CHIP, numbers(threads=(65, 96), registers=(8, 16), shared=(0, 2000), **RTX_4090)),
    Case("block-slots", "an RTX 4090, blocks of one warp", numbers(threads=32, registers=24, shared=0, **RTX_4090)),
    Case("other-shared", OTHER_SHARED, numbers(threads=128, registers=(8, 16), shared=LARGER, shared_memory=500 * KIB)),
    Case(
        "other-registers",
        "a chip with 131072 registers, of which a block takes more than 65536",
        numbers(threads=(513, 1024), registers=(121, 128), shared=0, register_file=131_072),
    ),
]

# What may be moved.


def times(n: int) -> Callable[[Arguments], int]:
    """n times the bytes of x."""
    return lambda a: n * a["x"].nbytes


def sectors(n: int) -> Callable[[Arguments], int]:
    """The sectors of 32 bytes that n times the bytes of x fill; where rows begin within one, two more a request."""

    def touched(a: Arguments) -> int:
        cols = a["x"].shape[-1]
        rows = a["x"].size // cols
        amid = 2 * ceil(cols / 32) if cols % 8 else 0
        return n * rows * (ceil(cols / 8) + amid)

    return touched


def share_of_threads(arrays: int, threads: int) -> dict[str, Any]:
    """The budget of a block whose threads move one number of each array, or up to four."""
    return {
        "block": Bound(lambda a: 4 * arrays * threads, f"{threads} elements"),
        "thread": Bound(lambda a: 4 * 4, "four numbers"),
        "thread_loads": Bound(lambda a: 4 * 4 * (arrays - 1), "four numbers of each array"),
    }


AT_FEW_BARRIERS = Bound(lambda a: 4, "four: a tile is handed over once")
FOUR_NUMBERS_TWICE = Bound(lambda a: 2 * 4 * 4, "four numbers of a tile, and as many again")

NO_HEADS = {
    "strided": "the kernels take contiguous rows",
    "cross": "there are no queries and keys here",
    "grouped": "there are no heads here",
}
NO_SOFTMAX = NO_HEADS | {
    "rising max": "there is no maximum here",
    "large positive": "there is no exponential here",
    "very negative": "there is no exponential here",
    "masked row": "nothing is masked here",
}


def pieces_of_eight(axis: int) -> Bound:
    """Of pieces of eight numbers along the axis: a warp may have some of several rows."""

    def pieces(a: Arguments) -> int:
        n = a["x"].shape[axis]
        return a["x"].size // n * ceil(n / 8)

    return Bound(pieces, "one for each eight neighbours of a row")


IN_ORDER = Bound(lambda a: 0, "neighbouring lanes touch neighbours")
TRAFFIC = Budget(loads=Bound(times(1), "x once"), stores=Bound(times(1), "y once"), **share_of_threads(2, 256))

SCALE_VECTOR = Exercise(
    function=cuda_basics.scale_vector,
    oracle=right.scaled,
    outputs=(Output("y"),),
    backend="cuda",
    points=1,
    cases=SCALE,
    budget=replace(
        TRAFFIC,
        sectors=Bound(sectors(2), "those of x, and those of y"),
        scattered_loads=IN_ORDER,
        scattered_stores=IN_ORDER,
    ),
    without=NO_SOFTMAX,
)

EXERCISES = [
    SCALE_VECTOR,
    replace(
        SCALE_VECTOR,
        function=cuda_basics.scale_columns,
        puzzle="down-the-columns",
        cases=COLUMNS,
        far=Far(0, tensors=(0, 2), counts=(3,), rows=4, beyond=1 << 28),
        budget=Budget(
            repeated=Bound(lambda a: a["factor"].nbytes, "the factors: x once"),
            loads=Bound(times(2), "x once, and a factor for each number"),
            stores=Bound(times(1), "y once"),
            sectors=Bound(sectors(3), "those of x and of y, and as many for the factors"),
            scattered_stores=IN_ORDER,
            **share_of_threads(3, 256),
        ),
    ),
    replace(
        SCALE_VECTOR,
        function=cuda_basics.reverse_tile,
        oracle=right.reversed_tiles,
        builds=({"TILE": 256},),
        puzzle="no-barrier",
        cases=REVERSE,
        budget=replace(TRAFFIC, barriers=AT_FEW_BARRIERS),
    ),
    replace(
        SCALE_VECTOR,
        function=cuda_basics.transpose_tile,
        oracle=right.transposed,
        puzzle="stride-32",
        cases=TRANSPOSE,
        keeps="shared memory",
        budget=replace(
            TRAFFIC,
            sectors=Bound(sectors(2), "those of x, and those of y"),
            scattered_loads=pieces_of_eight(1),
            scattered_stores=pieces_of_eight(0),
            conflicts=replace(draws.NO_CONFLICTS, everywhere=True),
            shared=Bound(times(4), "x is written and read there", least=times(2)),
            handed=Bound(lambda a: a["x"].nbytes // 2, "half of x, of which most goes from thread to thread"),
            shuffled=Bound(lambda a: 0, "tiles go through shared memory"),
            thread_reads=FOUR_NUMBERS_TWICE,
            thread_writes=FOUR_NUMBERS_TWICE,
            barriers=AT_FEW_BARRIERS,
            **share_of_threads(2, 32 * 32),
        ),
    ),
    Exercise(
        function=cuda_basics.occupancy,
        oracle=right.placed,
        outputs=(Output("blocks", "int64", exact=True), Output("warps", "int64", exact=True)),
        points=2,
        cases=OCCUPANCY,
        without=NO_SOFTMAX | {"strided": "the arguments are single numbers"},
    ),
]

QUESTIONS = [
    Question(
        name="blocks_in_grid",
        ask="How many blocks of 256 threads does a vector of 1,000,000 numbers take, with one thread for each?",
        answer=Quantity(3907, "blocks"),
        why="1,000,000 / 256 = 3906.25, and the rest needs a block too: 3907, the last of which has 192 idle threads.",
    ),
    Question(
        name="column_sectors",
        ask="How many sectors does a warp touch when each of its 32 lanes reads element j of a row of its own, in "
        "rows of 1000 float32?",
        answer=Quantity(32, "sectors"),
        why="The rows are 4000 bytes apart, so every lane's number lies in a sector of its own: 32, and 1024 bytes "
        "come for the 128 that are used.",
    ),
    Question(
        name="column_passes",
        ask="In how many passes does a warp read a column of a float tile[32][32] in shared memory?",
        answer=Quantity(32, "passes"),
        why="Neighbours in a column are 32 words apart, so all 32 numbers lie in the same bank, which hands out one "
        "per pass.",
    ),
    Question(
        name="small_blocks",
        ask="A kernel with 40 registers a thread and no shared memory: how many times as many warps does a "
        "multiprocessor of an H200 hold in blocks of 128 threads as in blocks of 1024?",
        answer=Quantity(1.5, "times as many", rel=0.01),
        why="A warp takes 32 * 40 = 1280 registers, so 12 fit into each quarter of 16,384 and 48 in all. These are 12 "
        "blocks of 4 warps, but one block of 32: 16 warps' room is left, and no block is cut. 48 / 32 = 1.5.",
    ),
]
