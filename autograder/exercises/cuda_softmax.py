"""Lesson 11: a vector, softmax of rows by a thread, a block and warps, and four broken kernels, in CUDA C++."""

from collections.abc import Callable

import numpy as np
from numpy.random import Generator
from torch import Tensor

from autograder.spec.exercise import Arguments, Budget, Case, Exercise, Mutant, Output, Question
from kernels import cuda_softmax, reference

Draw = Callable[[Generator], Arguments]


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


def matrix(rows: int, cols: int, level: float = 0.0, profile=0.0) -> Draw:
    """x ~ 3 * N(0, 1) + level + profile; `profile` is a number, or one for each column."""
    return lambda rng: {"x": (3 * rng.standard_normal((rows, cols)) + level + profile).astype(np.float32)}


def with_factors(rows: int, cols: int) -> Draw:
    """A matrix, and a number for each of its columns."""
    return lambda rng: matrix(rows, cols)(rng) | {"factor": rng.uniform(1, 2, cols).astype(np.float32)}


def apart(rows: int, cols: int) -> Draw:
    """Rows whose maxima lie up to 800 apart: one shift for all of them cannot serve."""

    def draw(rng: Generator) -> Arguments:
        x = matrix(rows, cols)(rng)["x"]
        return {"x": x + np.linspace(-400, 400, rows, dtype=np.float32)[:, None]}

    return draw


def masked(rows: int, cols: int, full: tuple[int, ...] = ()) -> Draw:
    """A third of the entries are -inf; the rows in `full` are all -inf."""

    def draw(rng: Generator) -> Arguments:
        x = matrix(rows, cols)(rng)["x"]
        x[:, :-1][rng.random((rows, cols - 1)) < 1 / 3] = -np.inf
        x[list(full)] = -np.inf
        return {"x": x}

    return draw


# The situations, in the same words for every exercise that has them.

FIRST = "8 numbers"
TINY = "a matrix of 2 x 3"
READABLE = "two rows of five numbers"
SINGLE = "a single number"
RAGGED = "5 rows of 37 columns"
LARGE = "scores around +200, where exp overflows"
SMALL = "scores around -300, where every exp is 0"
APART = "rows whose maxima lie 800 apart"
RISING = "the maximum grows from column to column"
HOLES = "a third of the entries are -inf"
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

SOFTMAX = [
    Case("plain", READABLE, matrix(2, 5)),
    Case("single", SINGLE, matrix(1, 1), ("single",)),
    Case("ragged", RAGGED, matrix(5, 37), ("ragged",)),
    Case("rising", RISING, matrix(3, 61, profile=1.5 * np.arange(61)), ("rising max",)),
    Case("large-positive", LARGE, matrix(4, 33, 200), ("large positive",)),
    Case("very-negative", SMALL, matrix(4, 33, -300), ("very negative",)),
    Case("far-apart", APART, apart(7, 33)),
    Case("partly-masked", HOLES, masked(6, 41)),
    Case("fully-masked", NOTHING, masked(6, 21, (1, 3)), ("masked row",)),
]


THREAD = [
    *SOFTMAX,
    Case("two-blocks", "130 rows: two blocks, the second of which has 2 rows", matrix(130, 5)),
    Case("traffic", "traffic: 40 rows of 20 columns", matrix(40, 20), budget=True),
]

BLOCK = [
    *SOFTMAX,
    Case("long-row", LONG, matrix(3, 600)),
    Case("counted", "traffic, sectors, banks: 4 rows of 1000 columns", matrix(4, 1000), budget=True),
]

WARP = [
    *SOFTMAX,
    Case("one-warp-a-row", "6 rows of 500 columns: a warp each, four of them in a block", matrix(6, 500)),
    Case("many-warps-a-row", "2 rows of 2000 columns: four warps each", matrix(2, 2000)),
    Case("counted", "traffic, sectors, banks: 3 rows of 1000 columns, two warps each", matrix(3, 1000), budget=True),
]


# What may be moved.


def times(n: int) -> Callable[[Arguments], int]:
    """n times the bytes of x."""
    return lambda a: n * a["x"].nbytes


def sectors(n: int) -> Callable[[Arguments], int]:
    """The sectors of 32 bytes that n times the bytes of x fill."""
    return lambda a: n * a["x"].nbytes // 32


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


# Mistakes that the three softmaxes share.

WRONG_SOFTMAX = [
    Mutant(
        "a row of -inf computes -inf - (-inf), which is NaN",
        old="m == -INFINITY ? 0.0f : m",
        new="m",
        killed_by="fully-masked",
        hint=2,
    ),
    Mutant(
        "the maximum is not subtracted before exp",
        old="m == -INFINITY ? 0.0f : m",
        new="0.0f",
        killed_by="large-positive",
        hint=1,
    ),
    Mutant(
        "the maximum starts at 0 instead of -inf, so that very negative rows underflow",
        old="float m = -INFINITY;",
        new="float m = 0.0f;",
        killed_by="very-negative",
        hint=2,
    ),
]


def base_two(old: str) -> Mutant:
    return Mutant(
        "the exponential is to base 2 instead of base e",
        old=old,
        new=f"#define expf exp2f\n    {old}",
        killed_by="plain",
        hint=2,
    )


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
        mutants=[
            Mutant(
                "the threads past the end of the vector are not held back",
                old="if (i < n) {",
                new="{",
                killed_by="ragged",
                hint=2,
            ),
            Mutant(
                "every block works on the first elements: its number is not in the index",
                old="blockIdx.x * blockDim.x + ",
                new="",
                killed_by="ragged",
                hint=1,
            ),
            Mutant(
                "the blocks follow each other at a distance of gridDim.x, not of blockDim.x",
                old="blockIdx.x * blockDim.x",
                new="blockIdx.x * gridDim.x",
                killed_by="ragged",
                hint=2,
            ),
            Mutant(
                "the last element is left out: the guard is off by one",
                old="i < n",
                new="i < n - 1",
                killed_by="single",
                hint=2,
            ),
            Mutant(
                "the factor is missing",
                old="factor * x[i]",
                new="x[i]",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "neighbouring threads take elements that lie gridDim.x apart",
                old="blockIdx.x * blockDim.x + threadIdx.x",
                new="threadIdx.x * gridDim.x + blockIdx.x",
                killed_by="sectors",
                hint=2,
            ),
        ],
        hints=[
            "Every thread does one element. It works out which one from the number of its block, the threads of a "
            "block, and its own number in the block; then it reads x there, multiplies, and writes y.",
            "Before block b there are b blocks of blockDim.x threads each. The last block may reach past the end of "
            "the vector: a thread with i >= n has to do nothing at all.",
            "n = 1000 in blocks of 256: thread 5 of block 2 has i = 2 * 256 + 5 = 517. Thread 231 of block 3 has i = "
            "999, the last element. Thread 232 has i = 1000, and must neither read nor write.",
        ],
    ),
    Exercise(
        function=cuda_softmax.thread_softmax,
        oracle=reference.softmax,
        outputs=(Output("y"),),
        backend="cuda",
        points=2,
        cases=THREAD,
        budget=Budget(loads=times(3), stores=times(1), traffic_is="x three times, y once"),
        without=NO_HEADS,
        mutants=[
            *WRONG_SOFTMAX,
            Mutant(
                "the exponentials are not divided by their sum",
                old="expf(x[j] - shift) * norm",
                new="expf(x[j] - shift)",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the last column is left out of the sum",
                old="j < cols; j++) {\n        l +=",
                new="j < cols - 1; j++) {\n        l +=",
                killed_by="plain",
                hint=2,
            ),
            Mutant(
                "the differences are summed up, not their exponentials",
                old="l += expf(x[j] - shift)",
                new="l += x[j] - shift",
                killed_by="plain",
                hint=1,
            ),
            base_two("float m = -INFINITY;"),
            Mutant(
                "every exponential is stored before it is divided, so that y is written twice",
                old="l += expf(x[j] - shift)",
                new="l += y[j] = expf(x[j] - shift)",
                killed_by="traffic",
                hint=1,
            ),
        ],
        hints=[
            "Three loops over the columns of the row: the maximum; the sum of the exponentials; and once more the "
            "exponentials, each divided by the sum and stored. x and y point to the thread's own row already.",
            "Start from m = -INFINITY and l = 0. In a row of -inf, m stays -inf, and -inf - (-inf) is NaN: subtract 0 "
            "there. Then l stays 0, and 0 / 0 is NaN again: multiply by 0 in place of 1 / l. Write 0.0f, not 0.0, and "
            "expf, not exp.",
            "Row [1, 3, 2]: m = 3. The exponentials of [-2, 0, -1] are 0.1353, 1 and 0.3679, and l = 1.5032. y = "
            "[0.0900, 0.6652, 0.2447].",
        ],
    ),
    Exercise(
        function=cuda_softmax.scale_columns,
        oracle=scaled,
        outputs=(Output("y"),),
        backend="cuda",
        points=1,
        puzzle="neighbouring threads take neighbours in a column, which lie a whole row apart in memory",
        cases=COLUMNS,
        budget=Budget(sectors=sectors(3), sectors_are="those of x and of y, and as many for the factors"),
        without=NO_SOFTMAX,
        mutants=[
            Mutant(
                "neighbouring threads take neighbours in a column, which lie a whole row apart in memory",
                old="row = i / cols, col = i % cols",
                new="row = i % rows, col = i / rows",
                killed_by="sectors",
                hint=1,
            ),
            Mutant(
                "the number of the element is divided by the number of rows, not of columns",
                old="row = i / cols, col = i % cols",
                new="row = i / rows, col = i % rows",
                killed_by="plain",
                hint=2,
            ),
            Mutant(
                "row and column are interchanged, and with them the ranges they run through",
                old="row = i / cols, col = i % cols",
                new="row = i % cols, col = i / cols",
                killed_by="plain",
                hint=2,
            ),
        ],
        hints=[
            "The values are right, so each element has its thread. The sectors say that it is the wrong one: the 32 "
            "lanes of a warp have consecutive i. Which elements do they have?",
            "Where a row is contiguous, lanes should go along it: i + 1 has to be the next column, and only after "
            "the last column the next row. So the row is what i counts slowly and the column what it counts fast.",
            "3 columns: i = 0, 1, 2 are row 0, columns 0, 1, 2; i = 3 is row 1, column 0. So i = 5 is row 1 (5 "
            "divided by 3, rounded down), column 2 (what is left).",
        ],
    ),
    Exercise(
        function=cuda_softmax.reverse_tile,
        oracle=reversed_tiles,
        outputs=(Output("y"),),
        backend="cuda",
        builds=({"TILE": 256},),
        points=1,
        puzzle="nothing stands between the writes to the tile and the reads by other threads",
        cases=REVERSE,
        without=NO_SOFTMAX,
        mutants=[
            Mutant(
                "nothing stands between the writes to the tile and the reads by other threads",
                old="    __syncthreads();\n",
                new="",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "only the threads of one warp wait for each other",
                old="__syncthreads()",
                new="__syncwarp()",
                killed_by="full-blocks",
                hint=2,
            ),
            Mutant(
                "the barrier stands in a branch that some threads of the block do not take",
                old="    __syncthreads();\n",
                new="    if (thread < size) {\n        __syncthreads();\n    }\n",
                killed_by="plain",
                hint=2,
            ),
        ],
        hints=[
            "The card names two threads and two lines: one writes a number of the tile, the other reads it. What makes "
            "sure that the write comes first?",
            "All of the block's writes have to be done before the first read: one line between the two branches. It "
            "has to stand where every thread of the block comes by, so inside neither of them.",
            "8 numbers: thread 0 writes tile[0] and then reads tile[7], which thread 7 writes. If thread 0 is faster, "
            "it reads what was there before. __syncthreads() makes it wait until thread 7 has come to the same line.",
        ],
    ),
    Exercise(
        function=cuda_softmax.center_row,
        oracle=centred,
        outputs=(Output("y"),),
        backend="cuda",
        builds=({"THREADS": 256},),
        points=1,
        puzzle="the barrier stands in the branch, where only the adding threads come by",
        cases=CENTER,
        without=NO_SOFTMAX,
        mutants=[
            Mutant(
                "the barrier stands in the branch, where only the adding threads come by",
                old="        }\n        __syncthreads();\n        // ### END",
                new="            __syncthreads();\n        }\n        // ### END",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "there is no barrier between one halving and the next",
                old="        }\n        __syncthreads();\n        // ### END",
                new="        }\n        // ### END",
                killed_by="plain",
                hint=2,
            ),
            Mutant(
                "the barrier comes before the addition, so that nothing orders the last sum and its readers",
                old="        if (thread < half) {\n            partial[thread] += partial[thread + half];\n"
                "        }\n        __syncthreads();\n        // ### END",
                new="        __syncthreads();\n        if (thread < half) {\n"
                "            partial[thread] += partial[thread + half];\n        }\n        // ### END",
                killed_by="plain",
                hint=2,
            ),
            Mutant(
                "only the threads of one warp wait for each other",
                old="        }\n        __syncthreads();\n        // ### END",
                new="        }\n        __syncwarp();\n        // ### END",
                killed_by="plain",
                hint=2,
            ),
        ],
        hints=[
            "The card says who waits where. __syncthreads() lets nobody pass before all threads of the block have come "
            "to it. Who never comes?",
            "Only the lower half adds, but all threads have to meet after each halving. The barrier belongs in the "
            "loop, which every thread goes through equally often, and not in the branch.",
            "4 threads, half = 2: threads 0 and 1 add, threads 2 and 3 do not. With the barrier in the branch, 2 and 3 "
            "go on and reach the end while 0 and 1 wait for them. Behind the closing brace of the branch all four "
            "meet, and half becomes 1.",
        ],
    ),
    Exercise(
        function=cuda_softmax.block_softmax,
        oracle=reference.softmax,
        outputs=(Output("y"),),
        backend="cuda",
        builds=({"THREADS": 256},),
        points=2,
        cases=BLOCK,
        budget=Budget(
            loads=times(3),
            stores=times(1),
            traffic_is="x three times, y once",
            sectors=sectors(4),
            sectors_are="those of x three times, those of y once",
            conflicts=none,
            conflicts_are="different banks for all lanes",
        ),
        without=NO_HEADS,
        mutants=[
            *WRONG_SOFTMAX,
            Mutant(
                "nothing separates one halving's writes from the next one's reads",
                old="        __syncthreads();  // the numbers that the others wrote\n",
                new="",
                killed_by="plain",
                hint=2,
            ),
            Mutant(
                "the result is read before thread 0 is known to have written it",
                old="    __syncthreads();\n    float merged",
                new="    float merged",
                killed_by="plain",
                hint=2,
            ),
            Mutant(
                "the next reduction writes to the shared numbers while others still read the result of this one",
                old="    __syncthreads();  // the next reduction writes to partial[0], which all have to have read\n",
                new="",
                killed_by="plain",
                hint=2,
            ),
            Mutant(
                "the barrier stands in the branch, where only the merging threads come by",
                old="        __syncthreads();  // the numbers that the others wrote\n        if (thread < half) {\n",
                new="        if (thread < half) {\n            __syncthreads();\n",
                killed_by="plain",
                hint=2,
            ),
            Mutant(
                "all threads merge, not only the lower half",
                old="if (thread < half)",
                new="if (true)",
                killed_by="plain",
                hint=2,
            ),
            Mutant(
                "the last two numbers are not merged",
                old="half > 0",
                new="half > 1",
                killed_by="plain",
                hint=3,
            ),
            Mutant(
                "the upper half of the threads is not merged",
                old="half = THREADS / 2",
                new="half = THREADS / 4",
                killed_by="long-row",
                hint=3,
            ),
            Mutant(
                "every thread goes on with its own number, not with the merged one",
                old="return merged;",
                new="return value;",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the threads' sums are merged by their maximum",
                old="block_reduce(l, partial, Sum())",
                new="block_reduce(l, partial, Max())",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "only the first THREADS columns are summed up",
                old="for (int j = thread; j < cols; j += THREADS) {\n        l +=",
                new="if (int j = thread; j < cols) {\n        l +=",
                killed_by="long-row",
                hint=1,
            ),
            Mutant(
                "only the first THREADS columns are written",
                old="for (int j = thread; j < cols; j += THREADS) {\n        y[j]",
                new="if (int j = thread; j < cols) {\n        y[j]",
                killed_by="long-row",
                hint=1,
            ),
            Mutant(
                "every thread sums up the whole row, so that each exponential counts THREADS times",
                old="int j = thread; j < cols; j += THREADS) {\n        l +=",
                new="int j = 0; j < cols; j++) {\n        l +=",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the exponentials are not divided by their sum",
                old="expf(x[j] - shift) * norm",
                new="expf(x[j] - shift)",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "each thread reads a run of neighbours, so that the lanes of a warp lie runs apart",
                old="for (int j = thread; j < cols; j += THREADS) {  // a warp reads 32 neighbours",
                new="int run = (cols + THREADS - 1) / THREADS;\n"
                "    for (int j = thread * run; j < min(cols, (thread + 1) * run); j++) {",
                killed_by="counted",
                hint=1,
            ),
            Mutant(
                "neighbours are merged first, so that the lanes' numbers lie in the same banks",
                old="for (int half = THREADS / 2; half > 0; half /= 2) {\n"
                "        __syncthreads();  // the numbers that the others wrote\n"
                "        if (thread < half) {\n"
                "            partial[thread] = merge(partial[thread], partial[thread + half]);",
                new="for (int half = 1; half < THREADS; half *= 2) {\n"
                "        __syncthreads();\n"
                "        const int at = 2 * half * thread;\n"
                "        if (at < THREADS) {\n"
                "            partial[at] = merge(partial[at], partial[at + half]);",
                killed_by="counted",
                hint=2,
            ),
        ],
        hints=[
            "The same three loops as in thread_softmax, but thread t takes the columns t, t + THREADS, t + 2 THREADS "
            "and so on. After the first loop the threads' maxima are merged by block_reduce, after the second their "
            "sums. block_reduce is the tree of center_row with `merge` in place of +.",
            "In block_reduce: write your number to partial[thread]; then, for half = THREADS / 2, THREADS / 4, ..., 1, "
            "wait for all, and let the threads below `half` merge in the number `half` places on. Wait, read "
            "partial[0], and wait once more: the next reduction begins by overwriting it. Every barrier stands where "
            "all threads come by.",
            "THREADS = 4, values [1, 3, 2, 5], Max. half = 2: partial[0] = max(1, 2) = 2, partial[1] = max(3, 5) = 5. "
            "half = 1: partial[0] = max(2, 5) = 5, which all four threads return. With 6 columns thread 0 has the "
            "columns 0 and 4, thread 1 has 1 and 5, threads 2 and 3 have one each.",
        ],
    ),
    Exercise(
        function=cuda_softmax.transpose_tile,
        oracle=transposed,
        outputs=(Output("y"),),
        backend="cuda",
        points=1,
        puzzle="the rows of the tile are 32 numbers apart, so that a column lies in a single bank",
        cases=TRANSPOSE,
        budget=Budget(
            sectors=sectors(2),
            sectors_are="those of x, and those of y",
            conflicts=none,
            conflicts_are="different banks for all lanes",
        ),
        without=NO_SOFTMAX,
        mutants=[
            Mutant(
                "the rows of the tile are 32 numbers apart, so that a column lies in a single bank",
                old="tile[32][33];  // neighbours in a column lie in different banks",
                new="tile[32][32];",
                killed_by="banks",
                hint=1,
            ),
            Mutant(
                "the rows of the tile are 36 numbers apart, so that every eighth number of a column shares a bank",
                old="tile[32][33]",
                new="tile[32][36]",
                killed_by="banks",
                hint=2,
            ),
            Mutant(
                "the rows of the tile are shorter than 32 numbers, so that they overlap",
                old="tile[32][33]",
                new="tile[32][31]",
                killed_by="banks",
                hint=2,
            ),
        ],
        hints=[
            "Main memory is read and written along rows. Shared memory is written along a row of the tile and read "
            "along a column. Which banks do the 32 numbers of a column lie in?",
            "tile[r][c] is number r W + c of the tile, where W is the declared length of a row, and lies in bank "
            "(r W + c) mod 32. Choose W such that r = 0, 1, ..., 31 give 32 different banks. W may be larger than "
            "what is used.",
            "W = 32: rows 0, 1, 2 of column 5 lie in banks 5, 5, 5. W = 36: in banks 5, 9, 13, and row 8 in bank 5 "
            "again. An odd W has no factor in common with 32, so that no bank comes back before row 32; the smallest "
            "that is long enough is 33.",
        ],
    ),
    Exercise(
        function=cuda_softmax.warp_softmax,
        oracle=reference.softmax,
        outputs=(Output("y"),),
        backend="cuda",
        builds=({"VECTOR": 1, "CHUNKS": 1}, {"VECTOR": 1, "CHUNKS": 2}, {"VECTOR": 4, "CHUNKS": 4}),
        points=3,
        cases=WARP,
        budget=Budget(
            loads=times(1),
            stores=times(1),
            traffic_is="x once, y once",
            sectors=sectors(2),
            sectors_are="those of x, and those of y",
            conflicts=none,
            conflicts_are="different banks for all lanes",
        ),
        without=NO_HEADS,
        mutants=[
            *WRONG_SOFTMAX,
            Mutant(
                "the lower and the upper half of the warp are not merged",
                old="apart = lanes / 2",
                new="apart = lanes / 4",
                killed_by="ragged",
                hint=3,
            ),
            Mutant(
                "neighbouring lanes are not merged",
                old="apart > 0",
                new="apart > 1",
                killed_by="plain",
                hint=3,
            ),
            Mutant(
                "the values are only handed down, so that lane 0 alone gets the merged one",
                old="__shfl_xor_sync",
                new="__shfl_down_sync",
                killed_by="plain",
                hint=2,
            ),
            Mutant(
                "the warps' numbers are merged over all 32 lanes, so that each counts 32 / warps times",
                old="merge, warps)",
                new="merge)",
                killed_by="many-warps-a-row",
                hint=2,
            ),
            Mutant(
                "nothing separates the warps' writes to shared memory from the reads",
                old="    __syncthreads();\n    return warp_reduce",
                new="    return warp_reduce",
                killed_by="many-warps-a-row",
                hint=2,
            ),
            Mutant(
                "every warp goes on with the number of its own part of the row",
                old="warp_reduce(partial[lane % warps], merge, warps)",
                new="value",
                killed_by="many-warps-a-row",
                hint=1,
            ),
            Mutant(
                "only the first warp's number is used",
                old="warp_reduce(partial[lane % warps], merge, warps)",
                new="partial[0]",
                killed_by="many-warps-a-row",
                hint=1,
            ),
            Mutant(
                "both reductions use the same shared numbers, with nothing that keeps the second from overtaking",
                old="row_reduce(l, sums, Sum())",
                new="row_reduce(l, maxima, Sum())",
                killed_by="many-warps-a-row",
                hint=2,
            ),
            Mutant(
                "the places past the end of the row are filled with 0 instead of -inf, and each adds to the sum",
                old="p[i].at[v] = -INFINITY;",
                new="p[i].at[v] = 0.0f;",
                killed_by="ragged",
                hint=2,
            ),
            Mutant(
                "the exponentials are not divided by their sum",
                old="p[i].at[v] *= norm;",
                new="",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "every thread divides by the sum of its own numbers",
                old="row_reduce(l, sums, Sum())",
                new="l",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "every thread subtracts the maximum of its own numbers",
                old="m = row_reduce(m, maxima, Max());",
                new="",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "chunks past the end of the row are stored too",
                old="        if (j < cols) {\n            *re",
                new="        {\n            *re",
                killed_by="ragged",
                hint=2,
            ),
            Mutant(
                "chunks past the end of the row are loaded too",
                old="        if (j < cols) {\n            p[i]",
                new="        {\n            p[i]",
                killed_by="ragged",
                hint=2,
            ),
            Mutant(
                "each thread takes chunks that follow each other, so that the lanes of a warp lie apart",
                old="first = threadIdx.x * VECTOR, step = blockDim.x * VECTOR",
                new="first = threadIdx.x * VECTOR * CHUNKS, step = VECTOR",
                killed_by="counted",
                hint=1,
            ),
            Mutant(
                "x is loaded a second time for the exponentials",
                old="expf(p[i].at[v] - shift)",
                new="expf((first + i * step + v < cols ? x[first + i * step + v] : -INFINITY) - shift)",
                killed_by="counted",
                hint=1,
            ),
        ],
        hints=[
            "warp_reduce: merge with the lane 16 away, then with the one 8 away, 4, 2, 1. row_reduce: every warp has "
            "its number; one lane of each writes it to shared memory, all wait, and every warp merges the numbers of "
            "all. The kernel: the row is in p. Its maximum, the exponentials in place of the numbers, their sum, the "
            "quotients, and every chunk back to y, where it came from in x.",
            "__shfl_xor_sync(0xffffffff, value, apart) gives the `value` of the lane whose number differs in that one "
            "bit. In row_reduce lane i reads partial[i % warps]: the warps' numbers repeat every `warps` lanes, so "
            "merge groups of `warps` neighbours only, or each counts more than once. A place past the end holds -inf; "
            "store only chunks with j < cols, as they are loaded. In a row of -inf shift by 0 and multiply by 0.",
            "4 lanes, values [1, 3, 2, 5], Max: 2 apart gives [2, 5, 2, 5], 1 apart [5, 5, 5, 5]. A row of 1000 in two "
            "warps, VECTOR = 4: thread 9 holds columns 36 to 39, 292 to 295, 548 to 551 and 804 to 807. Thread 63 of "
            "the two warps holds 252 to 255, ..., 764 to 767; its last chunk would begin at 1020, which is past the "
            "end, so it holds four times -inf.",
        ],
    ),
]

QUESTIONS = [
    Question(
        name="blocks_in_grid",
        ask="How many blocks of 256 threads does a vector of 1,000,000 numbers take, with one thread for each?",
        answer=3907,
        rel=0,
        why="1,000,000 / 256 = 3906.25, and the rest needs a block too: 3907, the last of which has 192 idle threads.",
        unit="blocks",
    ),
    Question(
        name="column_sectors",
        ask="How many sectors does a warp touch when each of its 32 lanes reads element j of a row of its own, in "
        "rows of 1000 float32?",
        answer=32,
        rel=0,
        why="The rows are 4000 bytes apart, so every lane's number lies in a sector of its own: 32, and 1024 bytes "
        "come for the 128 that are used.",
        unit="sectors",
    ),
    Question(
        name="block_bytes",
        ask="How many bytes of main memory does block_softmax ask for, for each element of x, loads and stores "
        "together?",
        answer=16,
        rel=0,
        why="Three loops read the element, one of them writes the result: four times four bytes.",
        unit="bytes",
    ),
    Question(
        name="column_passes",
        ask="In how many passes does a warp read a column of a float tile[32][32] in shared memory?",
        answer=32,
        rel=0,
        why="Neighbours in a column are 32 words apart, so all 32 numbers lie in the same bank, which hands out one a "
        "pass.",
        unit="passes",
    ),
    Question(
        name="shuffle_steps",
        ask="How many shuffles merge the numbers of 32 lanes, if the number of lanes merged doubles in each?",
        answer=5,
        rel=0,
        why="2, 4, 8, 16, 32: five doublings.",
        unit="shuffles",
    ),
]
