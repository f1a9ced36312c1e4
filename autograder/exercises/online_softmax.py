"""Maximum and denominator in one pass, their merge as an associative operation, a tree, and the top k."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from autograder.exercises.draws import LOWEST, NO_HEADS_YET, SCORES_OF_ROWS, Draw, drawn, metered, sized
from autograder.runner.arrays import Stream, items_of
from autograder.runner.meters.spies import BY_NUMBERS
from autograder.spec.exercise import Arguments, Bound, Budget, Case, Exercise, Output, Quantity, Question, Tolerance
from kernels import online_softmax, reference
from kernels.oracles import online_softmax as right

Rows = Callable[[Generator], np.ndarray]

# ---- rows of logits -------------------------------------------------------------------------------------------------


@drawn
def spread(rng: Generator, /, rows: int, n: int, low: float = -5.0, high: float = 5.0) -> np.ndarray:
    """(rows, n) numbers in random order, spread over [low, high] without ties."""
    x = np.arange(n) + rng.uniform(0.2, 0.8, (rows, n))
    return rng.permuted(low + (high - low) / n * x, axis=1).astype(np.float32)


def rising(rows: int, n: int, step: float) -> Rows:
    """Every element is larger than the one before it, by about `step`."""
    return lambda rng: np.sort(spread(rows, n, 0.0, n * step)(rng), axis=1)


def falling(rows: int, n: int, step: float) -> Rows:
    return lambda rng: rising(rows, n, step)(rng)[:, ::-1].copy()


def apart(rows: int, n: int) -> Rows:
    """Rows whose maxima lie up to 800 apart: one shift for all of them cannot serve."""
    return lambda rng: spread(rows, n)(rng) + np.linspace(-400, 400, rows, dtype=np.float32)[:, None]


def level(rows: int, n: int) -> Rows:
    """Every row is one number, n times."""
    return lambda rng: np.repeat(spread(1, rows)(rng).T, n, axis=1)


def jump(rows: int, n: int) -> Rows:
    """In the middle of the row the scores rise by 800."""
    return lambda rng: spread(rows, n)(rng) + np.where(np.arange(n) < n // 2, -400, 400).astype(np.float32)


@drawn
def outlier(rng: Generator, /, rows: int, n: int, ties: bool = True) -> np.ndarray:
    """One score of each row, or two equal ones in its first and last third, lie 200 above the rest.

    Of several rows the last one's last entry does so alone, where fours and tiles leave it over.
    """
    x = spread(rows, n)(rng)
    at, more = rng.permuted(np.tile([n // 6, n - n // 6], (rows, 1)), axis=1).T
    if rows > 1:
        at[-1] = more[-1] = n - 1
    x[np.arange(rows), at] = 200 + rng.random(rows)
    if ties:
        x[np.arange(rows), more] = x[np.arange(rows), at]
    return x


@drawn
def far_below(rng: Generator, /, rows: int, n: int, depth: float = LOWEST) -> np.ndarray:
    """Rows from -300 down to -depth (the last one); of the first two from the end a third is masked."""
    x = spread(rows, n, -50, 50)(rng) - np.geomspace(depth, 300, rows)[::-1, None]
    hidden = rng.permuted(np.tile(np.arange(n) < n // 3, (rows, 1)), axis=1)
    x[-2:][hidden[-2:]] = -np.inf
    return x.astype(np.float32)


@drawn
def far_below_unlike(rng: Generator, /, rows: int, n: int) -> np.ndarray:
    """The same, down to about -2e30, where scores that are 50 apart would be one number: there they are far apart."""
    x = far_below(rows, n, 4e5)(rng)
    x[-1] *= np.float32(5e24)
    return x


@drawn
def masked(rng: Generator, /, rows: int, n: int, full: tuple[int, ...] = ()) -> np.ndarray:
    """A third of the entries are -inf; so are the first third of row 0, the end of the last row, the rows `full`.

    What else row 0 holds lies around -300: the 0 that stands for the maximum of a masked chunk is none of its numbers.
    """
    x = spread(rows, n)(rng)
    x[0] -= 300
    x[rng.permuted(np.tile(np.arange(n) < n // 3, (rows, 1)), axis=1)] = -np.inf
    x[0, : n // 3] = -np.inf
    x[-1, n - 2 * n // 5 :] = -np.inf
    x[list(full)] = -np.inf
    return x


@drawn
def many_small(rng: Generator, /, rows: int, n: int) -> np.ndarray:
    """All scores but one lie from 12 to 13 below the largest, which comes after a tenth of them."""
    x = rng.uniform(-13, -12, (rows, n))
    x[:, n // 10] = 0
    return x.astype(np.float32)


@drawn
def nearly_masked(rng: Generator, /, rows: int, n: int, left: int) -> np.ndarray:
    """Only `left` entries of each row are finite."""
    keep = rng.permuted(np.tile(np.arange(n) < left, (rows, 1)), axis=1)
    return np.where(keep, spread(rows, n)(rng), -np.inf).astype(np.float32)


# ---- the same rows as arguments -------------------------------------------------------------------------------------


def elements(make: Rows) -> Draw:
    return lambda rng: {"stream": Stream(list(make(rng)[0]))}


@drawn
def chunked(rng: Generator, /, make: Rows, *widths: int, transposed: bool = False, **also: int) -> Arguments:
    """Chunks of these widths, each contiguous or, if transposed, with its rows contiguous instead of its columns."""
    pieces = np.split(make(rng), np.cumsum(widths)[:-1], axis=1)
    return {"chunks": Stream([p.T.copy().T if transposed else p.copy() for p in pieces])} | also


@drawn
def in_uneven_chunks(rng: Generator, /, rows: int, chunks: int, widest: int, **also: Any) -> Arguments:
    """Chunks whose widths, from a fifth of `widest` on, the seed chooses."""
    widths = rng.integers(widest // 5, widest + 1, chunks)
    return chunked(spread(rows, int(widths.sum())), *widths, **also)(rng)


def levels(a: Arguments) -> int:
    """Of the tree over the tiles of x: log2 of their number, rounded up."""
    return ((a["x"].shape[1] - 1) // a["tile"]).bit_length()


def merges(a: Arguments) -> range:
    """One call for each level of the tree, and one more where an odd tile is merged by itself; one for a tile alone,
    too, which may be merged with nothing.
    """
    tiles = -(-a["x"].shape[1] // a["tile"])
    return range(levels(a), max(1, tiles.bit_length() + tiles.bit_count() - 2) + 1)


def pairs_to_merge(a: Arguments) -> np.ndarray:
    """Maxima and denominators of all tiles of all rows that are not masked; none where a row is one tile, which is
    merged with nothing.
    """
    x, starts = a["x"].astype(np.float64), range(0, a["x"].shape[1], a["tile"])
    m = np.maximum.reduceat(x, starts, axis=1)
    seen = np.isfinite(m) & (m.shape[1] > 1)
    shift = np.where(np.isfinite(m), m, 0).repeat(a["tile"], axis=1)[:, : x.shape[1]]
    l = np.add.reduceat(np.exp(x - shift), starts, axis=1)
    return np.concatenate([m[seen], l[seen]])


def pairs_of_tiles(a: Arguments) -> range:
    """However the tiles are paired, one fewer than there are is merged for each row; with empty ones up to a power of
    two, or one after another from an empty one on, fewer than twice as many as there are.
    """
    rows, merged = len(a["x"]), (a["x"].shape[1] - 1) // a["tile"]
    return range(rows * merged, 2 * rows * (merged + 1) + 1)


def whole(make: Rows, tile: int, transposed: bool = False) -> Draw:
    return lambda rng: {"x": make(rng).T.copy().T if transposed else make(rng), "tile": tile}


@drawn
def pairs(
    rng: Generator, /, shape: tuple[int, ...], low: float = -5.0, high: float = 5.0, ahead: ArrayLike | None = None,
    level: ArrayLike = 0.0, below: float = 1,
) -> Arguments:  # fmt: skip
    """Two pairs (m, l) for every position, m1 in level + [low, high]; m2 = m1 + about `ahead`, or drawn like m1.

    below: how often each element of the piece with the lower maximum occurs.
    """
    m1, m2 = np.asarray(level) + rng.uniform(low, high, (2, *shape))
    if ahead is not None:
        m2 = m1 + np.asarray(ahead) * rng.uniform(0.8, 1.2, shape)
    l1, l2 = (1 + rng.exponential(4, (2, *shape))) * np.where([m1 < m2, m2 < m1], below, 1)
    return {name: a.astype(np.float32) for name, a in zip(("m1", "l1", "m2", "l2"), (m1, l1, m2, l2), strict=True)}


@drawn
def with_identity(rng: Generator, /, *sides: str) -> Arguments:
    """24 pairs, a third of them replaced on the given sides by the identity (-inf, 0)."""
    a = pairs((24,), level=np.repeat(-np.geomspace(25, LOWEST, 8), 3))(rng)
    for side in sides:
        a["m" + side][::3], a["l" + side][::3] = -np.inf, 0
    return a


@drawn
def nothing_on(rng: Generator, /, *sides: str) -> Arguments:
    """Pairs of which the given sides are the identity everywhere; what is returned is new memory all the same."""
    a = pairs((6,))(rng)
    for side in sides:
        a |= {"m" + side: np.full(6, -np.inf, np.float32), "l" + side: np.zeros(6, np.float32)}
    return a


def neighbours(rng: Generator) -> Arguments:
    """The even and the odd columns of one array, as they meet in a tree."""
    a = pairs((5, 16))(rng)
    return {name: value.reshape(5, 8, 2)[:, :, int(name[1]) - 1] for name, value in a.items()}


# ---- the exercises --------------------------------------------------------------------------------------------------

SMALL = "scores from 12 to 13 below the largest: together they count"
RAGGED = "the last chunk is ragged: 37 = 16 + 16 + 5"
RISING = "the maximum grows in every one of eight chunks"
LARGE = "scores around +200, where exp overflows"
APART = "rows whose maxima lie 800 apart"
JUMP = "in the middle of the row the scores rise by 800"
LEVEL = "every row is one number, 12 times"
MASKED = "two rows are fully masked"
NOTHING = "both rows are fully masked"
FAR_COLUMNS = "chunks of 3, 7 and 5000 columns, whose numbers no 16-bit float holds"
UNEVEN = "24 rows in 60 chunks, each of another width, which must not be kept"
UNEVEN_TOP = "32 rows in 96 chunks, each of another width, which must not be kept"
UNEVEN_VIEWS = "24 rows in 60 transposed chunks, each of another width, which must not be kept"
MANY_BELOW = "the lower piece lies 12 to 40 below and has a hundred thousand elements: some still count together"
A_SHARE = "the maxima lie 11 apart, either way round: the lower piece counts for little, and counts"
TOWER = "a score that occurs twice lies 200 above the rest of its row; in the last of several rows the last one alone"
LOWER = "scores from -300 down to -2e30, with masked ones beside the lowest"
LOW = "scores around -300 and down to the lowest number, -3.4e38, with masked ones beside the lowest"
UP, DOWN = np.geomspace(200, 4e5, 12), -np.geomspace(300, LOWEST, 12)

VERY_NEGATIVE = "scores of -3.4e38, the lowest number: no other stands for -inf; and masked ones"
LONG_ROW = "a row of some 3700 elements, which must not be kept"
ELEMENTS = [
    Case("plain", "four numbers, each larger than the one before", elements(rising(1, 4, 0.7))),
    Case("single", "a single number", elements(spread(1, 1))),
    Case("falling", "the maximum is the first of 64 elements", elements(falling(1, 64, 0.3))),
    Case("rising", "the maximum grows at every one of 61 elements", elements(rising(1, 61, 0.3))),
    Case("large-positive", LARGE, elements(spread(1, 65, 150, 250))),
    Case("very-negative", VERY_NEGATIVE, elements(far_below(1, 65))),
    Case("jump", JUMP, elements(jump(1, 20))),
    Case("outlier", TOWER, elements(outlier(1, 30))),
    Case("many-small", SMALL, elements(many_small(1, 600))),
    Case("equal-maxima", "all 12 scores are equal", elements(level(1, 12))),
    Case("partly-masked", "a third of the elements are masked, the first ones among them", elements(masked(1, 40))),
    Case("fully-masked", "the row is fully masked", elements(nearly_masked(1, 9, 0))),
    metered("long-row", LONG_ROW, elements(sized(spread, 1, range(3200, 4200)))),
]

PARTLY_MASKED = "a third of the entries are masked, the first chunk of row 0 among them, which goes on around -300"
MANY_CHUNKS = "256 chunks of (16, 8), which must not be kept"
CHUNKS = [
    Case("plain", "two rows in two chunks of three columns", chunked(rising(2, 6, 0.7), 3, 3)),
    Case("single", "a single number", chunked(spread(1, 1), 1)),
    Case("ragged", RAGGED, chunked(spread(5, 37), 16, 16, 5)),
    Case("rising", RISING, chunked(rising(5, 61, 0.1), *[8] * 7, 5)),
    Case("falling", "the maximum lies in the first chunk", chunked(falling(5, 32, 0.1), *[8] * 4)),
    Case("chunks-of-one", "chunks of one column each", chunked(spread(3, 12), *[1] * 12)),
    Case("large-positive", LARGE, chunked(spread(4, 65, 150, 250), 32, 32, 1)),
    Case("very-negative", LOW, chunked(far_below(5, 65), 32, 32, 1)),
    Case("far-apart", APART, chunked(apart(7, 33), 17, 16)),
    Case("jump", JUMP, chunked(jump(3, 20), 5, 5, 5, 5)),
    Case("outlier", TOWER, chunked(outlier(4, 30), 10, 10, 10)),
    Case("many-small", SMALL, chunked(many_small(2, 5000), 2000, 2000, 1000)),
    Case("equal-maxima", LEVEL, chunked(level(3, 12), 4, 4, 4)),
    Case("partly-masked", PARTLY_MASKED, chunked(masked(6, 40), *[10] * 4)),
    Case("fully-masked", MASKED, chunked(masked(4, 20, full=(1, 3)), 8, 8, 4)),
    Case("all-masked", NOTHING, chunked(nearly_masked(2, 6, 0), 3, 3)),
    metered("many-chunks", MANY_CHUNKS, chunked(spread(16, 2048), *[8] * 256)),
    Case("uneven-chunks", UNEVEN, in_uneven_chunks(24, 60, 50), ("ragged",)),
    Case("strided-chunks", UNEVEN_VIEWS, in_uneven_chunks(24, 60, 50, transposed=True), ("strided",)),
]

MERGES = [
    Case("plain", "six pairs of pairs", pairs((6,))),
    Case("single", "a single pair on each side", pairs((1, 1))),
    Case("rising", "the second maximum is the larger one, by about 2", pairs((12,), ahead=2)),
    Case("falling", "the first maximum is the larger one, by about 2", pairs((12,), ahead=-2)),
    Case("equal-maxima", "the maxima are equal", pairs((12,), ahead=0)),
    Case("two-axes", "the maxima of rows by tiles, (5, 8)", pairs((5, 8))),
    Case("numbers", "single numbers, and no arrays", pairs(())),
    Case("all-identities-left", "on the left there is nothing but identities", nothing_on("1")),
    Case("all-identities-right", "on the right there is nothing but identities", nothing_on("2")),
    Case("all-identities", "there is nothing but identities", nothing_on("1", "2"), ("masked row",)),
    Case("strided", "even and odd columns of one array, as in a tree", neighbours),
    Case("large-positive", "maxima from 200 up, where exp overflows", pairs((12,), level=UP)),
    Case("very-negative", "maxima from -300 down to -3.4e38, the lowest number", pairs((12,), level=DOWN)),
    Case("far-apart", "the maxima lie 800 apart, either way round", pairs((12,), ahead=np.tile([800, -800], 6))),
    Case("small-share", A_SHARE, pairs((12,), ahead=np.tile([11, -11], 6))),
    Case("many-below", MANY_BELOW, pairs((32,), ahead=np.linspace(12, 40, 32) * np.tile([1, -1], 16), below=1e5)),
    Case("identity-left", "the identity stands on the left", with_identity("1")),
    Case("identity-right", "the identity stands on the right", with_identity("2")),
    Case("two-identities", "the identity meets the identity", with_identity("1", "2"), ("masked row",)),
]

TREE_PARTLY_MASKED = "a third of the entries are masked, the first tile of row 0 among them, which goes on around -300"
MANY_TILES = "some 450 tiles, merged in 9 levels"
TREE = [
    Case("plain", "two rows of eight numbers in four tiles of two", whole(rising(2, 8, 0.4), 2)),
    Case("single", "a single number in a single tile", whole(spread(1, 1), 1)),
    Case("ragged", "the last tile is ragged: 37 = 16 + 16 + 5", whole(spread(5, 37), 16)),
    Case("one-left-over", "five tiles: one is left over at two levels of the tree", whole(spread(4, 20), 4)),
    Case("rising", "the maximum grows in every one of eight tiles", whole(rising(4, 64, 0.1), 8)),
    Case("strided", "x is a transposed view", whole(spread(6, 40), 8, transposed=True)),
    Case("large-positive", LARGE, whole(spread(4, 65, 150, 250), 16)),
    Case("very-negative", LOW + ", in three tiles", whole(far_below(5, 45), 16)),
    Case("far-apart", APART, whole(apart(7, 33), 8)),
    Case("jump", JUMP, whole(jump(3, 20), 5)),
    Case("outlier", TOWER, whole(outlier(4, 30), 8)),
    Case("many-small", SMALL, whole(many_small(2, 5000), 100)),
    Case("equal-maxima", LEVEL, whole(level(3, 12), 4)),
    Case("partly-masked", TREE_PARTLY_MASKED, whole(masked(6, 40), 10)),
    Case("fully-masked", MASKED, whole(masked(4, 24, full=(1, 3)), 8)),
    Case(
        "wide-tile-masked", MASKED + ", and one tile holds a row", whole(masked(4, 5, full=(1, 3)), 8), ("masked row",)
    ),
    Case("all-masked", NOTHING, whole(nearly_masked(2, 6, 0), 3)),
    metered("many-tiles", MANY_TILES, whole(sized(spread, 2, range(1600, 2049)), 4)),
]

OUTLIER = "one score, of the last row the last, lies 200 above the rest of its row, which underflows to 0"
FEW_UNMASKED = "k = 6, but only four entries of each row are not masked"
TOP_MANY_CHUNKS = "96 chunks of (32, 8), which must not be kept"
TOP = [
    Case("plain", "two rows of six numbers in two chunks, k = 2", chunked(spread(2, 6, -2, 2), 3, 3, k=2)),
    Case("single", "a single number, k = 1", chunked(spread(1, 1), 1, k=1)),
    Case("ragged", RAGGED, chunked(spread(5, 37), 16, 16, 5, k=6)),
    Case("rising", RISING, chunked(rising(5, 64, 0.1), *[8] * 8, k=5)),
    Case("falling", "the best of the row lie in the first chunk", chunked(falling(5, 32, 0.1), *[8] * 4, k=5)),
    Case("widening", FAR_COLUMNS, chunked(spread(4, 5010), 3, 7, 5000, k=4)),
    Case("k-over-chunk", "k = 6, which is three chunks of two", chunked(spread(3, 12), *[2] * 6, k=6)),
    Case("k-over-row", "k = 8, but the row has five entries", chunked(spread(3, 5), 3, 2, k=8)),
    Case("strided", "transposed views", chunked(spread(6, 24), 10, 10, 4, transposed=True, k=3)),
    Case("large-positive", LARGE, chunked(spread(4, 65, 150, 250), 32, 32, 1, k=3)),
    Case("very-negative", LOWER, chunked(far_below_unlike(5, 65), 32, 32, 1, k=3)),
    Case("jump", JUMP, chunked(jump(3, 20), 5, 5, 5, 5, k=12)),
    Case("outlier", OUTLIER, chunked(outlier(4, 30, ties=False), 10, 10, 10, k=5)),
    Case("partly-masked", "a third of the entries are masked", chunked(masked(6, 40), *[10] * 4, k=4)),
    Case("few-unmasked", FEW_UNMASKED, chunked(nearly_masked(4, 30, 4), 10, 10, 10, k=6)),
    Case("fully-masked", MASKED, chunked(masked(4, 20, full=(1, 3)), 8, 8, 4, k=3)),
    Case("all-masked", NOTHING, chunked(nearly_masked(2, 6, 0), 3, 3, k=2)),
    metered("many-chunks", TOP_MANY_CHUNKS, chunked(spread(32, 768), *[8] * 96, k=4)),
    Case("uneven-chunks", UNEVEN_TOP, in_uneven_chunks(32, 96, 12, k=4), ("ragged",)),
]


def widest(arguments: Arguments) -> int:
    """Bytes of one chunk."""
    return max(chunk.nbytes for chunk in items_of(arguments["chunks"]))


def rows_of(arguments: Arguments) -> int:
    return len(items_of(arguments["chunks"])[0])


K_OF_EACH_ROW = Budget(
    is_the_point=True,
    memory=Bound(
        lambda a: 80 * rows_of(a) * a["k"] + 24 * widest(a) + 28_000,
        "80 B for each of the R x k results, 24 chunks, and 28 kB",
    ),
)
ONE_BY_ONE = Exercise(
    function=online_softmax.online_stats,
    tolerance=SCORES_OF_ROWS,
    oracle=right.stats_of_stream,
    outputs=(Output("m"), Output("l")),
    points=2,
    forbidden=("softmax", "logsumexp", "logaddexp"),
    budget=Budget(is_the_point=True, memory=Bound(lambda a: 12_000, "12 kB, however long the row")),
    cases=ELEMENTS,
    without=NO_HEADS_YET
    | {
        "ragged": "elements arrive one by one; there is no tile yet",
        "strided": "elements arrive one by one, not in an array",
    },
)

EXERCISES = [
    ONE_BY_ONE,
    replace(
        ONE_BY_ONE,
        function=online_softmax.online_stats_by_chunk,
        oracle=right.stats_of_chunks,
        budget=Budget(
            is_the_point=True,
            memory=Bound(
                lambda a: 8 * widest(a) + 100 * rows_of(a) + 20_000, "8 chunks, 100 B for each row, and 20 kB"
            ),
        ),
        cases=CHUNKS,
        without=NO_HEADS_YET,
    ),
    Exercise(
        function=online_softmax.merge_stats,
        tolerance=Tolerance(known_like=0),
        oracle=right.merged,
        outputs=ONE_BY_ONE.outputs,
        points=2,
        cases=MERGES,
        without=NO_HEADS_YET | {"ragged": "it works position by position; there is no tile"},
    ),
    replace(
        ONE_BY_ONE,
        function=online_softmax.tree_softmax,
        oracle=lambda x, tile: reference.softmax(x),
        takes={"merge_stats": ("maximum and denominator of each tile", pairs_to_merge)},
        calls={"merge_stats": merges, f"merge_stats{BY_NUMBERS}": pairs_of_tiles},
        outputs=(Output("y", has_zeros=True),),
        points=3,
        budget=Budget(
            is_the_point=True,
            steps=Bound(lambda a: 60 + 30 * levels(a), "60, and 30 for each of the log2(T) levels over T tiles"),
        ),
        cases=TREE,
        without=NO_HEADS_YET,
    ),
    replace(
        ONE_BY_ONE,
        function=online_softmax.softmax_top_k,
        oracle=right.top_k,
        outputs=(Output("p", has_zeros=True), Output("index", dtype="int64", exact=True)),
        points=3,
        budget=K_OF_EACH_ROW,
        cases=TOP,
        without=NO_HEADS_YET,
    ),
]

QUESTIONS = [
    Question(
        name="rescaling_factor",
        ask="The running maximum grows from 1 to 3. By what is the old denominator multiplied?",
        answer=Quantity(0.1353, rel=0.01),
        why="Every term e^(x - 1) must become e^(x - 3) = e^(x - 1) e^(1 - 3), so the factor is e^-2 = 0.1353.",
    ),
    Question(
        name="online_moves",
        ask="How many elements does a softmax of two loops, the first one online, move for each element of the row?",
        answer=Quantity(3),
        why="One read for m and l together, one read to normalise, one write: 3, where the safe softmax needs 4.",
    ),
    Question(
        name="tree_depth",
        ask="How many levels of merges lead from 512 tiles to one pair?",
        answer=Quantity(9),
        why="Every level halves the number of pairs, and 512 = 2^9.",
    ),
]
