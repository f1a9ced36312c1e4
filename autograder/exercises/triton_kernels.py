"""The first Triton kernels: a vector, a row, a tile of a matrix product."""

from typing import Any

import numpy as np
from numpy.random import Generator

from autograder.exercises import draws
from autograder.spec.exercise import NO_SOFTMAX, Arguments, Bound, Budget, Case, Exercise, Output, Quantity, Question
from kernels import triton_kernels
from kernels.oracles import triton_kernels as right

NO_HEADS = {"cross": "there are no queries and keys here", "grouped": "there are no heads here"}


# Inputs.


@draws.drawn
def vectors(rng: Generator, /, n: int, tile: int, dtype: str = "float32") -> Arguments:
    x, y = (3 * rng.standard_normal((2, n))).astype(dtype)
    return {"x": x, "y": y, "tile": tile}


def transposed(rows: int, cols: int, **rest: Any) -> draws.Draw:
    """The transpose of a matrix: neighbours in a row lie `rows` elements apart in memory."""
    return lambda rng: {"x": draws.matrix(cols, rows)(rng)["x"].T} | rest


@draws.drawn
def same(rng: Generator, /, axis: int, rows: int, cols: int, **rest: Any) -> Arguments:
    """The first row or column of a matrix stands for all."""
    return {"x": draws.first_for_all(draws.matrix(rows, cols)(rng)["x"], axis)} | rest


def low(rows: int, cols: int, **rest: Any) -> draws.Draw:
    """Rows from -300 down to -100,000: no finite number can stand for -inf."""
    return draws.matrix(rows, cols, -np.geomspace(300, 1e5, rows), **rest)


@draws.drawn
def masked(
    rng: Generator, /, rows: int, cols: int, full: tuple[int, ...] = (), start: int = 0, **rest: object
) -> Arguments:
    """A third of the entries are -inf, the first `start` of row 0 among them, which goes on around -300 then; the rows
    in `full` are all -inf.
    """
    x = draws.matrix(rows, cols)(rng)["x"]
    x[0] -= 300 if start else 0
    x[:, :-1][rng.random((rows, cols - 1)) < 1 / 3] = -np.inf
    x[0, :start] = -np.inf
    x[list(full)] = -np.inf
    return {"x": x} | rest


@draws.drawn
def pairs(
    rng: Generator, /, n_q: int, n_k: int, d: int, tiles=(16, 16), scale=0.25, spread=1.5, dtype="float32"
) -> Arguments:
    """q has two bits more than the tensor cores keep of float32; all products with k, and their sums, are exact."""
    q, k = (
        draws.on_grid(spread * rng.standard_normal((n_q, d)), 1024),
        draws.on_grid(spread * rng.standard_normal((n_k, d))),
    )
    return {"q": q.astype(dtype), "k": k.astype(dtype), "scale": scale, "tile_m": tiles[0], "tile_n": tiles[1]}


# The situations, in the same words for every exercise that has them.

SINGLE = "a single number"
RAGGED = "5 rows of 37 columns: the tile of 64 reaches 27 columns past the end of a row"
TRANSPOSED = "x is a transposed view: neighbours in a row are 7 elements apart in memory"
SAME_ROW = "all rows of x are one in memory: the step from row to row is 0"
SAME_COLUMN = "all columns of x are one, the first of a matrix: the step from column to column is 0"
WIDE_ROWS = "rows that lie 2^30 elements apart: their offsets need more than 32 bits"
MANY_ROWS = "200 rows, which is more than an H200 has multiprocessors"
METERED = "traffic: 6 rows of 100 columns"


# What may be moved. All of these kernels write their output once.


def one_number_a_row(a: Arguments) -> int:
    return a["x"].shape[0] * a["x"].itemsize


ONE_A_ROW = Bound(lambda a: len(a["x"]), "one for each row", exactly=True)


def tiles_of_scores(a: Arguments) -> int:
    return -(-len(a["q"]) // a["tile_m"]) * -(-len(a["k"]) // a["tile_n"])


def tiles_of_each_program(a: Arguments) -> int:
    """q once for each tile of keys, k once for each tile of queries."""
    q, k = a["q"], a["k"]
    return -(-len(k) // a["tile_n"]) * q.nbytes + -(-len(q) // a["tile_m"]) * k.nbytes


def written_out(a: Arguments) -> int:
    """One and a half times the multiplications of all tiles: written out, each takes an addition, too."""
    (n_q, d), n_k, tile_m, tile_n = a["q"].shape, len(a["k"]), a["tile_m"], a["tile_n"]
    return 3 * d * -(-n_q // tile_m) * tile_m * -(-n_k // tile_n) * tile_n // 2


def all_tiles(a: Arguments) -> int:
    """Multiplications of all tiles of scores, ragged or not; products may be written out instead."""
    return tiles_of_scores(a) * int(a["tile_m"] * a["tile_n"] * a["q"].shape[1])


def one_tile(a: Arguments) -> int:
    """The queries and the keys of a tile, and its scores."""
    d, item = a["q"].shape[1], a["q"].itemsize
    return d * item * (a["tile_m"] + a["tile_n"]) + 4 * a["tile_m"] * a["tile_n"]


def all_scores(a: Arguments) -> int:
    return 4 * len(a["q"]) * len(a["k"])


ADD = [
    Case("plain", "8 numbers in two tiles of 4", vectors(8, 4)),
    Case("single", SINGLE, vectors(1, 16)),
    Case("full-tiles", "64 numbers in four full tiles of 16", vectors(64, 16)),
    Case("ragged", "37 numbers in tiles of 16: the last tile holds five", vectors(37, 16)),
    Case("wide-tile", "70,000 numbers in tiles of 65,536", vectors(70_000, 65_536)),
    Case("float16", "float16: 50 numbers in tiles of 16", vectors(50, 16, "float16")),
    draws.own_tiles(vectors(3000, 16), "tile"),
    draws.metered("traffic", "traffic: 4200 numbers in tiles of 4: 1050 programs", vectors(4200, 4)),
]

MAX_LAST = "the maximum is the last of 21 columns"
LONG = "a row of 100,000 columns"

ROWS = [
    Case("plain", "two rows of four numbers", draws.matrix(2, 4)),
    Case("single", SINGLE, draws.matrix(1, 1)),
    Case("ragged", RAGGED, draws.matrix(5, 37)),
    Case("strided", TRANSPOSED, transposed(7, 20)),
    Case("same-row", SAME_ROW, same(0, 6, 20)),
    Case("same-column", SAME_COLUMN, same(1, 6, 20)),
]
LAST_ROWS = [
    Case("many-rows", MANY_ROWS, draws.matrix(200, 3)),
    draws.metered("traffic", METERED, draws.matrix(6, 100)),
    Case("wide-rows", WIDE_ROWS, draws.wide(draws.matrix(4, 20, dtype="float16"), x=0), ("strided",)),
]

ROW_MAX = [
    *ROWS,
    Case("max-last", MAX_LAST, draws.matrix(4, 21, profile=np.where(np.arange(21) == 20, 30.0, 0.0))),
    Case("very-negative", "rows from -300 down to -100,000: nothing in them is as large as 0", low(3, 21)),
    Case("fully-masked", "two rows of -inf: so is their maximum", masked(6, 20, (1, 3))),
    Case("long-row", LONG, draws.matrix(1, 100_000, profile=np.where(np.arange(100_000) == 99_900, 30.0, 0.0))),
    Case("float16", "float16: 6 rows of 20 columns", draws.matrix(6, 20, dtype="float16")),
    *LAST_ROWS,
]

LAST_KEY = "21 queries, 33 keys: neither is a multiple of the tile 16, and the last tile holds one key"
TALL = "tiles of 64 queries and 16 keys, d = 32: 100 queries, 50 keys"
FLAT = "tiles of 16 queries and 64 keys: 20 queries, 100 keys"
OPPOSED = "float16, scores are differences of terms around 100, at a scale of 0.2337: nothing is rounded on the way"
TOO_LARGE = "float16, products up to 100,000: float16 does not hold them, float32 does"

SCORES = [
    Case("plain", "16 queries, 32 keys, d = 16, tiles of 16", pairs(16, 32, 16), tile=(16, 16)),
    Case("single", "one query and one key, in tiles of 16", pairs(1, 1, 16)),
    Case("ragged", LAST_KEY, pairs(21, 33, 16), tile=(16, 16)),
    Case("full-tiles", "64 queries and 48 keys in full tiles of 16, d = 128", pairs(64, 48, 128), tile=(16, 16)),
    draws.metered("tall-tiles", TALL, pairs(100, 50, 32, (64, 16), dtype="float16"), tile=(64, 16)),
    Case("wide-tiles", FLAT, pairs(20, 100, 16, (16, 64)), tile=(16, 64)),
    draws.metered("few-keys", "float16, 40 queries and 3 keys", pairs(40, 3, 16, dtype="float16"), tile=(16, 16)),
    draws.own_tiles(pairs(70, 150, 64)),
    Case("negative-scale", "d = 32, and the scale is -0.7", pairs(21, 33, 32, scale=-0.7), tile=(16, 16)),
    Case("zero-scale", "the scale is 0", pairs(5, 33, 16, scale=0.0), tile=(16, 16)),
    draws.metered("float16", TOO_LARGE, pairs(20, 36, 64, spread=60.0, scale=0.125, dtype="float16"), tile=(16, 16)),
    draws.metered("float16-scaled", OPPOSED, draws.opposed(pairs(20, 36, 128, dtype="float16")), tile=(16, 16)),
    draws.metered("traffic", "traffic: 150 queries, 83 keys, tiles of 128 and 16", pairs(150, 83, 16, (128, 16))),
]

NO_STATISTICS = {
    "rising max": "nothing is carried from one tile to the next",
    "large positive": NO_SOFTMAX,
}

EXERCISES = [
    Exercise(
        function=triton_kernels.vector_add,
        kernels=(triton_kernels.vector_add_kernel,),
        oracle=right.add,
        outputs=(Output("out"),),
        backend="triton",
        points=1,
        cases=ADD,
        compiled=vectors(100_000, 1024, "float16"),
        budget=Budget(
            loads=Bound(draws.bytes_of("x", "y"), "x and y once"),
            stores=Bound(draws.bytes_of("x"), "the sum once"),
            memory=Bound(draws.bytes_of("x"), "the sum"),
            programs=Bound(lambda a: -(-len(a["x"]) // a["tile"]), "one for each tile", exactly=True),
            region=Bound(lambda a: a["tile"], "a tile of consecutive elements"),
            out_of_order=Bound(lambda a: 0, "program i adds the i-th tile"),
            busiest=Bound(lambda a: 3 * a["tile"] * a["x"].itemsize, "a tile of x, of y and of the sum"),
            rounded=Bound(lambda a: -(-len(a["x"]) // a["tile"]) * a["tile"], "the sum, in the dtype of x and y"),
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
        function=triton_kernels.row_max,
        kernels=(triton_kernels.row_max_kernel,),
        oracle=right.maxima,
        outputs=(Output("m"),),
        backend="triton",
        points=1,
        forbidden=("amax", "cummax"),
        cases=ROW_MAX,
        compiled=draws.matrix(64, 1000, dtype="float16"),
        budget=Budget(
            loads=Bound(draws.bytes_of("x"), "x once"),
            stores=Bound(one_number_a_row, "one number per row"),
            memory=Bound(one_number_a_row, "one number per row"),
            programs=ONE_A_ROW,
            busiest=draws.a_quarter_more(lambda a: (a["x"].shape[1] + 1) * a["x"].itemsize, "a row"),
        ),
        without=NO_HEADS | NO_STATISTICS,
    ),
    Exercise(
        function=triton_kernels.score_tile,
        kernels=(triton_kernels.score_tile_kernel,),
        oracle=right.scores,
        outputs=(Output("s", dtype="float32"),),
        backend="triton",
        points=2,
        forbidden=("matmul", "bmm", "einsum"),
        cases=SCORES,
        compiled=pairs(256, 256, 64, (64, 64), dtype="float16"),
        budget=Budget(
            loads=Bound(tiles_of_each_program, "q once for each tile of keys, k once for each tile of queries"),
            stores=Bound(all_scores, "s once"),
            memory=Bound(all_scores, "s"),
            programs=Bound(tiles_of_scores, "one for each tile of scores", exactly=True),
            region=Bound(lambda a: a["tile_m"] * a["tile_n"], "a tile of consecutive queries and keys"),
            busiest=Bound(one_tile, "the queries and the keys of its tile, and their scores"),
            products=Bound(all_tiles, "each tile of scores once", least=lambda a: 0),
            met=Bound(written_out),
        ),
        without=NO_STATISTICS
        | {
            "very negative": "a product is a product at any size",
            "masked row": "every query meets every key",
            "cross": "there is no causal mask; lengths of queries and keys differ in most cases",
            "strided": "q and k are contiguous",
            "grouped": "there is one head",
        },
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
        name="price_of_two_kernels",
        ask="A sum of 1,000,000 float32 numbers in tiles of 1024 by two kernels: by what percentage do the sums of "
        "tiles, written and read back, raise the bytes moved over reading the numbers once?",
        answer=Quantity(0.195, "percent", rel=0.05),
        why="977 sums go out and come back: 2 * 977 numbers on top of 1,000,000, which is 0.2 percent.",
    ),
    Question(
        name="masked_at_worst",
        ask="A row of N numbers in a tile of the next power of two: what percentage of the tile is masked at worst, "
        "for very long rows?",
        answer=Quantity(50, "percent", rel=0.01),
        why="A row of 2^k + 1 numbers takes a tile of 2^(k + 1), of which one number less than half is masked.",
    ),
    Question(
        name="maximum_with_zeros",
        ask="A row [-3, -5, -2] is loaded into a tile of 4 with other=0. Which number is the tile's maximum?",
        answer=Quantity(0),
        why="The tile is [-3, -5, -2, 0]. The masked element never came from memory, but it takes part in the maximum.",
    ),
    Question(
        name="read_as_written",
        ask="Scores of 256 queries and 256 keys, d = 64, float32, in square tiles of T: at which T are as many bytes "
        "read as are written?",
        answer=Quantity(128, rel=0.01),
        why="Q is read N / T times and K as often: 2 N d N / T numbers. N^2 are written. They are equal at T = 2 d = "
        "128, whatever N is.",
    ),
]
