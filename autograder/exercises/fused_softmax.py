"""Lesson 06: the first Triton kernels: a vector, a row, softmax with a row in one tile, and in tiles."""

from collections.abc import Callable

import numpy as np
from numpy.random import Generator
from torch import Tensor

from autograder.spec.exercise import Arguments, Budget, Case, Exercise, Mutant, Output, Question
from kernels import fused_softmax, reference

Draw = Callable[[Generator], Arguments]

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


def vectors(n: int, tile: int, dtype: str = "float32") -> Draw:
    def draw(rng: Generator) -> Arguments:
        x, y = (3 * rng.standard_normal((2, n))).astype(dtype)
        return {"x": x, "y": y, "tile": tile}

    return draw


def matrix(rows: int, cols: int, level: float = 0.0, profile=0.0, dtype: str = "float32", **rest: object) -> Draw:
    """x ~ 3 * N(0, 1) + level + profile; `profile` is a number, or one for each column."""

    def draw(rng: Generator) -> Arguments:
        return {"x": (3 * rng.standard_normal((rows, cols)) + level + profile).astype(dtype)} | rest

    return draw


def transposed(rows: int, cols: int, **rest: object) -> Draw:
    """The transpose of a matrix: neighbours in a row lie `rows` elements apart in memory."""
    return lambda rng: {"x": matrix(cols, rows)(rng)["x"].T} | rest


def cut_out(rows: int, cols: int, **rest: object) -> Draw:
    """The first columns of a wider matrix: a row starts 2 * cols elements after the one before it."""
    return lambda rng: {"x": matrix(rows, 2 * cols)(rng)["x"][:, :cols]} | rest


def apart(rows: int, cols: int, **rest: object) -> Draw:
    """Rows whose maxima lie up to 800 apart: one shift for all of them cannot serve."""

    def draw(rng: Generator) -> Arguments:
        x = matrix(rows, cols)(rng)["x"]
        return {"x": x + np.linspace(-400, 400, rows, dtype=np.float32)[:, None]} | rest

    return draw


def masked(rows: int, cols: int, full: tuple[int, ...] = (), start: int = 0, **rest: object) -> Draw:
    """A third of the entries are -inf, the first `start` of row 0 among them; the rows in `full` are all -inf."""

    def draw(rng: Generator) -> Arguments:
        x = matrix(rows, cols)(rng)["x"]
        x[:, :-1][rng.random((rows, cols - 1)) < 1 / 3] = -np.inf
        x[0, :start] = -np.inf
        x[list(full)] = -np.inf
        return {"x": x} | rest

    return draw


# The situations, in the same words for every exercise that has them.

READABLE = "two rows of four numbers"
SINGLE = "a single number"
RAGGED = "5 rows of 37 columns: the tile of 64 reaches 27 columns past the end of a row"
TRANSPOSED = "x is a transposed view: neighbours in a row are 7 elements apart in memory"
CUT_OUT = "x is the left half of a wider matrix: a row begins 2 N elements after the one before"
LARGE = "scores around +200, where exp overflows"
SMALL = "scores around -300, where every exp is 0"
APART = "rows whose maxima lie 800 apart"
HOLES = "a third of the entries are -inf"
NOTHING = "two rows are -inf throughout: they give zeros"
HALF = "float16 goes in and comes out, with float32 in between"
METERED = "traffic: 6 rows of 100 columns"


# What may be moved. All of these kernels write their output once.


def size(*names: str) -> Callable[[Arguments], int]:
    """Bytes of the named arguments."""
    return lambda a: sum(a[name].nbytes for name in names)


def one_number_a_row(a: Arguments) -> int:
    return a["x"].shape[0] * a["x"].itemsize


# A mistake that three exercises share.


def without_column_stride(old: str, new: str) -> Mutant:
    return Mutant(
        "neighbours in a row are taken to be neighbours in memory: the column stride is missing",
        old=old,
        new=new,
        killed_by="strided",
        hint=2,
    )


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
MAX_NEGATIVE = "three rows around -300: nothing in them is as large as 0"

ROW_MAX = [
    Case("plain", READABLE, matrix(2, 4)),
    Case("single", SINGLE, matrix(1, 1), ("single",)),
    Case("ragged", RAGGED, matrix(5, 37), ("ragged",)),
    Case("strided", TRANSPOSED, transposed(7, 20), ("strided",)),
    Case("cut-out", CUT_OUT, cut_out(6, 20)),
    Case("max-last", MAX_LAST, matrix(4, 21, profile=np.where(np.arange(21) == 20, 30.0, 0.0))),
    Case("very-negative", MAX_NEGATIVE, matrix(3, 21, -300), ("very negative",)),
    Case(
        "fully-masked", "two rows are -inf throughout, and so is their maximum", masked(6, 20, (1, 3)), ("masked row",)
    ),
    Case("float16", "float16: 6 rows of 20 columns", matrix(6, 20, dtype="float16")),
    Case("traffic", METERED, matrix(6, 100), budget=True),
]

FUSED = [
    Case("plain", READABLE, matrix(2, 4)),
    Case("single", SINGLE, matrix(1, 1), ("single",)),
    Case("ragged", RAGGED, matrix(5, 37), ("ragged",)),
    Case("strided", TRANSPOSED, transposed(7, 20), ("strided",)),
    Case("cut-out", CUT_OUT, cut_out(6, 20)),
    Case("large-positive", LARGE, matrix(4, 33, 200), ("large positive",)),
    Case("very-negative", SMALL, matrix(4, 33, -300), ("very negative",)),
    Case("far-apart", APART, apart(7, 33)),
    Case("partly-masked", HOLES, masked(6, 40)),
    Case("fully-masked", NOTHING, masked(6, 20, (1, 3)), ("masked row",)),
    Case("float16", HALF, matrix(6, 50, dtype="float16")),
    Case("traffic", METERED, matrix(6, 100), budget=True),
]

TILES_RAGGED = "5 rows of 37 columns in tiles of 16: the last tile holds five"
RISING = "the maximum grows in every one of five tiles"
FALLING = "the first tile holds the maximum, 120 above the rest"
LATE = "in row 0 the first 20 entries are -inf: the first tile of 16 holds nothing"

CLIMB = 1.5 * np.arange(75)
CLIFF = np.where(np.arange(60) < 16, 120.0, 0.0)

ONLINE = [
    Case("plain", "two rows of eight numbers in two tiles of four", matrix(2, 8, tile=4), tile=(1, 4)),
    Case("single", SINGLE, matrix(1, 1, tile=16), ("single",)),
    Case("ragged", TILES_RAGGED, matrix(5, 37, tile=16), ("ragged",), tile=(1, 16)),
    Case("rising", RISING, matrix(4, 75, profile=CLIMB, tile=16), ("rising max",), tile=(1, 16)),
    Case("falling", FALLING, matrix(4, 60, profile=CLIFF, tile=16), tile=(1, 16)),
    Case("strided", TRANSPOSED, transposed(7, 40, tile=16), ("strided",), tile=(1, 16)),
    Case("cut-out", CUT_OUT, cut_out(4, 40, tile=16), tile=(1, 16)),
    Case("large-positive", LARGE, matrix(4, 33, 200, tile=16), ("large positive",), tile=(1, 16)),
    Case("very-negative", SMALL, matrix(4, 33, -300, tile=16), ("very negative",), tile=(1, 16)),
    Case("first-tile-masked", LATE, masked(4, 40, start=20, tile=16), tile=(1, 16)),
    Case("fully-masked", NOTHING, masked(4, 40, (1, 3), tile=16), ("masked row",), tile=(1, 16)),
    Case("float16", HALF, matrix(4, 50, dtype="float16", tile=16), tile=(1, 16)),
    Case("traffic", METERED, matrix(6, 100, tile=32), budget=True),
]

FIRST_LOAD = 'x = tl.load(x_ptr + j * col_stride, mask=j < cols, other=float("-inf")).to(tl.float32)'
ONE_MORE_PASS = f"""
    for start in range(0, cols, TILE):
        j = start + tl.arange(0, TILE)
        {FIRST_LOAD}
        m = tl.maximum(m, tl.max(x, axis=0))"""

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
        mutants=[
            Mutant(
                "every program works on the first tile: it never asks for its number",
                old="tl.program_id(0) * TILE + ",
                new="",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "program i begins at element i, not at element i * TILE",
                old="tl.program_id(0) * TILE",
                new="tl.program_id(0)",
                killed_by="plain",
                hint=2,
            ),
            Mutant(
                "y is loaded from the pointer of x, so that x is added to itself",
                old="tl.load(y_ptr",
                new="tl.load(x_ptr",
                killed_by="plain",
                hint=2,
            ),
            Mutant(
                "the last tile is dropped when it is ragged",
                old="offsets < n",
                new="offsets < n // TILE * TILE",
                killed_by="ragged",
                hint=2,
            ),
            Mutant(
                "the mask leaves out the last element: it is off by one",
                old="offsets < n",
                new="offsets < n - 1",
                killed_by="plain",
                hint=2,
            ),
            Mutant(
                "every tile's first element is left out",
                old="offsets < n",
                new="(offsets < n) & (offsets % TILE > 0)",
                killed_by="plain",
                hint=2,
            ),
            Mutant(
                "y is loaded twice",
                old="x + y, mask",
                new="x + tl.load(y_ptr + offsets, mask=mask), mask",
                killed_by="traffic",
                hint=1,
            ),
        ],
        hints=[
            "One program makes one tile of the result. It asks for its number, works out which elements are its own, "
            "loads them from x and from y, adds, and stores.",
            "The elements of program i are i * TILE + [0, 1, ..., TILE - 1]; the second part is tl.arange(0, TILE). "
            "Pass the same mask, offsets < n, to both loads and to the store.",
            "n = 10, TILE = 4: program 2 has the offsets [8, 9, 10, 11] and the mask [True, True, False, False]. It "
            "loads x[8], x[9], y[8] and y[9], and stores out[8] and out[9].",
        ],
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
            traffic_is="x once, one number a row",
            memory=one_number_a_row,
            memory_is="one number a row",
        ),
        without=NO_HEADS | NO_STATISTICS,
        mutants=[
            Mutant(
                "the columns past the end of a row are filled with 0, which is larger than a negative maximum",
                old='other=float("-inf")',
                new="other=0.0",
                killed_by="very-negative",
                hint=2,
            ),
            Mutant(
                "every program reads row 0",
                old="row * row_stride + ",
                new="",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "rows are taken to follow each other in memory: cols stands where the row stride belongs",
                old="row * row_stride",
                new="row * cols",
                killed_by="cut-out",
                hint=2,
            ),
            without_column_stride("j * col_stride", "j"),
            Mutant(
                "the mask leaves out the last column: it is off by one",
                old="j < cols",
                new="j < cols - 1",
                killed_by="max-last",
                hint=2,
            ),
            Mutant(
                "the row is read twice",
                old="tl.max(x, axis=0)",
                new='tl.maximum(tl.max(x, axis=0), tl.max(tl.load(pointers, j < cols, float("-inf")), axis=0))',
                killed_by="traffic",
                hint=1,
            ),
        ],
        hints=[
            "One program takes one row, loads all of it as a tile, and reduces the tile to a number with tl.max.",
            "Element (row, j) lies at x_ptr + row * row_stride + j * col_stride. The tile may be wider than the row: "
            "mask the columns from cols on, and choose `other` so that they can never be the maximum.",
            "A row [-3, -5, -2] with row_stride 3 and col_stride 1: row 1 begins at x_ptr + 3. TILE = 4, j = [0, 1, 2, "
            "3], the mask is [True, True, True, False], and with other = -inf the tile is [-3, -5, -2, -inf]; its "
            "maximum is -2. With other = 0 it would be 0.",
        ],
    ),
    Exercise(
        function=fused_softmax.fused_softmax,
        kernels=(fused_softmax.fused_softmax_kernel,),
        oracle=softmax,
        outputs=(Output("y"),),
        backend="triton",
        points=3,
        forbidden=SHORTCUTS,
        cases=FUSED,
        compiled=lambda rng: matrix(16, 8000, dtype="float16")(rng),
        budget=Budget(loads=size("x"), stores=size("x"), traffic_is="x once, y once", memory=size("x"), memory_is="y"),
        without=NO_HEADS | {"rising max": "the whole row is in one tile"},
        mutants=[
            Mutant(
                "the columns past the end of a row are filled with 0 instead of -inf, and each adds to the sum",
                old='other=float("-inf")',
                new="other=0.0",
                killed_by="ragged",
                hint=2,
            ),
            Mutant(
                "the maximum is not subtracted before exp",
                old="tl.exp(x - shift)",
                new="tl.exp(x)",
                killed_by="large-positive",
                hint=1,
            ),
            Mutant(
                "the columns past the end of a row take part in the maximum as zeros, so that very negative rows "
                "underflow",
                old="tl.max(x, axis=0)",
                new="tl.max(tl.where(j < cols, x, 0.0), axis=0)",
                killed_by="very-negative",
                hint=2,
            ),
            Mutant(
                "a row of -inf computes -inf - (-inf), or 0 / 0, which is NaN",
                old='tl.where(m == float("-inf"), 0.0, m)',
                new="m",
                killed_by="fully-masked",
                hint=3,
            ),
            Mutant(
                "-inf is replaced by a large negative number, so that a row of -inf gives 1 / TILE instead of zeros",
                old=".to(tl.float32)",
                new=".to(tl.float32)\n    x = tl.maximum(x, -1e30)",
                killed_by="fully-masked",
                hint=3,
            ),
            Mutant(
                "the exponentials are not divided by their sum",
                old="p / tl.where(l == 0, 1.0, l)",
                new="p",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the exponential is to base 2 instead of base e",
                old="tl.exp(",
                new="tl.exp2(",
                killed_by="plain",
                hint=3,
            ),
            Mutant(
                "rows are taken to follow each other in memory: cols stands where the row stride belongs",
                old="row * row_stride",
                new="row * cols",
                killed_by="cut-out",
                hint=2,
            ),
            without_column_stride("j * col_stride", "j"),
            Mutant(
                "y is written with the strides of x, although y is contiguous",
                old="row * cols + j,",
                new="row * row_stride + j * col_stride,",
                killed_by="strided",
                hint=2,
            ),
            Mutant(
                "x is loaded a second time for the exponentials",
                old="tl.exp(x - shift)",
                new='tl.exp(tl.load(pointers, mask=j < cols, other=float("-inf")).to(tl.float32) - shift)',
                killed_by="traffic",
                hint=1,
            ),
        ],
        hints=[
            "Load the row once; everything else happens to the tile that you hold. Maximum, difference, exponentials, "
            "sum and quotient are five lines without a pointer in them, and the last line stores.",
            "The columns past the end must change neither the maximum nor the sum: load them as -inf, and e^(-inf - m) "
            "is 0. tl.exp wants float32: convert right after the load. x has strides; y is contiguous, so element "
            "(row, j) of y lies at y_ptr + row * cols + j.",
            "Row [1, 3, 2], TILE = 4: the tile is [1, 3, 2, -inf], m = 3, p = [0.1353, 1, 0.3679, 0], l = 1.5032, y = "
            "[0.0900, 0.6652, 0.2447, 0], and the mask keeps the last one out of memory. For a row of -inf, m = -inf: "
            "shift by 0 instead, then p = 0 and l = 0; divide by 1 instead. tl.where(condition, a, b) chooses.",
        ],
    ),
    Exercise(
        function=fused_softmax.online_softmax_rows,
        kernels=(fused_softmax.online_softmax_kernel,),
        oracle=softmax,
        outputs=(Output("y"),),
        backend="triton",
        points=3,
        forbidden=SHORTCUTS,
        cases=ONLINE,
        compiled=lambda rng: matrix(2, 100_000, dtype="float16")(rng),
        budget=Budget(
            loads=lambda a: 2 * a["x"].nbytes,
            stores=size("x"),
            traffic_is="x twice, y once",
            memory=size("x"),
            memory_is="y",
        ),
        without=NO_HEADS,
        mutants=[
            Mutant(
                "the denominator is not rescaled when the maximum grows",
                old="l * tl.exp(m - shift)",
                new="l",
                killed_by="rising",
                hint=2,
            ),
            Mutant(
                "the tile's own maximum becomes the maximum even where it is smaller than the old one",
                old="tl.maximum(m, tl.max(x, axis=0))",
                new="tl.max(x, axis=0)",
                killed_by="falling",
                hint=2,
            ),
            Mutant(
                "the running maximum starts at 0 instead of -inf",
                old='m = float("-inf")\n',
                new="m = 0.0\n",
                killed_by="very-negative",
                hint=2,
            ),
            Mutant(
                "only the last tile is summed up in the denominator",
                old="l * tl.exp(m - shift) + ",
                new="",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the columns past the end of a row are filled with 0 instead of -inf, and each adds to the sum",
                old='other=float("-inf")',
                new="other=0.0",
                killed_by="ragged",
                hint=2,
            ),
            Mutant(
                "the last, ragged tile is left out of the maximum and the sum",
                old="for start in range(0, cols, TILE)",
                new="for start in range(0, cols - TILE + 1, TILE)",
                killed_by="ragged",
                hint=2,
            ),
            Mutant(
                "while nothing but -inf has been seen, -inf is subtracted from -inf, which is NaN",
                old='tl.where(m_new == float("-inf"), 0.0, m_new)',
                new="m_new",
                killed_by="first-tile-masked",
                hint=3,
            ),
            Mutant(
                "in the second pass a row of -inf computes -inf - (-inf), or 0 / 0, which is NaN",
                old='tl.where(m == float("-inf"), 0.0, m)',
                new="m",
                killed_by="fully-masked",
                hint=3,
            ),
            Mutant(
                "the second pass shifts each tile by the tile's own maximum, not by the row's",
                old="tl.exp(x - m) / l",
                new='tl.exp(x - tl.max(tl.where(j < cols, x, float("-inf")), axis=0)) / l',
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the exponentials are not divided by their sum",
                old="tl.exp(x - m) / l",
                new="tl.exp(x - m)",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the factor of the old denominator is upside down: e^(m' - m) instead of e^(m - m')",
                old="tl.exp(m - shift)",
                new="tl.exp(shift - m)",
                killed_by="plain",
                hint=2,
            ),
            without_column_stride("l = 0.0\n", "l = 0.0\n    col_stride = 1\n"),
            Mutant(
                "three passes: one for the maximum, one for the sum, one that writes",
                old="l = 0.0\n",
                new=f"l = 0.0{ONE_MORE_PASS}\n",
                killed_by="traffic",
                hint=1,
            ),
        ],
        hints=[
            "Two loops over the tiles of the row. The first carries m and l along, as in lesson 02; it stores nothing. "
            "The second loads every tile again and stores e^(x - m) / l.",
            "After every tile l = sum_j e^(x_j - m) over the columns seen, measured from the m of that moment: when m "
            "grows, the old l is multiplied by e^(m - m'). Start from m = -inf and l = 0. The mask compares the true "
            "numbers of the columns, start + tl.arange(0, TILE), with cols.",
            "Row [1, 3, 2, 2, 5], TILE = 2. Tile [1, 3]: m = 3, l = 0.1353 + 1 = 1.1353. Tile [2, 2]: m stays 3, l = "
            "1.1353 + 2 * 0.3679 = 1.8711. Tile [5, -inf]: m' = 5, l = 1.8711 e^(-2) + 1 = 1.2532. Second pass: y_0 = "
            "e^(1 - 5) / 1.2532 = 0.0146. While m' is -inf, shift by 0; for a row of -inf divide by 1.",
        ],
    ),
]

QUESTIONS = [
    Question(
        name="programs_in_grid",
        ask="How many programs does vector_add start for 1,000,000 numbers in tiles of 1024?",
        answer=977,
        rel=0,
        why="1,000,000 / 1024 = 976.56, and the rest needs a program too: 977, the last of which masks 448 elements.",
        unit="programs",
    ),
    Question(
        name="maximum_with_zeros",
        ask="A row [-3, -5, -2] is loaded into a tile of 4 with other=0. Which number is the tile's maximum?",
        answer=0,
        rel=0,
        why="The tile is [-3, -5, -2, 0]. The masked element never came from memory, but it takes part in the maximum.",
    ),
    Question(
        name="unfused_elements",
        ask="How many elements do the five kernels move, for each element of x, when the rows are long?",
        answer=8,
        rel=0.01,
        why="Five read a matrix, three write one: 8 R N elements, and 4 R for the numbers of which a row has one.",
        unit="elements per element",
    ),
    Question(
        name="fused_microseconds",
        ask="How many microseconds does a fused softmax of 8192 x 8192 float32 take at the least, at 4.27 TB/s?",
        answer=125.7,
        rel=0.02,
        why="8192 * 8192 * 4 bytes are 268.4 MB, moved twice: 536.9e6 / 4.27e12 = 125.7 microseconds.",
        unit="microseconds",
    ),
    Question(
        name="numbers_in_registers",
        ask="How many float32 numbers fit into the registers of one multiprocessor of an H200, 256 KiB (2^18 bytes)?",
        answer=65536,
        rel=0,
        why="2^18 bytes / 4 = 65,536. A row of 131,072 columns does not fit, even if nothing else had to.",
        unit="numbers",
    ),
]
