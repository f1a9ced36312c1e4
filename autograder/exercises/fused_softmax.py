"""Softmax in one Triton kernel: with a row in one tile, and in tiles."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.random import Generator

from autograder.exercises import draws, triton_kernels
from autograder.exercises.flash_tiles import cliff
from autograder.exercises.measured import BANDWIDTH, CALL
from autograder.spec.exercise import Arguments, Bound, Budget, Case, Exercise, Output, Quantity, Question
from kernels import fused_softmax, reference


def apart(rows: int, cols: int, **rest: Any) -> draws.Draw:
    """Rows whose maxima lie up to 800 apart: one shift for all of them cannot serve."""
    return draws.matrix(rows, cols, np.linspace(-400, 400, rows), **rest)


@draws.drawn
def peaks(rng: Generator, /, rows: int, cols: int, **rest: Any) -> Arguments:
    """Row 0 is constant; in the others one entry lies 200 above the rest, in row 1 the last, in row 2 two alike."""
    x = draws.matrix(rows, cols)(rng)["x"]
    x[0] = x[0, 0]
    x[range(1, rows), rng.integers(cols - 1, size=rows - 1)] = 200
    x[1] = np.roll(x[1], -1 - x[1].argmax())
    x[2, -2:] = x[2, :2] = 200
    return {"x": x} | rest


@draws.drawn
def climbing(rng: Generator, /, rows: int, cols: int, tile: int) -> Arguments:
    """The maxima of neighbouring tiles lie 0.1 to 0.8 apart; in the last two rows they grow by 95 and by 800 once."""
    tiles = -(-cols // tile)
    top = np.repeat(np.cumsum(rng.uniform(0.1, 0.8, (rows, tiles)), axis=1), tile, axis=1)[:, :cols]
    x = top - 3 * rng.random((rows, cols)) * (np.arange(cols) % tile != 3)
    x[-2:, cols // 2 :] += [[95], [800]]
    return {"x": x.astype(np.float32), "tile": tile}


@draws.drawn
def first_outweighs(rng: Generator, /, cols: int, **rest: Any) -> Arguments:
    """One row of float16, in which each entry weighs 2.5e-5 beside the first one's 1."""
    x = np.log(2.5e-5 * rng.uniform(0.9, 1, (1, cols)))
    x[0, 0] = 0
    return {"x": x.astype(np.float16)} | rest


@draws.drawn
def just_below(rng: Generator, /, cols: int = 3200, **rest: Any) -> Arguments:
    """One row of float16: early an 8, and numbers from -0.0039 to -0.0036, which float16 does not see beside it."""
    x = rng.uniform(-0.0039, -0.0036, (1, cols))
    x[0, rng.integers(cols // 4)] = 8
    return {"x": x.astype(np.float16)} | rest


LARGE = "scores around +200, where exp overflows"
SMALL = "rows from -300 down to -100,000, where every exp is 0"
NOTHING = "two rows are -inf throughout: they give zeros"
HALF = "float16 goes in and comes out, with float32 in between"
PEAKS = "one entry, or two alike, 200 above the rest of the row, and a row that is constant"
ALIKE = "float16: 100,000 numbers near 80 in a row: their exponentials add up to more than float16 holds, or float32"
BESIDE = "float16: an 8, and 3199 numbers so small that their differences from it are 8 in 16 bits"
HUGE = "rows around 400000, where a log-sum-exp has lost the digits of the scores"

FUSED = [
    *triton_kernels.ROWS,
    Case("large-positive", LARGE, draws.matrix(4, 33, 200)),
    Case("very-negative", SMALL, triton_kernels.low(4, 33)),
    Case("deep", draws.DEEP_ROWS, draws.deep_rows(6, 41)),
    Case("huge", HUGE, draws.matrix(4, 33, 4e5)),
    Case("far-apart", "rows whose maxima lie 800 apart", apart(7, 33)),
    Case("outlier", PEAKS, peaks(4, 33)),
    Case("partly-masked", "a third of the entries are -inf", triton_kernels.masked(6, 40)),
    Case("fully-masked", NOTHING, triton_kernels.masked(6, 20, (1, 3))),
    draws.metered("float16", HALF, draws.matrix(6, 50, dtype="float16")),
    Case("float16-differences", BESIDE, just_below()),
    Case("float16-long", ALIKE, draws.matrix(2, 100_000, 80, dtype="float16", spread=0.05)),
    *triton_kernels.LAST_ROWS,
]

LOST = "float16: all columns but the first weigh 2.5e-5, and a tile of them less than float16 sees beside 1"
LONGEST = 32768
NO_TILE = "float16, no tile is given, and a row has 40,000 columns"
NINE = np.where(np.arange(40_000) == 39_900, 9.0, 0.0)
TILES_RAGGED = "5 rows of 37 columns in tiles of 16: the last tile holds five"
RISING = "the maximum grows in every tile by 0.1 to 0.8, in two rows once by 95 and by 800"
FALLING = "the first tile holds the maximum, 120 above the rest"
LATE = "in row 0 the first 20 entries are -inf: the first tile of 16 holds nothing"

MANY_TILES = "a row of 75 tiles: what is kept of it does not grow with their number"
ONLINE = [
    Case("plain", "two rows of eight numbers in two tiles of four", draws.matrix(2, 8, tile=4), tile=(1, 4)),
    Case("single", triton_kernels.SINGLE, draws.matrix(1, 1, tile=16)),
    Case("ragged", TILES_RAGGED, draws.matrix(5, 37, tile=16), tile=(1, 16)),
    Case("rising", RISING, climbing(4, 75, 16), tile=(1, 16)),
    Case("falling", FALLING, draws.matrix(4, 60, profile=cliff(60), tile=16), tile=(1, 16)),
    Case("strided", triton_kernels.TRANSPOSED, triton_kernels.transposed(7, 40, tile=16), tile=(1, 16)),
    Case("same-row", triton_kernels.SAME_ROW, triton_kernels.same(0, 4, 40, tile=16), tile=(1, 16)),
    Case("same-column", triton_kernels.SAME_COLUMN, triton_kernels.same(1, 4, 40, tile=16), tile=(1, 16)),
    Case("large-positive", LARGE, draws.matrix(4, 33, 200, tile=16), tile=(1, 16)),
    Case("very-negative", SMALL, triton_kernels.low(4, 33, tile=16), tile=(1, 16)),
    Case("deep", draws.DEEP_ROWS, draws.deep_rows(6, 41, tile=16), tile=(1, 16)),
    Case("huge", HUGE, draws.matrix(4, 33, 4e5, tile=16), tile=(1, 16)),
    Case("outlier", PEAKS, peaks(4, 40, tile=16), tile=(1, 16)),
    Case("first-tile-masked", LATE, triton_kernels.masked(4, 40, start=20, tile=16), tile=(1, 16)),
    Case("fully-masked", NOTHING, triton_kernels.masked(4, 40, (1, 3), tile=16), tile=(1, 16)),
    draws.metered("float16", HALF, draws.matrix(4, 50, dtype="float16", tile=16), tile=(1, 16)),
    Case("float16-sums", LOST, first_outweighs(256, tile=16), tile=(1, 16)),
    Case("float16-differences", BESIDE, just_below(tile=1024)),
    draws.metered("long-row", NO_TILE, draws.matrix(1, 40_000, profile=NINE, dtype="float16")),
    draws.metered("longest-tile", "no tile is given, and a row has 32,768 columns", draws.matrix(1, LONGEST)),
    Case("many-rows", triton_kernels.MANY_ROWS, draws.matrix(200, 6, tile=4)),
    draws.metered("traffic", triton_kernels.METERED, draws.matrix(6, 100, tile=32)),
    draws.metered("many-tiles", MANY_TILES, draws.matrix(1, 300, tile=4)),
    Case(
        "wide-rows",
        triton_kernels.WIDE_ROWS,
        draws.wide(draws.matrix(4, 20, dtype="float16", tile=16), x=0),
        ("strided",),
    ),
]


def once_or_twice(a: Arguments) -> int:
    """Bytes of x, which is read twice unless no tile is given and a row fits into the longest one."""
    return a["x"].nbytes * (1 if "tile" not in a and a["x"].shape[1] <= LONGEST else 2)


def columns_of_a_tile(a: Arguments) -> int:
    """0 where a row is left to `fused_softmax`."""
    return a.get("tile", LONGEST if a["x"].shape[1] > LONGEST else 0)


def all_but_a_tile(a: Arguments) -> int:
    """The same for a program that keeps one tile of its row from the first pass to the second."""
    rows, columns = a["x"].shape
    return once_or_twice(a) - rows * min(columns, columns_of_a_tile(a)) * a["x"].itemsize


ROW = Exercise(
    function=fused_softmax.fused_softmax,
    kernels=(fused_softmax.fused_softmax_kernel,),
    oracle=lambda x, tile=None: reference.softmax(x),
    outputs=(Output("y", memory="contiguous", has_zeros=True),),
    tolerance=draws.SCORES_OF_ROWS,
    backend="triton",
    points=3,
    forbidden=("softmax", "logsumexp", "logaddexp"),
    cases=FUSED,
    compiled=draws.matrix(16, 8000, dtype="float16"),
    budget=Budget(
        is_the_point=True,
        loads=Bound(draws.bytes_of("x"), "x once"),
        stores=Bound(draws.bytes_of("x"), "y once"),
        memory=Bound(draws.bytes_of("x"), "y"),
        programs=triton_kernels.ONE_A_ROW,
        raised=Bound(lambda a: a["x"].size // 2, "half of the numbers of x, by exp or exp2"),
        busiest=draws.a_quarter_more(lambda a: 2 * a["x"].shape[1] * a["x"].itemsize, "a row"),
    ),
    without=triton_kernels.NO_HEADS | {"rising max": "the whole row is in one tile"},
)

EXERCISES = [
    ROW,
    replace(
        ROW,
        function=fused_softmax.online_softmax_rows,
        kernels=(fused_softmax.online_softmax_kernel,),
        cases=ONLINE,
        compiled=draws.matrix(2, 100_000, dtype="float16"),
        budget=replace(
            ROW.budget,
            loads=Bound(once_or_twice, "x twice, or once where no tile is given", least=all_but_a_tile),
            busiest=draws.a_quarter_more(lambda a: 3 * a["x"].shape[1] * a["x"].itemsize, "a row"),
            widest=Bound(lambda a: a.get("tile") or LONGEST, "those of a tile", least=columns_of_a_tile),
            powers=Bound(lambda a: a.get("tile") or LONGEST, "those of a tile"),
        ),
        without=triton_kernels.NO_HEADS,
    ),
]

QUESTIONS = [
    Question(
        name="unfused_elements",
        ask="How many elements do the five kernels move, for each element of x, when the rows are long?",
        answer=Quantity(8, "elements per element", rel=0.01),
        why="Five read a matrix, three write one: 8 R N elements, and 4 R for the numbers of which a row has one.",
    ),
    Question(
        name="bytes_or_calls",
        ask="Five kernels that Python calls, eight float32 elements to or from main memory for each element of x: how "
        f"many elements has x when the bytes, at {BANDWIDTH / 1e12:g} TB/s, take as long as the calls, "
        f"{CALL * 1e6:.1f} microseconds each?",
        answer=Quantity(5 * CALL * BANDWIDTH / 32, "elements", rel=0.03),
        why=f"5 * {CALL * 1e6:.1f} us * {BANDWIDTH / 1e12:g}e12 bytes per second / 32 bytes per element: "
        f"{5 * CALL * BANDWIDTH / 32 / 1e6:.2f} million, a square of {(5 * CALL * BANDWIDTH / 32) ** 0.5:.0f}.",
    ),
    Question(
        name="row_to_registers",
        ask="How many times the registers of one multiprocessor of an H200, 256 KiB (2^18 bytes), does a row of "
        "128,000 float32 numbers take?",
        answer=Quantity(1.953, "times", rel=0.01),
        why="2^18 bytes / 4 = 65,536 numbers, and 128,000 / 65,536 = 1.95. And a kernel needs registers for "
        "other things than its row.",
    ),
]
