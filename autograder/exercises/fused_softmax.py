"""The first Triton kernels: a vector, a row, softmax with a row in one tile, and in tiles."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator
from torch import Tensor

from autograder.exercises.draws import DEEP_ROWS, SCORES_OF_ROWS, Draw, deep_rows, drawn, wide
from autograder.spec.exercise import Arguments, Budget, Case, Exercise, Output, Quantity, Question
from kernels import fused_softmax, reference

NO_HEADS = {"cross": "there are no queries and keys here", "grouped": "there are no heads here"}
SHORTCUTS = ("softmax", "logsumexp", "logaddexp")


# What is right.


def add(x: Tensor, y: Tensor, tile: int) -> Tensor:
    return x + y


def maxima(x: Tensor) -> Tensor:
    return x.amax(dim=-1)


def softmax(x: Tensor, tile: int | None = None) -> Tensor:
    """Softmax of the rows; tiles must not matter."""
    return reference.softmax(x)


# Inputs.


@drawn
def vectors(rng: Generator, /, n: int, tile: int, dtype: str = "float32") -> Arguments:
    x, y = (3 * rng.standard_normal((2, n))).astype(dtype)
    return {"x": x, "y": y, "tile": tile}


@drawn
def matrix(
    rng: Generator, /, rows: int, cols: int, level=0.0, profile=0.0, spread=3.0, dtype="float32", **rest: Any
) -> Arguments:
    """x ~ spread * N(0, 1) + level + profile; `profile` is a number, or one for each column."""
    return {"x": (spread * rng.standard_normal((rows, cols)) + level + profile).astype(dtype)} | rest


def transposed(rows: int, cols: int, **rest: Any) -> Draw:
    """The transpose of a matrix: neighbours in a row lie `rows` elements apart in memory."""
    return lambda rng: {"x": matrix(cols, rows)(rng)["x"].T} | rest


def cut_out(rows: int, cols: int, **rest: Any) -> Draw:
    """The first columns of a wider matrix: a row starts 2 * cols elements after the one before it."""
    return lambda rng: {"x": matrix(rows, 2 * cols)(rng)["x"][:, :cols]} | rest


def apart(rows: int, cols: int, **rest: Any) -> Draw:
    """Rows whose maxima lie up to 800 apart: one shift for all of them cannot serve."""
    return matrix(rows, cols, np.linspace(-400, 400, rows)[:, None], **rest)


def low(rows: int, cols: int, **rest: Any) -> Draw:
    """Rows from -300 down to -100,000: no finite number can stand for -inf."""
    return matrix(rows, cols, -np.geomspace(300, 1e5, rows)[:, None], **rest)


@drawn
def peaks(rng: Generator, /, rows: int, cols: int, **rest: Any) -> Arguments:
    """Row 0 is constant; in the others one entry lies 200 above the rest, in row 1 the last, in row 2 two alike."""
    x = matrix(rows, cols)(rng)["x"]
    x[0] = x[0, 0]
    x[range(1, rows), rng.integers(cols - 1, size=rows - 1)] = 200
    x[1] = np.roll(x[1], -1 - x[1].argmax())
    x[2, -2:] = x[2, :2] = 200
    return {"x": x} | rest


@drawn
def climbing(rng: Generator, /, rows: int, cols: int, tile: int) -> Arguments:
    """The maxima of neighbouring tiles lie 0.1 to 0.8 apart; in the last row they grow by 800 once."""
    tiles = -(-cols // tile)
    top = np.repeat(np.cumsum(rng.uniform(0.1, 0.8, (rows, tiles)), axis=1), tile, axis=1)[:, :cols]
    x = top - 3 * rng.random((rows, cols)) * (np.arange(cols) % tile != 3)
    x[-1, cols // 2 :] += 800
    return {"x": x.astype(np.float32), "tile": tile}


@drawn
def first_outweighs(rng: Generator, /, cols: int, **rest: Any) -> Arguments:
    """One row of float16, in which each entry weighs 2.5e-5 beside the first one's 1."""
    x = np.log(2.5e-5 * rng.uniform(0.9, 1, (1, cols)))
    x[0, 0] = 0
    return {"x": x.astype(np.float16)} | rest


@drawn
def masked(
    rng: Generator, /, rows: int, cols: int, full: tuple[int, ...] = (), start: int = 0, **rest: object
) -> Arguments:
    """A third of the entries are -inf, the first `start` of row 0 among them; the rows in `full` are all -inf."""
    x = matrix(rows, cols)(rng)["x"]
    x[:, :-1][rng.random((rows, cols - 1)) < 1 / 3] = -np.inf
    x[0, :start] = -np.inf
    x[list(full)] = -np.inf
    return {"x": x} | rest


# The situations, in the same words for every exercise that has them.

READABLE = "two rows of four numbers"
SINGLE = "a single number"
RAGGED = "5 rows of 37 columns: the tile of 64 reaches 27 columns past the end of a row"
TRANSPOSED = "x is a transposed view: neighbours in a row are 7 elements apart in memory"
CUT_OUT = "x is the left half of a wider matrix: a row begins 2 N elements after the one before"
WIDE_ROWS = "rows that lie 2^30 elements apart: their offsets need more than 32 bits"
LARGE = "scores around +200, where exp overflows"
SMALL = "rows from -300 down to -100,000, where every exp is 0"
APART = "rows whose maxima lie 800 apart"
HOLES = "a third of the entries are -inf"
NOTHING = "two rows are -inf throughout: they give zeros"
HALF = "float16 goes in and comes out, with float32 in between"
PEAKS = "one entry, or two alike, 200 above the rest of the row, and a row that is constant"
METERED = "traffic: 6 rows of 100 columns"


# What may be moved. All of these kernels write their output once.


def size(*names: str) -> Callable[[Arguments], int]:
    """Bytes of the named arguments."""
    return lambda a: sum(a[name].nbytes for name in names)


def one_number_a_row(a: Arguments) -> int:
    return a["x"].shape[0] * a["x"].itemsize


ADD = [
    Case("plain", "8 numbers in two tiles of 4", vectors(8, 4)),
    Case("single", SINGLE, vectors(1, 16), ("single",)),
    Case("full-tiles", "64 numbers in four full tiles of 16", vectors(64, 16)),
    Case("ragged", "37 numbers in tiles of 16: the last tile holds five", vectors(37, 16), ("ragged",)),
    Case("wide-tile", "5 numbers in one tile of 32", vectors(5, 32)),
    Case("float16", "float16: 50 numbers in tiles of 16", vectors(50, 16, "float16")),
    Case("traffic", "traffic: 1000 numbers in tiles of 64", vectors(1000, 64), budget=True),
]

MAX_LAST = "the maximum is the last of 21 columns"
MAX_NEGATIVE = "rows from -300 down to -100,000: nothing in them is as large as 0"
LONG = "rows of 5000 columns"

ROW_MAX = [
    Case("plain", READABLE, matrix(2, 4)),
    Case("single", SINGLE, matrix(1, 1), ("single",)),
    Case("ragged", RAGGED, matrix(5, 37), ("ragged",)),
    Case("strided", TRANSPOSED, transposed(7, 20), ("strided",)),
    Case("cut-out", CUT_OUT, cut_out(6, 20)),
    Case("max-last", MAX_LAST, matrix(4, 21, profile=np.where(np.arange(21) == 20, 30.0, 0.0))),
    Case("very-negative", MAX_NEGATIVE, low(3, 21), ("very negative",)),
    Case("fully-masked", "two rows of -inf: so is their maximum", masked(6, 20, (1, 3)), ("masked row",)),
    Case("long-row", LONG, matrix(2, 5000, profile=np.where(np.arange(5000) == 4900, 30.0, 0.0))),
    Case("float16", "float16: 6 rows of 20 columns", matrix(6, 20, dtype="float16")),
    Case("traffic", METERED, matrix(6, 100), budget=True),
    Case("wide-rows", WIDE_ROWS, wide(matrix(4, 20, dtype="float16"), x=0), ("strided",)),
]

ALIKE = "float16: 100,000 numbers nearly alike in a row, so that their exponentials add up to more than float16 holds"
HUGE = "rows around 400000, where a log-sum-exp has lost the digits of the scores"
FUSED = [
    Case("plain", READABLE, matrix(2, 4)),
    Case("single", SINGLE, matrix(1, 1), ("single",)),
    Case("ragged", RAGGED, matrix(5, 37), ("ragged",)),
    Case("strided", TRANSPOSED, transposed(7, 20), ("strided",)),
    Case("cut-out", CUT_OUT, cut_out(6, 20)),
    Case("large-positive", LARGE, matrix(4, 33, 200), ("large positive",)),
    Case("very-negative", SMALL, low(4, 33), ("very negative",)),
    Case("deep", DEEP_ROWS, deep_rows(6, 41)),
    Case("huge", HUGE, matrix(4, 33, 4e5)),
    Case("far-apart", APART, apart(7, 33)),
    Case("outlier", PEAKS, peaks(4, 33)),
    Case("partly-masked", HOLES, masked(6, 40)),
    Case("fully-masked", NOTHING, masked(6, 20, (1, 3)), ("masked row",)),
    Case("float16", HALF, matrix(6, 50, dtype="float16")),
    Case("float16-long", ALIKE, matrix(2, 100_000, dtype="float16", spread=0.02)),
    Case("traffic", METERED, matrix(6, 100), budget=True),
    Case("wide-rows", WIDE_ROWS, wide(matrix(4, 20, dtype="float16"), x=0), ("strided",)),
]

LOST = "float16: all columns but the first weigh 2.5e-5, and a tile of them less than float16 sees beside 1"
NO_TILE = "no tile is given, and a row has 40,000 columns"
TILES_RAGGED = "5 rows of 37 columns in tiles of 16: the last tile holds five"
RISING = "the maximum grows in every tile by 0.1 to 0.8, in one row once by 800"
FALLING = "the first tile holds the maximum, 120 above the rest"
LATE = "in row 0 the first 20 entries are -inf: the first tile of 16 holds nothing"

CLIFF = np.where(np.arange(60) < 16, 120.0, 0.0)

ONLINE = [
    Case("plain", "two rows of eight numbers in two tiles of four", matrix(2, 8, tile=4), tile=(1, 4)),
    Case("single", SINGLE, matrix(1, 1, tile=16), ("single",)),
    Case("ragged", TILES_RAGGED, matrix(5, 37, tile=16), ("ragged",), tile=(1, 16)),
    Case("rising", RISING, climbing(4, 75, 16), ("rising max",), tile=(1, 16)),
    Case("falling", FALLING, matrix(4, 60, profile=CLIFF, tile=16), tile=(1, 16)),
    Case("strided", TRANSPOSED, transposed(7, 40, tile=16), ("strided",), tile=(1, 16)),
    Case("cut-out", CUT_OUT, cut_out(4, 40, tile=16), tile=(1, 16)),
    Case("large-positive", LARGE, matrix(4, 33, 200, tile=16), ("large positive",), tile=(1, 16)),
    Case("very-negative", SMALL, low(4, 33, tile=16), ("very negative",), tile=(1, 16)),
    Case("deep", DEEP_ROWS, deep_rows(6, 41, tile=16), tile=(1, 16)),
    Case("huge", HUGE, matrix(4, 33, 4e5, tile=16), tile=(1, 16)),
    Case("outlier", PEAKS, peaks(4, 40, tile=16), tile=(1, 16)),
    Case("first-tile-masked", LATE, masked(4, 40, start=20, tile=16), tile=(1, 16)),
    Case("fully-masked", NOTHING, masked(4, 40, (1, 3), tile=16), ("masked row",), tile=(1, 16)),
    Case("float16", HALF, matrix(4, 50, dtype="float16", tile=16), tile=(1, 16)),
    Case("float16-sums", LOST, first_outweighs(256, tile=16), tile=(1, 16)),
    Case("long-row", NO_TILE, matrix(1, 40_000, profile=np.where(np.arange(40_000) == 39_900, 9.0, 0.0))),
    Case("traffic", METERED, matrix(6, 100, tile=32), budget=True),
    Case("wide-rows", WIDE_ROWS, wide(matrix(4, 20, dtype="float16", tile=16), x=0), ("strided",)),
]

NO_STATISTICS = {
    "rising max": "nothing is carried from one tile to the next",
    "large positive": "there is no exponential here",
}

EXERCISES = [
    Exercise(
        function=fused_softmax.vector_add,
        kernels=(fused_softmax.vector_add_kernel,),
        oracle=add,
        outputs=(Output("out"),),
        backend="triton",
        points=1,
        cases=ADD,
        compiled=lambda rng: vectors(100_000, 1024, "float16")(rng),
        budget=Budget(
            loads=size("x", "y"),
            stores=size("x"),
            traffic_is="x and y once, the sum once",
            memory=size("x"),
            memory_is="the sum",
        ),
        without=NO_HEADS
        | NO_STATISTICS
        | {
            "strided": "the vectors are contiguous; strides come with the next exercise",
            "very negative": "a sum is a sum at any size",
            "masked row": "there are no rows yet",
        },
    ),
    Exercise(
        function=fused_softmax.row_max,
        kernels=(fused_softmax.row_max_kernel,),
        oracle=maxima,
        outputs=(Output("m"),),
        backend="triton",
        points=1,
        forbidden=("amax", "cummax"),
        cases=ROW_MAX,
        compiled=lambda rng: matrix(64, 1000, dtype="float16")(rng),
        budget=Budget(
            loads=size("x"),
            stores=one_number_a_row,
            traffic_is="x once, one number per row",
            memory=one_number_a_row,
            memory_is="one number per row",
        ),
        without=NO_HEADS | NO_STATISTICS,
    ),
    Exercise(
        function=fused_softmax.fused_softmax,
        kernels=(fused_softmax.fused_softmax_kernel,),
        oracle=softmax,
        outputs=(Output("y", memory="contiguous"),),
        tolerance=SCORES_OF_ROWS,
        backend="triton",
        points=3,
        forbidden=SHORTCUTS,
        cases=FUSED,
        compiled=lambda rng: matrix(16, 8000, dtype="float16")(rng),
        budget=Budget(
            is_the_point=True,
            loads=size("x"),
            stores=size("x"),
            traffic_is="x once, y once",
            memory=size("x"),
            memory_is="y",
        ),
        without=NO_HEADS | {"rising max": "the whole row is in one tile"},
    ),
    Exercise(
        function=fused_softmax.online_softmax_rows,
        kernels=(fused_softmax.online_softmax_kernel,),
        oracle=softmax,
        outputs=(Output("y", memory="contiguous"),),
        tolerance=SCORES_OF_ROWS,
        backend="triton",
        points=3,
        forbidden=SHORTCUTS,
        cases=ONLINE,
        compiled=lambda rng: matrix(2, 100_000, dtype="float16")(rng),
        budget=Budget(
            is_the_point=True,
            loads=lambda a: 2 * a["x"].nbytes,
            stores=size("x"),
            traffic_is="x twice, y once",
            memory=size("x"),
            memory_is="y",
        ),
        without=NO_HEADS,
    ),
]

QUESTIONS = [
    Question(
        name="programs_in_grid",
        ask="How many programs does vector_add start for 1,000,000 numbers in tiles of 1024?",
        answer=Quantity(977, "programs"),
        why="1,000,000 / 1024 = 976.56, and the rest needs a program too: 977, the last of which masks 448 elements.",
    ),
    Question(
        name="maximum_with_zeros",
        ask="A row [-3, -5, -2] is loaded into a tile of 4 with other=0. Which number is the tile's maximum?",
        answer=Quantity(0),
        why="The tile is [-3, -5, -2, 0]. The masked element never came from memory, but it takes part in the maximum.",
    ),
    Question(
        name="unfused_elements",
        ask="How many elements do the five kernels move, for each element of x, when the rows are long?",
        answer=Quantity(8, "elements per element", rel=0.01),
        why="Five read a matrix, three write one: 8 R N elements, and 4 R for the numbers of which a row has one.",
    ),
    Question(
        name="fused_microseconds",
        ask="How many microseconds does a fused softmax of 8192 x 8192 float32 take at the least, at 4.27 TB/s?",
        answer=Quantity(125.7, "microseconds", rel=0.02),
        why="8192 * 8192 * 4 bytes are 268.4 MB, moved twice: 536.9e6 / 4.27e12 = 125.7 microseconds.",
    ),
    Question(
        name="numbers_in_registers",
        ask="How many float32 numbers fit into the registers of one multiprocessor of an H200, 256 KiB (2^18 bytes)?",
        answer=Quantity(65536, "numbers"),
        why="2^18 bytes / 4 = 65,536. A row of 131,072 columns does not fit, even if nothing else had to.",
    ),
]
