"""The judgement of values: is an answer as exact as its dtype allows?

The rule is that of the FlashAttention repository's tests, with the rounding floor made explicit:

    max |X - X64|  <= a * max |B - X64| + u          u      = 2 * max  |fl(X64) + 0.3 - 0.3 - X64|
    mean|X - X64|  <= 1.5 * mean|B - X64| + u_mean    u_mean = 2 * mean |fl(X64) + 0.3 - 0.3 - X64|

X is the answer, X64 the fp64 oracle's, B the same mathematics written plainly in PyTorch in the inputs' dtype, fl()
rounding to that dtype, and a = 2 (3 for gradients). Where all numbers are small, zeros would pass: so no element of
|fl(X64) + 0.3 - 0.3 - X64| counts for more than max|X64| / 8, nor for less than |fl(X64) - X64|. Where the oracle is
infinite the answer must be the same infinity; a NaN is always wrong, except in slots of a buffer that hold nothing.
Of weights, what is 0 must be 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..runner.arrays import BFLOAT16
from ..spec.exercise import Output, Tolerance

FEWEST_FOR_A_MEAN = 16  # with fewer elements the mean adds nothing to the maximum


@dataclass
class Expected:
    """What one output should be: the fp64 truth and the bounds that the rule gives for it."""

    output: Output
    dtype: np.dtype
    truth: np.ndarray  # float64, or the integer dtype of an exact output
    max_bound: float
    mean_bound: float
    plain_error: float  # max|B - X64|
    floor: float  # u
    factor: float
    mean_plain_error: float = 0.0  # mean|B - X64|
    mean_floor: float = 0.0  # u_mean
    mean_factor: float = 0.0


@dataclass
class Comparison:
    """How one output fared. `error` is |X - X64| per element: inf where an infinity or NaN is wrong.

    `expected` is set once values were compared: the card prints the rule with its numbers.
    """

    name: str
    ok: bool
    message: str
    max_error: float | None = None
    mean_error: float | None = None
    max_bound: float | None = None
    mean_bound: float | None = None
    error: np.ndarray | None = None
    worst: tuple[int, ...] | None = None
    expected: Expected | None = None


def rounding_floor(rounded: Any, truth: Any) -> Any:
    """What u is the largest element of, and u_mean the mean. rounded: `truth` in the answer's dtype; arrays or tensors.

    truth: finite and not empty.
    """
    once_more = 2 * abs(rounded + 0.3 - 0.3 - truth)
    return once_more.clip(max=abs(truth).max() / 4).clip(min=2 * abs(rounded - truth))


def bound(factor: float, plain_error: float, floor: float) -> float:
    """The largest, or the mean, error that is allowed."""
    return factor * plain_error + floor


def expect(
    output: Output, truth: np.ndarray, plain: Sequence[np.ndarray], tolerance: Tolerance, dtype: np.dtype
) -> Expected:
    """Bounds for one output from the oracle's answer `truth` and the worst of the plain answers (same shape)."""
    if output.exact:
        return Expected(output, np.dtype(output.dtype or dtype), truth, 0.0, 0.0, 0.0, 0.0, 0.0)
    dtype = np.dtype(output.dtype or dtype)
    finite = np.isfinite(truth)
    x = truth[finite]
    rounding = rounding_floor(x.astype(dtype), x) if x.size else x
    errors = [np.abs(run.astype(np.float64)[finite] - x) for run in plain]
    floor, plain_error = _max(rounding), max(map(_max, errors))
    mean_floor, mean_plain_error = _mean(rounding), max(map(_mean, errors))
    return Expected(
        output,
        dtype,
        truth,
        max_bound=bound(tolerance.factor, plain_error, floor),
        mean_bound=bound(tolerance.mean_factor, mean_plain_error, mean_floor),
        plain_error=plain_error,
        floor=floor,
        factor=tolerance.factor,
        mean_plain_error=mean_plain_error,
        mean_floor=mean_floor,
        mean_factor=tolerance.mean_factor,
    )


def compare(got: np.ndarray, want: Expected) -> Comparison:
    """Judge one output by shape, dtype and value."""
    name = want.output.name
    if got.shape != want.truth.shape:
        return Comparison(name, False, f"{name} has shape {got.shape}; expected {want.truth.shape}")
    if not _dtype_fits(got, want):
        return Comparison(name, False, _say_dtype(name, got, want))
    if got.dtype == BFLOAT16:
        got = got.astype(np.float32)  # whose digits can be printed
    error = np.where(is_empty(want), 0.0, absolute_error(got, want.truth))
    worst = tuple(int(i) for i in np.unravel_index(int(np.argmax(error)), error.shape)) if error.size else ()
    max_error, mean_error = _max(error), _mean(error)
    result = Comparison(name, True, "", max_error, mean_error, want.max_bound, want.mean_bound, error, worst, want)
    is_near = max_error <= want.max_bound and (mean_error <= want.mean_bound or error.size < FEWEST_FOR_A_MEAN)
    stray = want.output.has_zeros & (want.truth == 0) & (got != 0)
    if is_near and not stray.any():
        return result
    result.ok = False
    if is_near:
        result.worst = tuple(int(i) for i in np.argwhere(stray)[0])
        result.message = (
            f"{name}{list(result.worst)} is {got[result.worst]:.6g}; expected 0: what is hidden weighs nothing"
        )
    else:
        result.message = _say(name, got, want, result)
    return result


def absolute_error(got: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """|got - truth| in fp64; 0 where both are the same infinity, inf where only one is finite or got is NaN."""
    with np.errstate(invalid="ignore"):  # NaN - x, inf - inf, and the cast of a signalling NaN
        a, b = got.astype(np.float64), truth.astype(np.float64)
        error = np.abs(a - b)
    if got.dtype.kind in "iu" and truth.dtype.kind in "iu":  # beyond 2^53 a difference may be lost in fp64
        return np.where(got == truth, 0.0, np.maximum(error, 1.0))
    return np.where(a == b, 0.0, np.where(np.isnan(error), np.inf, error))


def is_empty(want: Expected) -> np.ndarray:
    """Where anything may stand."""
    return np.isnan(want.truth) if want.output.has_gaps else np.zeros(want.truth.shape, bool)


def _dtype_fits(got: np.ndarray, want: Expected) -> bool:
    if want.output.exact:
        return got.dtype == want.dtype or (got.ndim == 0 and got.dtype.kind in "iu")
    # A Python float (or an fp64 scalar) is accepted where a single number is asked for.
    return got.dtype == want.dtype or (got.ndim == 0 and got.dtype.kind == "f" and not want.output.is_tensor)


NUMBERS = {"f": "a float", "i": "a whole number (int)", "b": "a truth value (bool)"}  # by the kind of a dtype


def _say_dtype(name: str, got: np.ndarray, want: Expected) -> str:
    is_, due = NUMBERS.get(got.dtype.kind), NUMBERS.get(want.dtype.kind)
    if got.ndim == 0 and is_ and due and is_ != due:
        return f"{name} is {is_}; {due} is wanted"
    if want.output.is_tensor and got.dtype == np.float64:
        return f"{name} has dtype float64, as Python's numbers do; expected a tensor of {want.dtype}"
    return f"{name} has dtype {got.dtype}; expected {want.dtype}"


def _say(name: str, got: np.ndarray, want: Expected, c: Comparison) -> str:
    assert c.worst is not None and c.max_error is not None and c.mean_error is not None
    at = f"{name}[{', '.join(map(str, c.worst))}]" if c.worst else name
    value, truth = got[c.worst], want.truth[c.worst]
    if want.output.exact:
        return f"{at} is {value}; expected {truth}"
    not_numbers = np.isnan(got) & ~is_empty(want)
    if not_numbers.any():
        first = tuple(int(i) for i in np.argwhere(not_numbers)[0])
        at = f"{name}[{', '.join(map(str, first))}]" if first else name
        many = f" ({int(not_numbers.sum())} of {got.size} are)" if got.size > 1 else ""
        return f"{at} is NaN{many}; expected {_due(want, first)}"
    if not np.isfinite(value) or not np.isfinite(truth):
        return f"{at} is {value:.6g}; expected {_due(want, c.worst)}"
    if c.max_error > want.max_bound:
        digits = 6 if f"{value:.6g}" != f"{truth:.6g}" else 9
        off = f"off by {c.max_error:.2e}, allowed {want.max_bound:.2e}"
        return f"{at} is {value:.{digits}g}; expected {truth:.{digits}g}: {off}"
    return f"{name} is off by {c.mean_error:.2e} on average, allowed {want.mean_bound:.2e}"


def _due(want: Expected, at: tuple[int, ...]) -> str:
    """What is right there, and that the dtype has no such small number but 0."""
    truth = want.truth[at]
    rounded = f", which {want.dtype} rounds to 0" if truth and not truth.astype(want.dtype) else ""
    return f"{truth:.6g}{rounded}"


def _max(x: np.ndarray) -> float:
    return float(x.max()) if x.size else 0.0


def _mean(x: np.ndarray) -> float:
    return float(x.mean()) if x.size else 0.0
