"""Softmax of rows by a thread, a block and warps, and a broken reduction, in CUDA C++."""

from collections.abc import Callable
from dataclasses import replace
from math import ceil
from typing import Any

import numpy as np
from numpy.random import Generator

from autograder.exercises import draws
from autograder.exercises.cuda_basics import NO_HEADS, NO_SOFTMAX, SINGLE, sectors, times
from autograder.exercises.draws import drawn, matrix, metered
from autograder.spec.exercise import Arguments, Bound, Budget, Case, Exercise, Output, Quantity, Question
from kernels import cuda_softmax, reference
from kernels.oracles import cuda_softmax as right
from simt.far import Far

# What is right, and inputs.


@drawn
def matrix_of_fours(rng: Generator, /, rows: int, least: int, most: int) -> Arguments:
    """A matrix whose number of columns, a multiple of four, the seed chooses."""
    return matrix(rows, 4 * int(rng.integers(least // 4, most // 4 + 1)))(rng)


@drawn
def apart(rng: Generator, /, rows: int, cols: int) -> Arguments:
    """Rows whose maxima lie up to 800 apart: one shift for all cannot serve. In each one number stands out: in every
    third row the last by 200, in the next the first by 800, of which not even 64 bits hold the exponential, and in the
    next one of the middle half by as much."""
    x = matrix(rows, cols)(rng)["x"] + np.linspace(-400, 400, rows, dtype=np.float32)[:, None]
    x[::3, -1] += 200
    x[1::3, 0] += 800
    for row in x[2::3]:
        row[rng.integers(cols // 4, 3 * cols // 4)] += 800
    return {"x": x}


@drawn
def masked(rng: Generator, /, rows: int, cols: int, full: tuple[int, ...] = ()) -> Arguments:
    """A third of the entries are -inf, the first of every row among them; the rows in `full` are all -inf."""
    x = matrix(rows, cols, np.where(np.arange(rows) % 2, 0, -1e5))(rng)["x"]
    x[:, :-1][rng.random((rows, cols - 1)) < 1 / 3] = -np.inf
    x[:, 0] = -np.inf
    x[list(full)] = -np.inf
    return {"x": x}


@drawn
def masked_warps(rng: Generator, /) -> Arguments:
    """Rows of four warps, which take 128 of 512 columns in turns: all, the first, the first three, all but the first
    read -inf alone."""
    x, first = matrix(4, 2000, 200)(rng)["x"], np.arange(2000) % 512 < 128
    x[0], x[1, first], x[2, :1500], x[3, ~first] = 4 * [-np.inf]
    return {"x": x}


# The situations, in the same words for every exercise that has them.

READABLE = "two rows of five numbers"
RAGGED = "5 rows of 37 columns"
HOLES = "a third of the entries are -inf, and in every other row the rest lie around -100000"
LONG = "rows of 600 columns: more than twice as many as a block has threads"

CENTER = [
    Case("plain", READABLE, matrix(2, 5)),
    Case("single", SINGLE, matrix(1, 1, 7.0)),
    metered("ragged", f"{RAGGED}; {draws.FAR_ON}", matrix(5, 37)),
    Case("long-row", LONG, matrix(3, 600)),
    Case("longer-row", f"a row of 66,000 columns; {draws.BEGINS_LATE}", draws.one_number_on(matrix(1, 66_000))),
]

RISE = np.outer((1.5, 0.5, 0.1, 0), np.arange(61)) + np.outer((0, 0, 0, 800), np.arange(61) > 37)

STANDS_OUT = "one number of each stands out: the last by 200, the first or one in the middle by 800"
APART = f"rows whose maxima lie 800 apart; {STANDS_OUT}"
SOFTMAX = [
    Case("plain", READABLE, matrix(2, 5)),
    Case("single", SINGLE, matrix(1, 1)),
    Case("ragged", RAGGED, matrix(5, 37)),
    Case("rising", "the maximum grows from column to column, in one row by 800 at once", matrix(4, 61, profile=RISE)),
    Case("large-positive", "scores around +200, where exp overflows", matrix(4, 33, 200)),
    Case("very-negative", "scores around -300, where every exp is 0", matrix(4, 33, -300)),
    Case("deep", draws.DEEP_ROWS, draws.deep_rows(6, 41)),
    Case("far-apart", APART, apart(7, 33)),
    Case("partly-masked", HOLES, masked(6, 41)),
    Case("fully-masked", "two rows are -inf throughout: they give zeros", masked(6, 21, (1, 3))),
]

THREAD = [
    *SOFTMAX,
    Case("long-row", f"3 rows of 70,000 columns; {STANDS_OUT}", apart(3, 70_000)),
    Case("two-blocks", "130 rows: two blocks, the second of which has 2 rows", matrix(130, 5)),
    Case("view", f"3 rows of 8 columns; {draws.BEGINS_LATE}", draws.one_number_on(matrix(3, 8))),
    metered("few-rows", "traffic: 40 rows of 20 columns", matrix(40, 20)),
    metered("traffic", f"traffic: 128 rows of 20 columns; {draws.FAR_ON}", matrix(128, 20)),
]

COUNTED = f"traffic, sectors, banks: rows of some number of columns, at most 1000; {draws.FAR_ON}"

BLOCK = [
    *SOFTMAX,
    Case("long-row", "rows of 8000 columns", apart(3, 8000)),
    Case("longer-row", "a row of 66,000 columns, more than warp_softmax takes", matrix(1, 66_000)),
    Case("view", f"rows of 300 columns; {draws.BEGINS_LATE}", draws.one_number_on(matrix(3, 300))),
    metered("counted", COUNTED, matrix_of_fours(4, 904, 1000)),
]

MASKED_WARPS = "4 rows of 2000 columns around 200: one is -inf throughout, the others are where some warps read"
ALL_WARPS = (
    f"traffic: 3 rows of 20,000 columns: 32 warps, whose lanes hold up to 32 numbers; {STANDS_OUT}; {draws.FAR_ON}"
)
MANY_WARPS = "3 rows of 2000 columns, around -300, 200 and 0: four warps each"

WARP = [
    *SOFTMAX,
    Case("one-warp-a-row", "6 rows of 500 columns: a warp each, four of them in a block", matrix(6, 500)),
    Case("many-warps-a-row", MANY_WARPS, matrix(3, 2000, (-300, 200, 0))),
    Case("masked-warps", MASKED_WARPS, masked_warps(), ("masked row",)),
    metered("all-warps", ALL_WARPS, apart(3, 20_000)),
    metered("counted", COUNTED, matrix_of_fours(3, 516, 1000)),
]


def rows_of_a_block(rows: int, passes: int, threads: int) -> dict[str, Any]:
    """The budget of a block of so many threads that goes so often over so many rows."""
    return {
        "thread": draws.share_of_a_thread(lambda a: 4 * rows * a["x"].shape[1], threads),
        "thread_loads": draws.share_of_a_thread(lambda a: 4 * rows * a["x"].shape[1], threads, passes - 1),
        "block": draws.a_quarter_more(
            lambda a: passes * 4 * min(rows, len(a["x"])) * a["x"].shape[1], "its rows" if rows > 1 else "its row"
        ),
    }


def row_of_a_thread(a: Arguments) -> int:
    return int(4 * a["x"].shape[1])


def through_shared_memory(a: Arguments) -> int:
    """Of each row two reductions, in which each of its warps stores a number and reads one of every warp."""
    rows, warps = len(a["x"]), warps_of_a_row(a)
    return 2 * rows * warps * (1 + warps)


def by_block(reductions: int) -> Bound:
    """What goes through shared memory, so that no thread adds up alone what the others have brought there."""
    share = "a number of each thread, which all warps read, and an eighth of x"
    return Bound(lambda a: len(a["x"]) * (reductions * 8 * 257 + a["x"].shape[1] // 8), share)


def taken_by_a_thread(reductions: int, numbers: int) -> Bound:
    """So many numbers of others, where all of them are 256; a sum that is read again for each number of x is one."""
    return Bound(lambda a: 4 * numbers * reductions, f"{numbers} numbers of others in a reduction")


def barriers_of_a_thread(reductions: int, barriers: int) -> Bound:
    """Where two of each of eight halvings take 16: not one for each number."""
    return Bound(lambda a: barriers * reductions, f"{barriers} in a reduction")


def shuffles_of_a_warp(reductions: int) -> Bound:
    """Five halvings of its lanes, five of the warps' results, and half as many more; from lane to lane it takes 31."""
    return Bound(lambda a: 16 * reductions, "16 in a reduction")


def warps_of_a_row(a: Arguments) -> int:
    return min(cuda_softmax.power_of_two(ceil(a["x"].shape[1] / 512)), 32)


def numbers_of_a_thread(a: Arguments) -> int:
    """What each holds of its row, past its end too, where it may be four that lie side by side."""
    cols = a["x"].shape[1]
    return max(1 if cols % 4 else 4, cuda_softmax.power_of_two(ceil(cols / (32 * warps_of_a_row(a)))))


def share_of_exponentials(numbers: Callable[[Arguments], int], warps: Callable[[Arguments], int]) -> Bound:
    """Three of each number that one thread has, as an online softmax takes, and two in each merge: five within a warp,
    and those of the warps one after another.
    """
    said = "three for each of a thread's numbers, and two in each merge"
    return Bound(lambda a: 3 * numbers(a) + 2 * (5 + warps(a) - 1), said)


EVERYWHERE_APART = replace(draws.NO_CONFLICTS, everywhere=True)  # no mask parts a row's lanes
EACH_ROW = Far(0, tensors=(0, 1))  # x and y
BY_COUNT = Far(0, tensors=(0, 1), counts=(2,), rows=128)  # where blocks are told how many rows there are

SOFTMAX_OF_A_THREAD = Exercise(
    function=cuda_softmax.thread_softmax,
    tolerance=draws.SCORES_OF_ROWS,
    oracle=reference.softmax,
    outputs=(Output("y", has_zeros=True),),
    backend="cuda",
    points=2,
    cases=THREAD,
    far=BY_COUNT,
    budget=Budget(
        loads=Bound(times(3), "x three times"),
        stores=Bound(times(1), "y once"),
        **rows_of_a_block(128, 4, 128) | {"thread": Bound(row_of_a_thread, "its row", least=row_of_a_thread)},
        exchanged=Bound(lambda a: 0, "a thread has its row to itself"),
        shuffled=Bound(lambda a: 0, "a thread has its row to itself"),
        barriers=Bound(lambda a: 0, "a thread has its row to itself"),
    ),
    without=NO_HEADS,
)

EXERCISES = [
    SOFTMAX_OF_A_THREAD,
    Exercise(
        function=cuda_softmax.center_row,
        oracle=right.centred,
        outputs=(Output("y", has_zeros=True),),
        backend="cuda",
        builds=({"THREADS": 256},),
        points=1,
        puzzle="barrier-in-branch",
        cases=CENTER,
        far=EACH_ROW,
        budget=Budget(
            loads=Bound(times(2), "x twice"),
            stores=Bound(times(1), "y once"),
            **rows_of_a_block(1, 3, 256),
            exchanged=by_block(1),
            taken=taken_by_a_thread(1, 64),
            barriers=barriers_of_a_thread(1, 20),
            by_a_warp=shuffles_of_a_warp(1),
            conflicts=Bound(lambda a: 128 * len(a["x"]), "128 for each row, more than a tree takes", everywhere=True),
        ),
        without=NO_SOFTMAX,
    ),
    replace(
        SOFTMAX_OF_A_THREAD,
        function=cuda_softmax.block_softmax,
        builds=({"THREADS": 256},),
        cases=BLOCK,
        far=EACH_ROW,
        budget=Budget(
            is_the_point=True,
            loads=Bound(times(3), "x three times"),
            stores=Bound(times(1), "y once"),
            sectors=Bound(sectors(4), "those of x three times, those of y once"),
            conflicts=EVERYWHERE_APART,
            **rows_of_a_block(1, 4, 256),
            exchanged=by_block(2),
            taken=taken_by_a_thread(2, 20),
            barriers=barriers_of_a_thread(2, 20),
            by_a_warp=shuffles_of_a_warp(2),
            exponentials=share_of_exponentials(lambda a: 4 * ceil(a["x"].shape[1] / 1024), lambda a: 8),
        ),
    ),
    replace(
        SOFTMAX_OF_A_THREAD,
        function=cuda_softmax.warp_softmax,
        builds=tuple({"VECTOR": v, "CHUNKS": chunks} for v, chunks in ((1, 1), (1, 2), (4, 4), (4, 8))),
        points=3,
        cases=WARP,
        budget=Budget(
            is_the_point=True,
            loads=Bound(times(1), "x once"),
            stores=Bound(times(1), "y once"),
            sectors=Bound(sectors(2), "those of x, and those of y"),
            conflicts=EVERYWHERE_APART,
            **rows_of_a_block(4, 2, 128),
            exchanged=Bound(through_shared_memory, "two numbers of each warp, which all warps of the row read"),
            thread_writes=Bound(lambda a: 2 * 2 * 4, "two numbers of its warp, and as many again"),
            block_writes=Bound(
                lambda a: 4 * (4 * warps_of_a_row(a) + 64), "two numbers of each warp, as many again, and 64 beside"
            ),
            # Where two of each of five halvings take 10; rows of one warp share a block, and have shuffles alone.
            barriers=Bound(lambda a: 20 if warps_of_a_row(a) > 1 else 0, "10 in a reduction, none in rows of one warp"),
            by_a_warp=shuffles_of_a_warp(2),
            exponentials=share_of_exponentials(numbers_of_a_thread, warps_of_a_row),
        ),
    ),
]

QUESTIONS = [
    Question(
        name="block_bytes",
        ask="How many bytes of main memory does block_softmax ask for, for each element of x, loads and stores "
        "together?",
        answer=Quantity(16, "bytes"),
        why="Three loops read the element, one of them writes the result: four times four bytes.",
    ),
    Question(
        name="shuffle_steps",
        ask="How many shuffles merge the numbers of 32 lanes, if the number of lanes merged doubles in each?",
        answer=Quantity(5, "shuffles"),
        why="2, 4, 8, 16, 32: five doublings.",
    ),
]
