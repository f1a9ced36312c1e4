"""Softmax as written, softmax that survives any input, and the log-sum-exp."""

from dataclasses import replace

import numpy as np
from numpy.random import Generator

from autograder.exercises.draws import LOWEST, NO_HEADS_YET, SCORES_OF_ROWS, drawn, half_hidden
from autograder.spec.exercise import Arguments, Bound, Budget, Case, Exercise, Output, Quantity, Question
from kernels import reference, softmax

NOT_ATTENTION = NO_HEADS_YET | {
    "ragged": "numpy takes a row of any length; there is no tile yet",
    "rising max": "the whole row is seen at once; there is no running max yet",
}


@drawn
def normal(rng: Generator, /, *shape: int, scale: float = 3.0, shift: float = 0.0) -> Arguments:
    """Cases of x ~ scale * N(0, 1) + shift."""
    return {"x": (scale * rng.standard_normal(shape) + shift).astype(np.float32)}


def transposed(rng: Generator) -> Arguments:
    return {"x": (3 * rng.standard_normal((65, 6))).astype(np.float32).T}


def every_other_column(rng: Generator) -> Arguments:
    return {"x": (3 * rng.standard_normal((5, 130))).astype(np.float32)[:, ::2]}


def wide_range(rng: Generator) -> Arguments:
    """Two heads whose rows' maxima lie far apart: one shift for the whole array, or a head, cannot serve them all."""
    row_offset = np.linspace(-400, 400, 14).reshape(2, 7, 1)
    return {"x": (5 * rng.standard_normal((2, 7, 33)) + row_offset).astype(np.float32)}


def tiny_and_huge(rng: Generator) -> Arguments:
    """Rows whose sums of exponentials are near 1e-28, 1 and 1e30: a constant that is added to them shows."""
    return {"x": (rng.standard_normal((3, 20)) + np.array([[-70], [0], [65]])).astype(np.float32)}


def many_small(rng: Generator) -> Arguments:
    """5000 scores, each negligible beside the largest, are not negligible together."""
    x = rng.uniform(-13, -12, (2, 5000))
    x[[0, 1], rng.integers(0, 5000, 2)] = 0
    return {"x": x.astype(np.float32)}


def outliers(rng: Generator) -> Arguments:
    """One score in each row, the last of the last row, or two equal ones lie 200 above the rest, whatever its mean, or
    60,000: no other number of the row is so near that a power of the difference is finite, in 80 bits either.
    """
    x = 3 * rng.standard_normal((6, 33)) - np.array([[0], [0], [0], [0], [60_000], [60_000]])
    at = [7, 7, 7, 7, 7, -1]
    x[range(6), at] = 200 + rng.random(6)
    x[::2, 20] = x[::2, 7]
    return {"x": x.astype(np.float32)}


def far_below(rng: Generator) -> Arguments:
    """Rows around -300 and rows from -20000 down, with masked entries beside scores that any finite number exceeds."""
    x = 20 * rng.standard_normal((6, 65)) - np.array([[300], [300], [20_000], [60_000], [400_000], [1e30]])
    x[2:][half_hidden(rng, 4, 65)] = -np.inf
    return {"x": x.astype(np.float32)}


@drawn
def lowest(rng: Generator, /, level: float) -> Arguments:
    """Rows of one number, which no finite stand-in for -inf lies below; half of the last one is masked."""
    x = np.full((3, 10), level)
    x[2:][half_hidden(rng, 1, 10)] = -np.inf
    return {"x": x.astype(np.float32)}


def partly_masked(rng: Generator) -> Arguments:
    x = (3 * rng.standard_normal((6, 40))).astype(np.float32)
    x[half_hidden(rng, 6, 40)] = -np.inf
    return {"x": x}


def fully_masked(rng: Generator) -> Arguments:
    x = (3 * rng.standard_normal((3, 4, 16))).astype(np.float32)
    x[0, [1, 3]] = -np.inf
    x[2] = -np.inf
    return {"x": x}


def nothing_seen(rng: Generator) -> Arguments:
    return {"x": np.full(int(rng.integers(5, 9)), -np.inf, np.float32)}


BASIC = [
    Case("plain", "two rows of four numbers", normal(2, 4, scale=1.0)),
    Case("single", "a single number", normal(1, 1)),
    Case("heads", "two batches of heads, (2, 2, 3, 50): only the last axis is reduced", normal(2, 2, 3, 50)),
    Case("strided", "x is a transposed view", transposed),
    Case("one-row", "x is a single row, (9,)", normal(9)),
    Case("square", "9 rows of 9: an axis too few goes unnoticed", normal(9, 9)),
]
STABLE = [
    *BASIC,
    Case("large-positive", "scores around +200, where exp overflows", normal(4, 65, scale=20.0, shift=200.0)),
    Case("far-apart", "a batch of heads: rows whose maxima lie 800 apart, and 400 in each head", wide_range),
    Case("partly-masked", "half of the entries are masked with -inf", partly_masked),
    Case("fully-masked", "a batch of heads: two rows and a head are fully masked", fully_masked),
    Case("all-masked", "x is a single row, and all of it is masked", nothing_seen),
    Case("outlier", "one score, or two equal ones, lie 200 or 60,000 above the rest of their row", outliers),
    Case("many-small", "5000 scores from 12 to 13 below the largest: together they count", many_small),
]
SMALL = "scores around -300, where every exp is 0, and down to -1e30 beside masked entries"
NO_LOWER = "all scores are the lowest number that there is, -3.4e38, but those that are masked"
NEARLY = "all scores are -3e38, nearly the lowest number that there is, but those that are masked"
FAR_BELOW = "scores from -20000 down to -1e30 beside masked entries"

SAFE = Exercise(
    function=softmax.safe_softmax,
    tolerance=SCORES_OF_ROWS,
    oracle=reference.softmax,
    outputs=(Output("y", has_zeros=True),),
    points=2,
    forbidden=("softmax", "logsumexp", "logaddexp"),
    budget=Budget(memory=Bound(lambda a: 96 * a["x"].size + 65_536, "96 bytes for each entry, and 66 kB")),
    cases=[
        *STABLE,
        Case("very-negative", SMALL, far_below),
        Case("lowest", NO_LOWER, lowest(-LOWEST), ("very negative",)),
    ],
    without=NOT_ATTENTION,
)

EXERCISES = [
    replace(
        SAFE,
        function=softmax.naive_softmax,
        points=1,
        budget=Budget(),
        cases=[
            *BASIC,
            Case("every-other-column", "x is every other column of a larger array", every_other_column),
            Case("tiny-and-huge", "rows around -70, 0 and 65, where exp is tiny or huge, but finite", tiny_and_huge),
        ],
        without=NOT_ATTENTION
        | {
            "large positive": "it overflows there, and the lesson shows it",
            "very negative": "it divides 0 by 0 there, and the lesson shows it",
            "masked row": "it gives NaN there, and safe_softmax mends it",
        },
    ),
    SAFE,
    replace(
        SAFE,
        function=softmax.log_sum_exp,
        oracle=reference.log_sum_exp,
        outputs=(Output("L"),),
        cases=[  # L is rounded as it grows: what is allowed for the lowest row would hide any error in the others
            *STABLE,
            Case("very-negative", "scores around -300, where every exp is 0", normal(4, 65, scale=20.0, shift=-300.0)),
            Case("far-below", FAR_BELOW, lambda rng: {"x": far_below(rng)["x"][2:]}),
            Case("lowest", NEARLY, lowest(-3e38), ("very negative",)),
        ],
    ),
]

QUESTIONS = [
    Question(
        name="overflow_at",
        ask="What is the smallest whole number x for which exp(x) is infinite in float32?",
        answer=Quantity(89),
        why="The largest float32 is about 3.4e38 and ln(3.4e38) = 88.72, so exp(88) is finite and exp(89) is not.",
    ),
    Question(
        name="silent_at",
        ask="4096 equal scores in float16, whose largest number is 65,504: above which score is the sum of their "
        "exponentials infinite?",
        answer=Quantity(2.77, rel=0.02),
        why="4096 e^x = 65,504 at x = ln(65,504 / 4096) = ln 16 = 2.77. A single exponential lasts until 11.09.",
    ),
    Question(
        name="half_of_the_weight",
        ask="One score is higher than 4095 equal ones. By how much, if it is to get half of the weight?",
        answer=Quantity(8.32, rel=0.02),
        why="It has to weigh as much as the 4095 together: e^x = 4095, so x = ln 4095 = 8.32. Among 8 keys ln 7 = 1.95 "
        "would do.",
    ),
    Question(
        name="infinite_loss_at",
        ask="In float16, whose smallest positive number is 2^-24: how far below a single maximum may a score lie "
        "before its weight is rounded to 0?",
        answer=Quantity(17.33, rel=0.02),
        why="Half of the smallest number is the limit: e^-x = 2^-25 at x = 25 ln 2 = 17.3. In float32, with 2^-149, it "
        "is 150 ln 2 = 104.",
    ),
    Question(
        name="naive_moves",
        ask="How many elements does naive_softmax move between memory and processor, for each element of a long row?",
        answer=Quantity(5, "elements per element", rel=0.01),
        why="exp reads N and writes N, the sum reads N and writes one per row, the division reads N and writes N.",
    ),
    Question(
        name="safe_moves",
        ask="And how many does the course's safe softmax move?",
        answer=Quantity(8, "elements per element", rel=0.01),
        why="The same 5, one more read of x to find the maximum, and one read and one write to subtract it.",
    ),
]
