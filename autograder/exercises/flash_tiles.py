"""What all kernels that walk over tiles of keys have in common: situations, bounds, and mistakes."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

import numpy as np

from autograder.spec.edits import Mutant, Swap
from autograder.spec.exercise import Arguments

FORBIDDEN = ("softmax", "logsumexp", "logaddexp", "scaled_dot_product", "matmul", "bmm", "einsum")


def output_and_lse_bytes(given: Arguments) -> int:
    return given["q"].nbytes + 4 * given["q"][..., 0].size


def keys_of_queries(given: Arguments) -> int:
    """How many keys all queries of a head see together."""
    n_q, n_k = given["q"].shape[2], given["k"].shape[2]
    if not given.get("causal"):
        return n_q * n_k
    return sum(max(0, i + 1 + n_k - n_q) for i in range(n_q))


def keys_of_each_tile(given: Arguments, tile_m: int, tile_n: int) -> list[int]:
    """The same for each tile of tile_m queries, which reads tiles of tile_n keys."""
    n_q, n_k = given["q"].shape[2], given["k"].shape[2]
    ends = [(t + 1) * tile_m + (n_k - n_q if given.get("causal") else n_k) for t in range(ceil(n_q / tile_m))]
    return [min(n_k, ceil(max(0, end) / tile_n) * tile_n) for end in ends]


def keys_of_tiles(given: Arguments, tile_m: int, tile_n: int) -> int:
    return sum(keys_of_each_tile(given, tile_m, tile_n))


def queries_of_tiles(given: Arguments, tile_m: int, tile_n: int) -> int:
    """How many queries all tiles of tile_n keys read, each from the first tile of tile_m that sees one of its keys."""
    n_q, n_k = given["q"].shape[2], given["k"].shape[2]
    hidden = n_q - n_k if given.get("causal") else -n_k
    begins = [max(first + hidden, 0) // tile_m * tile_m for first in range(0, n_k, tile_n)]
    return sum(n_q - min(begin, n_q) for begin in begins)


TWO_TILES = "two tiles of q, k or v"


def two_tiles(given: Arguments) -> int:
    """Elements of two tiles of queries or of keys, whichever is larger."""
    return 2 * max(given["tile_m"], given["tile_n"]) * int(given["q"].shape[-1])


def multiplications(products: int) -> Callable[[Arguments], int]:
    """Of pairs of fragments (16 x 16 and 16 x 8), for as many products with each key that a query sees."""

    def least(given: Arguments) -> int:
        batch, heads, _, d = given["q"].shape
        return batch * heads * products * d * keys_of_queries(given) // (16 * 16 * 8)

    return least


SCALED = "the scale is given: 0.2, not 1/sqrt(16)"
RISING = "the maximum grows in every tile"
FALLING = "the first 16 keys score 120 more than the rest: the maximum falls after the first tile"
LARGE = "scores from 150 to 250, where exp overflows"
SMALL = "scores from -500 to -150, where every exp is 0"
HALF = "fp16, values around 3000: undivided, their sum does not fit into fp16"
LEAPING = "the maximum grows in every tile, for every other query by 800 at once"
PEAKS = "the maximum falls after the first tile: its keys score 120 more, or two of them, which are alike, 200 more"
LOW = "scores from -150 down to -100,000, where every exp is 0"
LOST = "fp16, 256 keys: one has most of the weight, and sums in fp16 would lose all others"
UNROUNDED = "fp16, scores are differences of terms around 100: a query that is scaled and rounded again is off"


def up(n: int) -> np.ndarray:
    return np.linspace(150, 250, n)


def down(n: int) -> np.ndarray:
    return np.linspace(-150, -500, n)


def climb(n: int) -> np.ndarray:
    return 0.25 * np.arange(n)


def leap(n: int) -> np.ndarray:
    return np.stack([climb(n), climb(n) + np.where(np.arange(n) < n // 2, 0, 800)])


def peaks(n: int) -> np.ndarray:
    """The keys 0 and 1 are to be alike."""
    return np.stack([cliff(n), np.where(np.arange(n) < 2, 200.0, 0.0)])


def low(n: int) -> np.ndarray:
    return -np.geomspace(150, 1e5, n)


def cliff(n: int) -> np.ndarray:
    return np.where(np.arange(n) < 16, 120.0, 0.0)


def running_sums(exp: str, at: str, rows: str) -> list[Mutant]:
    """Mistakes in the running maximum, which the source takes by `rows`, and in the sums that are measured from it.

    `exp` is the power's function, `at` the maximum that is subtracted in it.
    """
    alpha = f"tl.{exp}(m - {at})"
    return [
        Mutant(
            "no-max",
            "the running max is left out: exp is taken of the scores as they are, or less a constant",
            Swap(rows, "tl.zeros_like(m)"),
            killed_by="large-positive",
            hint=1,
        ),
        Mutant(
            "l-not-rescaled",
            "the denominator l is not rescaled when the running max grows",
            Swap("l = alpha * l +", "l = l +"),
            killed_by="rising",
        ),
        Mutant(
            "nothing-rescaled",
            "neither acc nor l is rescaled when the running max grows",
            Swap(f"alpha = {alpha}", "alpha = tl.zeros_like(m) + 1"),
            killed_by="rising",
        ),
        Mutant(
            "tile-max",
            "the maximum of the tile replaces the running max, which may then fall",
            Swap(rows, rows.removeprefix("tl.maximum(m, ").removesuffix(")")),
            killed_by="falling",
        ),
        Mutant(
            "one-max",
            "one maximum is taken over the whole tile instead of one for each query",
            Swap("tl.max(s, axis=1)", "tl.max(s)"),
            killed_by="very-negative",
        ),
        Mutant(
            "p-in-fp16",
            "P is rounded to fp16 before it meets the values, although the inputs are float32",
            Swap("p.to(v.dtype)", "p.to(tl.float16).to(v.dtype)"),
            killed_by="plain",
            hint=3,
        ),
    ]


def rescaling(old: str) -> list[Mutant]:
    """Of the accumulator; `old` is the line that updates it."""
    product = 'tl.dot(p.to(v.dtype), v, input_precision="ieee")'
    return [
        Mutant(
            "acc-not-rescaled",
            "the accumulator is not rescaled when the running max grows",
            Swap(old, f"acc = acc + {product}"),
            killed_by="rising",
        ),
        Mutant(
            "acc-in-fp16",
            "the accumulator is kept in fp16",
            Swap(old, f"acc = (acc * alpha[:, None] + {product}).to(tl.float16).to(tl.float32)"),
            killed_by="plain",
        ),
    ]


START_AT_ZERO = Mutant(
    "starts-at-0",
    "the running max is never below 0: it starts at 0 instead of -inf, or padding counts for it",
    Swap('tl.full((TILE_M,), float("-inf"), tl.float32)', "tl.zeros((TILE_M,), tl.float32)"),
    killed_by="very-negative",
)

ACC = 'acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")'

ACC_IN_DOT = 'acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")'


MAX, MAX_2 = "tl.maximum(m, tl.max(s, axis=1))", "tl.maximum(m, tl.max(s, axis=1) * scale_2)"


ALPHA_THEN_P = "alpha = tl.exp2(m - {0})\n        p = tl.exp2(s * scale_2 - {0}[:, None])"

P_THEN_ALPHA = "p = tl.exp2(s * scale_2 - {0}[:, None])\n        alpha = tl.exp2(m - {0})"
GIVEN_SCALE = "d**-0.5 if scale is None else scale"


def folded_scale(both: str) -> list[Mutant]:
    """Mistakes with the scale where it is folded into the exponent; `both` are the lines of alpha and p."""
    return [
        Mutant(
            "exp-for-exp2",
            "exp stands where exp2 belongs, while the scale already holds log2(e)",
            Swap(both, both.replace("exp2", "exp")),
            killed_by="plain",
            hint=1,
        ),
        Mutant(
            "scaled-twice",
            "the scores are scaled before the exponent, which scales them again",
            Swap('s = tl.dot(q, k.T, input_precision="ieee")', 's = tl.dot(q, k.T, input_precision="ieee") * scale_2'),
            killed_by="plain",
        ),
        Mutant(
            "no-log2e",
            "log2(e) is left out of the scale, so that the weights are powers of 2 instead of e",
            Swap(" * math.log2(math.e)", ""),
            killed_by="plain",
            hint=1,
        ),
        Mutant(
            "scale-ignored",
            "the scale that is given is ignored",
            Swap(GIVEN_SCALE, "d**-0.5"),
            killed_by="scaled",
            hint=4,
        ),
    ]


def half_folded_scale(both: str) -> list[Mutant]:
    """Mistakes where the scale, or the base, is right in one of the two places that have it."""
    alpha, p = sorted(line.strip() for line in both.split("\n"))
    return [
        Mutant(
            "exponent-not-scaled",
            "the scale is left out of the exponent, but not of the maximum",
            Swap("s * scale_2 -", "s -"),
            killed_by="plain",
        ),
        Mutant(
            "max-not-scaled",
            "the scale is left out of the maximum, but not of the exponent",
            Swap("tl.max(s, axis=1) * scale_2", "tl.max(s, axis=1)"),
            killed_by="large-positive",
        ),
        Mutant(
            "alpha-base-e",
            "the factor alpha is a power of e, while P is a power of 2",
            Swap(alpha, alpha.replace("exp2", "exp")),
            killed_by="rising",
            hint=1,
        ),
        Mutant(
            "p-base-e",
            "P is a power of e, while the factor alpha is a power of 2",
            Swap(p, p.replace("exp2", "exp")),
            killed_by="plain",
            hint=1,
        ),
    ]


LSE = "(m + tl.log2(l)) * 0.6931471805599453"


LSE_IN_BASE_2 = [
    Mutant(
        "lse-base-2",
        "L is left in base 2: it lacks the factor ln 2",
        Swap(LSE, "m + tl.log2(l)"),
        killed_by="plain",
        hint=3,
    ),
    Mutant(
        "lse-max-base-2",
        "the maximum in L is left in base 2; only the denominator's logarithm is natural",
        Swap(LSE, "m + tl.log(l)"),
        killed_by="plain",
        hint=3,
    ),
]
