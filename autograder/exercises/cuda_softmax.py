"""A vector, softmax of rows by a thread, a block and warps, and four broken kernels, in CUDA C++."""

from collections.abc import Callable
from math import ceil

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike
from torch import Tensor

from autograder.exercises.draws import DEEP_ROWS, SCORES_OF_ROWS, Draw, deep_rows, drawn
from autograder.spec.exercise import Arguments, Budget, Case, Exercise, Output, Quantity, Question
from kernels import cuda_softmax, reference

# What is right.


def scaled(x: Tensor, factor: Tensor | float) -> Tensor:
    return x * factor


def reversed_tiles(x: Tensor) -> Tensor:
    return x.new_tensor([number for tile in x.split(256) for number in tile.tolist()[::-1]])


def centred(x: Tensor) -> Tensor:
    return x - x.mean(dim=-1, keepdim=True)


def transposed(x: Tensor) -> Tensor:
    return x.T.contiguous()


# Inputs.


def vector(n: int, **rest: object) -> Draw:
    return lambda rng: {"x": (3 * rng.standard_normal(n)).astype(np.float32)} | rest


def matrix(rows: int, cols: int, level: ArrayLike = 0.0, profile=0.0) -> Draw:
    """x ~ 3 * N(0, 1) + level + profile: `level` a number or one for each row, `profile` a number or one for each
    column."""
    rise = np.reshape(level, (-1, 1)) + profile
    return lambda rng: {"x": (3 * rng.standard_normal((rows, cols)) + rise).astype(np.float32)}


def with_factors(rows: int, cols: int) -> Draw:
    """A matrix, and a number for each of its columns."""
    return lambda rng: matrix(rows, cols)(rng) | {"factor": rng.uniform(1, 2, cols).astype(np.float32)}


@drawn
def apart(rng: Generator, /, rows: int, cols: int) -> Arguments:
    """Rows whose maxima lie up to 800 apart: one shift for all of them cannot serve. A number stands out in each."""
    x = matrix(rows, cols)(rng)["x"] + np.linspace(-400, 400, rows, dtype=np.float32)[:, None]
    x[::2, rng.integers(cols)] += 200
    return {"x": x}


@drawn
def masked(rng: Generator, /, rows: int, cols: int, full: tuple[int, ...] = ()) -> Arguments:
    """A third of the entries are -inf, the first of every row among them; the rows in `full` are all -inf."""
    x = matrix(rows, cols, np.where(np.arange(rows) % 2, 0, -1e5))(rng)["x"]
    x[:, :-1][rng.random((rows, cols - 1)) < 1 / 3] = -np.inf
    x[:, 0] = -np.inf
    x[list(full)] = -np.inf
    return {"x": x}


# The situations, in the same words for every exercise that has them.

FIRST = "8 numbers"
TINY = "a matrix of 2 x 3"
READABLE = "two rows of five numbers"
SINGLE = "a single number"
RAGGED = "5 rows of 37 columns"
LARGE = "scores around +200, where exp overflows"
SMALL = "scores around -300, where every exp is 0"
APART = "rows whose maxima lie 800 apart; in some one number stands out by 200"
RISING = "the maximum grows from column to column, in one row by 800 at once"
HOLES = "a third of the entries are -inf, and in every other row the rest lie around -100000"
NOTHING = "two rows are -inf throughout: they give zeros"
VECTOR_FULL = "512 numbers: two full blocks"

SCALE = [
    Case("plain", FIRST, vector(8, factor=3.0)),
    Case("single", SINGLE, vector(1, factor=-1.5), ("single",)),
    Case("full-blocks", VECTOR_FULL, vector(512, factor=2.0)),
    Case("ragged", "1000 numbers: the last block has 24 threads too many", vector(1000, factor=0.5), ("ragged",)),
    Case("sectors", "sectors: 4000 numbers", vector(4000, factor=2.5), budget=True),
]

REVERSE = [
    Case("plain", FIRST, vector(8)),
    Case("single", SINGLE, vector(1), ("single",)),
    Case("full-blocks", VECTOR_FULL, vector(512)),
    Case("ragged", "1000 numbers: the last tile has 232", vector(1000), ("ragged",)),
]

COLUMNS = [
    Case("plain", TINY, with_factors(2, 3)),
    Case("single", SINGLE, with_factors(1, 1), ("single",)),
    Case("ragged", "a matrix of 37 x 29", with_factors(37, 29), ("ragged",)),
    Case("sectors", "sectors: a matrix of 64 x 48", with_factors(64, 48), budget=True),
    Case("odd-width", "90 rows of 61 columns: 1 / 61 is no binary fraction", with_factors(90, 61)),
    Case("wide", "3 rows of 1100 columns, more than a block has threads", with_factors(3, 1100)),
]

LONG = "rows of 600 columns: more than twice as many as a block has threads"

CENTER = [
    Case("plain", READABLE, matrix(2, 5)),
    Case("single", SINGLE, matrix(1, 1, 7.0), ("single",)),
    Case("ragged", RAGGED, matrix(5, 37), ("ragged",)),
    Case("long-row", LONG, matrix(3, 600)),
]

TRANSPOSE = [
    Case("plain", TINY, matrix(2, 3)),
    Case("single", SINGLE, matrix(1, 1), ("single",)),
    Case("ragged", "45 x 70: tiles that are not full", matrix(45, 70), ("ragged",), tile=(32, 32)),
    Case("banks", "banks: a matrix of 64 x 96", matrix(64, 96), tile=(32, 32), budget=True),
]

RISE = np.outer((1.5, 0.5, 0.1, 0), np.arange(61)) + np.outer((0, 0, 0, 800), np.arange(61) > 37)

SOFTMAX = [
    Case("plain", READABLE, matrix(2, 5)),
    Case("single", SINGLE, matrix(1, 1), ("single",)),
    Case("ragged", RAGGED, matrix(5, 37), ("ragged",)),
    Case("rising", RISING, matrix(4, 61, profile=RISE), ("rising max",)),
    Case("large-positive", LARGE, matrix(4, 33, 200), ("large positive",)),
    Case("very-negative", SMALL, matrix(4, 33, -300), ("very negative",)),
    Case("deep", DEEP_ROWS, deep_rows(6, 41)),
    Case("far-apart", APART, apart(7, 33)),
    Case("partly-masked", HOLES, masked(6, 41)),
    Case("fully-masked", NOTHING, masked(6, 21, (1, 3)), ("masked row",)),
]

THREAD = [
    *SOFTMAX,
    Case("long-row", "2 rows of 40,000 columns", matrix(2, 40_000)),
    Case("two-blocks", "130 rows: two blocks, the second of which has 2 rows", matrix(130, 5)),
    Case("traffic", "traffic: 40 rows of 20 columns", matrix(40, 20), budget=True),
]

BLOCK = [
    *SOFTMAX,
    Case("long-row", LONG, matrix(3, 600)),
    Case("counted", "traffic, sectors, banks: 4 rows of 1000 columns", matrix(4, 1000), budget=True),
]

MANY_WARPS = "3 rows of 2000 columns, around -300, 200 and 0: four warps each"

WARP = [
    *SOFTMAX,
    Case("one-warp-a-row", "6 rows of 500 columns: a warp each, four of them in a block", matrix(6, 500)),
    Case("many-warps-a-row", MANY_WARPS, matrix(3, 2000, (-300, 200, 0))),
    Case("counted", "traffic, sectors, banks: 3 rows of 1000 columns, two warps each", matrix(3, 1000), budget=True),
]


# What may be moved.


def times(n: int) -> Callable[[Arguments], int]:
    """n times the bytes of x."""
    return lambda a: n * a["x"].nbytes


def sectors(n: int) -> Callable[[Arguments], int]:
    """The sectors of 32 bytes that n times the bytes of x fill; where rows begin amid one, two more a request."""

    def touched(a: Arguments) -> int:
        cols = a["x"].shape[-1]
        rows = a["x"].size // cols
        amid = 2 * ceil(cols / 32) if cols % 8 else 0
        return n * rows * (ceil(cols / 8) + amid)

    return touched


def none(a: Arguments) -> int:
    return 0


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

EXERCISES = [
    Exercise(
        function=cuda_softmax.scale_vector,
        oracle=scaled,
        outputs=(Output("y"),),
        backend="cuda",
        points=1,
        cases=SCALE,
        budget=Budget(
            loads=times(1),
            stores=times(1),
            traffic_is="x once, y once",
            sectors=sectors(2),
            sectors_are="those of x, and those of y",
        ),
        without=NO_SOFTMAX,
    ),
    Exercise(
        function=cuda_softmax.thread_softmax,
        tolerance=SCORES_OF_ROWS,
        oracle=reference.softmax,
        outputs=(Output("y"),),
        backend="cuda",
        points=2,
        cases=THREAD,
        budget=Budget(loads=times(3), stores=times(1), traffic_is="x three times, y once"),
        without=NO_HEADS,
    ),
    Exercise(
        function=cuda_softmax.scale_columns,
        oracle=scaled,
        outputs=(Output("y"),),
        backend="cuda",
        points=1,
        puzzle="down-the-columns",
        cases=COLUMNS,
        budget=Budget(sectors=sectors(3), sectors_are="those of x and of y, and as many for the factors"),
        without=NO_SOFTMAX,
    ),
    Exercise(
        function=cuda_softmax.reverse_tile,
        oracle=reversed_tiles,
        outputs=(Output("y"),),
        backend="cuda",
        builds=({"TILE": 256},),
        points=1,
        puzzle="no-barrier",
        cases=REVERSE,
        without=NO_SOFTMAX,
    ),
    Exercise(
        function=cuda_softmax.center_row,
        oracle=centred,
        outputs=(Output("y"),),
        backend="cuda",
        builds=({"THREADS": 256},),
        points=1,
        puzzle="barrier-in-branch",
        cases=CENTER,
        without=NO_SOFTMAX,
    ),
    Exercise(
        function=cuda_softmax.block_softmax,
        tolerance=SCORES_OF_ROWS,
        oracle=reference.softmax,
        outputs=(Output("y"),),
        backend="cuda",
        builds=({"THREADS": 256},),
        points=2,
        cases=BLOCK,
        budget=Budget(
            is_the_point=True,
            loads=times(3),
            stores=times(1),
            traffic_is="x three times, y once",
            sectors=sectors(4),
            sectors_are="those of x three times, those of y once",
            conflicts=none,
        ),
        without=NO_HEADS,
    ),
    Exercise(
        function=cuda_softmax.transpose_tile,
        oracle=transposed,
        outputs=(Output("y"),),
        backend="cuda",
        points=1,
        puzzle="stride-32",
        cases=TRANSPOSE,
        budget=Budget(sectors=sectors(2), sectors_are="those of x, and those of y", conflicts=none),
        without=NO_SOFTMAX,
    ),
    Exercise(
        function=cuda_softmax.warp_softmax,
        tolerance=SCORES_OF_ROWS,
        oracle=reference.softmax,
        outputs=(Output("y"),),
        backend="cuda",
        builds=({"VECTOR": 1, "CHUNKS": 1}, {"VECTOR": 1, "CHUNKS": 2}, {"VECTOR": 4, "CHUNKS": 4}),
        points=3,
        cases=WARP,
        budget=Budget(
            is_the_point=True,
            loads=times(1),
            stores=times(1),
            traffic_is="x once, y once",
            sectors=sectors(2),
            sectors_are="those of x, and those of y",
            conflicts=none,
        ),
        without=NO_HEADS,
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
        name="block_bytes",
        ask="How many bytes of main memory does block_softmax ask for, for each element of x, loads and stores "
        "together?",
        answer=Quantity(16, "bytes"),
        why="Three loops read the element, one of them writes the result: four times four bytes.",
    ),
    Question(
        name="column_passes",
        ask="In how many passes does a warp read a column of a float tile[32][32] in shared memory?",
        answer=Quantity(32, "passes"),
        why="Neighbours in a column are 32 words apart, so all 32 numbers lie in the same bank, which hands out one "
        "per pass.",
    ),
    Question(
        name="shuffle_steps",
        ask="How many shuffles merge the numbers of 32 lanes, if the number of lanes merged doubles in each?",
        answer=Quantity(5, "shuffles"),
        why="2, 4, 8, 16, 32: five doublings.",
    ),
]
