"""A vector times a number, and three broken kernels: sectors, a barrier, banks."""

from collections.abc import Callable
from dataclasses import replace
from math import ceil

import numpy as np
from numpy.random import Generator
from torch import Tensor

from autograder.exercises.draws import Draw, drawn, matrix
from autograder.spec.exercise import Arguments, Budget, Case, Exercise, Output, Quantity, Question
from kernels import cuda_basics

# What is right.


def scaled(x: Tensor, factor: Tensor | float) -> Tensor:
    return x * factor


def reversed_tiles(x: Tensor) -> Tensor:
    return x.new_tensor([number for tile in x.split(256) for number in tile.tolist()[::-1]])


def transposed(x: Tensor) -> Tensor:
    return x.T.contiguous()


# Inputs.


@drawn
def whole_tiles(rng: Generator, /) -> Arguments:
    """A matrix of some tiles of 32 x 32, two to four in either direction."""
    rows, cols = 32 * rng.integers(2, 5, 2)
    return matrix(int(rows), int(cols))(rng)


def vector(n: int, **rest: object) -> Draw:
    return lambda rng: {"x": (3 * rng.standard_normal(n)).astype(np.float32)} | rest


def with_factors(rows: int, cols: int) -> Draw:
    """A matrix, and a number for each of its columns."""
    return lambda rng: matrix(rows, cols)(rng) | {"factor": rng.uniform(1, 2, cols).astype(np.float32)}


# The situations, in the same words for every exercise that has them.

FIRST = "8 numbers"
TINY = "a matrix of 2 x 3"
SINGLE = "a single number"
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

TRANSPOSE = [
    Case("plain", TINY, matrix(2, 3)),
    Case("single", SINGLE, matrix(1, 1), ("single",)),
    Case("ragged", "45 x 70: tiles that are not full", matrix(45, 70), ("ragged",), tile=(32, 32)),
    Case("banks", "banks: a matrix of 64 x 96", matrix(64, 96), tile=(32, 32), budget=True),
    Case("banks-of-others", "banks: some other number of whole tiles", whole_tiles(), tile=(32, 32), budget=True),
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

TRAFFIC = Budget(loads=times(1), stores=times(1), traffic_is="x once, y once")

SCALE_VECTOR = Exercise(
    function=cuda_basics.scale_vector,
    oracle=scaled,
    outputs=(Output("y"),),
    backend="cuda",
    points=1,
    cases=SCALE,
    budget=replace(TRAFFIC, sectors=sectors(2), sectors_are="those of x, and those of y"),
    without=NO_SOFTMAX,
)

EXERCISES = [
    SCALE_VECTOR,
    replace(
        SCALE_VECTOR,
        function=cuda_basics.scale_columns,
        puzzle="down-the-columns",
        cases=COLUMNS,
        budget=Budget(sectors=sectors(3), sectors_are="those of x and of y, and as many for the factors"),
    ),
    replace(
        SCALE_VECTOR,
        function=cuda_basics.reverse_tile,
        oracle=reversed_tiles,
        builds=({"TILE": 256},),
        puzzle="no-barrier",
        cases=REVERSE,
        budget=TRAFFIC,
    ),
    replace(
        SCALE_VECTOR,
        function=cuda_basics.transpose_tile,
        oracle=transposed,
        puzzle="stride-32",
        cases=TRANSPOSE,
        budget=replace(TRAFFIC, sectors=sectors(2), sectors_are="those of x, and those of y", conflicts=none),
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
]
