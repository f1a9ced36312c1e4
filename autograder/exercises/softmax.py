"""Lesson 01: softmax as written, softmax that survives any input, and the log-sum-exp."""

import numpy as np
from numpy.random import Generator

from autograder.spec.exercise import Arguments, Case, Exercise, Mutant, Output, Question
from kernels import reference, softmax

NOT_ATTENTION = {
    "cross": "there are no queries and keys yet",
    "grouped": "there are no heads yet",
    "ragged": "numpy takes a row of any length; there is no tile yet",
    "rising max": "the whole row is seen at once; there is no running max yet",
}


def normal(*shape: int, scale: float = 3.0, shift: float = 0.0):
    """Cases of x ~ scale * N(0, 1) + shift."""

    def draw(rng: Generator) -> Arguments:
        return {"x": (scale * rng.standard_normal(shape) + shift).astype(np.float32)}

    return draw


def transposed(rng: Generator) -> Arguments:
    return {"x": (3 * rng.standard_normal((65, 6))).astype(np.float32).T}


def every_other_column(rng: Generator) -> Arguments:
    return {"x": (3 * rng.standard_normal((5, 130))).astype(np.float32)[:, ::2]}


def wide_range(rng: Generator) -> Arguments:
    """Rows whose maxima lie far apart: one shift for the whole array cannot serve them all."""
    row_offset = np.linspace(-400, 400, 7)[:, None]
    return {"x": (5 * rng.standard_normal((7, 33)) + row_offset).astype(np.float32)}


def partly_masked(rng: Generator) -> Arguments:
    x = (3 * rng.standard_normal((6, 40))).astype(np.float32)
    x[rng.random(x.shape) < 0.5] = -np.inf
    x[:, 0] = rng.standard_normal(6)
    return {"x": x}


def fully_masked(rng: Generator) -> Arguments:
    x = (3 * rng.standard_normal((4, 16))).astype(np.float32)
    x[1] = -np.inf
    x[3] = -np.inf
    return {"x": x}


READABLE = Case("plain", "two rows of four numbers", normal(2, 4, scale=1.0))
SINGLE = Case("single", "a single number", normal(1, 1), ("single",))
BATCH = Case("heads", "a batch of heads: only the last axis is reduced", normal(2, 3, 50))
STRIDED = Case("strided", "x is a transposed view", transposed, ("strided",))
LARGE = Case(
    "large-positive",
    "scores around +200, where exp overflows",
    normal(4, 65, scale=20.0, shift=200.0),
    ("large positive",),
)
SMALL = Case(
    "very-negative",
    "scores around -300, where every exp is 0",
    normal(4, 65, scale=20.0, shift=-300.0),
    ("very negative",),
)
APART = Case("far-apart", "rows whose maxima lie 800 apart", wide_range)
MASKED = Case("partly-masked", "half of the entries are masked with -inf", partly_masked)
ALL_MASKED = Case("fully-masked", "two rows are fully masked", fully_masked, ("masked row",))

PROBABILITIES = (Output("y"),)

EXERCISES = [
    Exercise(
        function=softmax.naive_softmax,
        oracle=reference.softmax,
        outputs=PROBABILITIES,
        points=1,
        forbidden=("softmax", "logsumexp", "logaddexp"),
        cases=[
            READABLE,
            SINGLE,
            BATCH,
            STRIDED,
            Case("every-other-column", "x is every other column of a larger array", every_other_column),
        ],
        without=NOT_ATTENTION
        | {
            "large positive": "it overflows there, and the lesson shows it",
            "very negative": "it divides 0 by 0 there, and the lesson shows it",
            "masked row": "it gives NaN there, and safe_softmax mends it",
        },
        mutants=[
            Mutant(
                "the sum runs over the whole array instead of over each row",
                old="sum(axis=-1, keepdims=True)",
                new="sum(keepdims=True)",
                killed_by="heads",
                hint=2,
            ),
            Mutant(
                "the sum runs down the columns (axis 0) instead of along each row",
                old="sum(axis=-1, keepdims=True)",
                new="sum(axis=0, keepdims=True)",
                killed_by="heads",
                hint=2,
            ),
            Mutant(
                "the exponentials are not divided by their sum",
                old="numerator / denominator",
                new="numerator",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "each row is divided by its largest exponential instead of by their sum",
                old="numerator.sum(",
                new="numerator.max(",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the exponential is to base 2 instead of base e",
                old="np.exp(x)",
                new="np.exp2(x)",
                killed_by="plain",
                hint=3,
            ),
            Mutant(
                "the sum runs along axis 1, which is the last axis of a matrix but not of a batch",
                old="sum(axis=-1, keepdims=True)",
                new="sum(axis=1, keepdims=True)",
                killed_by="heads",
                hint=2,
            ),
        ],
        hints=[
            "A softmax is two steps: make every number positive with exp, then make each row sum to 1.",
            "The sum belongs to one row: it runs along the last axis, and `keepdims=True` keeps that axis with "
            "length 1, so that (..., N) / (..., 1) divides every entry by its own row's sum.",
            "Take x = [0, ln 2, ln 5]. The exponentials are [1, 2, 5], their sum is 8, and the softmax is "
            "[1/8, 2/8, 5/8] = [0.125, 0.25, 0.625].",
        ],
    ),
    Exercise(
        function=softmax.safe_softmax,
        oracle=reference.softmax,
        outputs=PROBABILITIES,
        points=2,
        forbidden=("softmax", "logsumexp", "logaddexp"),
        cases=[READABLE, SINGLE, BATCH, STRIDED, LARGE, SMALL, APART, MASKED, ALL_MASKED],
        without=NOT_ATTENTION,
        mutants=[
            Mutant(
                "the maximum is not subtracted before exp",
                old="np.exp(x - shift)",
                new="np.exp(x)",
                killed_by="large-positive",
                hint=1,
            ),
            Mutant(
                "one maximum is taken over the whole array instead of one for each row",
                old="x.max(axis=-1, keepdims=True)",
                new="np.full_like(x[..., :1], x.max())",
                killed_by="far-apart",
                hint=2,
            ),
            Mutant(
                "the minimum is subtracted instead of the maximum",
                old="x.max(axis=-1, keepdims=True)",
                new="x.min(axis=-1, keepdims=True)",
                killed_by="large-positive",
                hint=1,
            ),
            Mutant(
                "the maximum is subtracted in the numerator but not inside the sum",
                old="numerator.sum(axis=-1, keepdims=True)",
                new="np.exp(x).sum(axis=-1, keepdims=True)",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the largest absolute value is subtracted, so that a row of very negative numbers still underflows",
                old="x.max(axis=-1, keepdims=True)",
                new="np.abs(x).max(axis=-1, keepdims=True)",
                killed_by="very-negative",
                hint=2,
            ),
            Mutant(
                "a fully masked row gives NaN instead of zeros",
                old="np.where(np.isneginf(m), 0, m)",
                new="m",
                killed_by="fully-masked",
                hint=3,
            ),
            Mutant(
                "-inf is replaced by a large negative number, so that a fully masked row gives 1/N instead of zeros",
                old="x.max(axis=-1, keepdims=True)",
                new="(x := np.maximum(x, -1e30)).max(axis=-1, keepdims=True)",
                killed_by="fully-masked",
                hint=3,
            ),
            Mutant(
                "one maximum is taken over the whole array, and rows far below it come out as 0 / 0",
                old="numerator = np.exp(x - shift)",
                new="numerator = np.exp(x - x.max())\n    numerator[numerator.sum(axis=-1) == 0] = np.nan",
                killed_by="far-apart",
                hint=2,
            ),
            Mutant(
                "the maximum is taken down the columns (axis 0) instead of along each row",
                old="x.max(axis=-1, keepdims=True)",
                new="x.max(axis=0, keepdims=True)",
                killed_by="far-apart",
                hint=2,
            ),
        ],
        hints=[
            "Softmax does not change when the same number is added to every entry of a row: numerator and denominator "
            "both gain the factor e^c, and it cancels. Choose c so that exp can never overflow.",
            "Look at what is subtracted: it must be the maximum of each row, with its axis kept, so that the largest "
            "exponent in every row is exactly 0.",
            "x = [100, 101, -inf]: m = 101, x - m = [-1, 0, -inf], exp gives [0.368, 1, 0], l = 1.368, so y = [0.269, "
            "0.731, 0]. For x = [-inf, -inf, -inf] the subtraction is -inf - (-inf) = NaN and the sum is 0: both need "
            "a guard.",
        ],
    ),
    Exercise(
        function=softmax.log_sum_exp,
        oracle=reference.log_sum_exp,
        outputs=(Output("L"),),
        points=2,
        forbidden=("softmax", "logsumexp", "logaddexp"),
        cases=[READABLE, SINGLE, BATCH, STRIDED, LARGE, SMALL, APART, MASKED, ALL_MASKED],
        without=NOT_ATTENTION,
        mutants=[
            Mutant(
                "the maximum is not added back after the logarithm",
                old="shift + np.log(l)",
                new="np.log(l)",
                killed_by="plain",
                hint=2,
            ),
            Mutant(
                "the maximum is subtracted again instead of added back",
                old="shift + np.log(l)",
                new="np.log(l) - shift",
                killed_by="plain",
                hint=2,
            ),
            Mutant(
                "the logarithm is to base 2 instead of base e",
                old="np.log(l)",
                new="np.log2(l)",
                killed_by="plain",
                hint=3,
            ),
            Mutant(
                "the maximum is not subtracted before exp",
                old="shift = np.where(np.isneginf(m), 0, m)",
                new="shift = np.zeros_like(m)",
                killed_by="large-positive",
                hint=1,
            ),
            Mutant(
                "a fully masked row gives NaN instead of -inf",
                old="np.where(np.isneginf(m), 0, m)",
                new="m",
                killed_by="fully-masked",
                hint=2,
            ),
            Mutant(
                "a fully masked row gives 0 instead of -inf",
                old="shift + np.log(l)",
                new="shift + np.log(np.where(l == 0, 1, l))",
                killed_by="fully-masked",
                hint=2,
            ),
            Mutant(
                "one maximum is taken over the whole array instead of one for each row",
                old="x.max(axis=-1)",
                new="np.full_like(x[..., 0], x.max())",
                killed_by="far-apart",
                hint=1,
            ),
        ],
        hints=[
            "Pull the largest exponential out of the sum: sum_j e^{x_j} = e^m * sum_j e^{x_j - m}. A logarithm turns "
            "the product into a sum.",
            "Two invariants: what is subtracted inside exp is added back outside the logarithm, and a row of -inf must "
            "give -inf, so the shift there must be a finite number.",
            "x = [100, 101, -inf]: m = 101, exp(x - m) = [0.368, 1, 0], l = 1.368, ln 1.368 = 0.313, so L = 101.313.",
        ],
    ),
]

QUESTIONS = [
    Question(
        name="overflow_at",
        ask="What is the smallest whole number x for which exp(x) is infinite in float32?",
        answer=89,
        rel=0,
        why="The largest float32 is about 3.4e38 and ln(3.4e38) = 88.72, so exp(88) is finite and exp(89) is not.",
    ),
    Question(
        name="naive_moves",
        ask="How many elements does naive_softmax move between memory and processor, for each element of a long row?",
        answer=5,
        rel=0.01,
        why="exp reads N and writes N, the sum reads N and writes one number a row, the division reads N and writes N.",
        unit="elements per element",
    ),
    Question(
        name="safe_moves",
        ask="And how many does the course's safe softmax move?",
        answer=8,
        rel=0.01,
        why="The same 5, one more read of x to find the maximum, and one read and one write to subtract it.",
        unit="elements per element",
    ),
]
