"""What the failed cases have in common, where it can mean one thing only.

Each pattern holds for an answer that is right in every other situation. Its sentence says where such an answer goes
wrong and what is due there; by which way it went wrong only where the wrong numbers leave no other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...spec.exercise import NO_SOFTMAX, Case, Exercise
from ..verdict import CaseResult, Diagnosis


@dataclass(frozen=True)
class Pattern:
    """A cause, if all failed cases are of these situations and all of their wrong numbers look like this.

    situations: regimes, or keys of cases; any, if there are none. needed: one of each of these groups has to be among
    those that failed. always: these cannot go right. softmax: it means something only where one is taken. The sentence
    completes "Your answer is what you get when ...".
    """

    key: str
    name: str
    situations: tuple[str, ...]
    looks: Callable[[CaseResult], bool]
    needed: tuple[tuple[str, ...], ...] = ()
    always: tuple[str, ...] = ()
    softmax: bool = False


def _wrong(result: CaseResult) -> tuple[np.ndarray, np.ndarray]:
    """The wrong numbers and the right ones, of all outputs."""
    got, want = [], []
    for comparison, output in zip(result.comparisons, result.outputs or (), strict=False):
        if not comparison.ok and comparison.error is not None and comparison.expected is not None:
            wrong = comparison.error > (comparison.max_bound or 0)
            got.append(np.asarray(output, np.float64)[wrong])
            want.append(np.asarray(comparison.expected.truth, np.float64)[wrong])
    return (np.concatenate(got), np.concatenate(want)) if got else (np.zeros(0), np.zeros(0))


def _nothing(want: np.ndarray) -> np.ndarray:
    """Where 0 or -inf is due, as it is of what sees nothing."""
    return np.isin(want, (0, -np.inf))


def overflows(result: CaseResult) -> bool:
    got, want = _wrong(result)
    return got.size > 0 and bool((~np.isfinite(got) & np.isfinite(want)).all())


def vanishes(result: CaseResult) -> bool:
    """Zeros, NaN or infinities where there should be numbers."""
    got, want = _wrong(result)
    return got.size > 0 and bool((((got == 0) & (want != 0)) | ~np.isfinite(got)).all())


def underflows(result: CaseResult) -> bool:
    """Zeros or NaN where there should be numbers."""
    got, _ = _wrong(result)
    return vanishes(result) and not np.isinf(got).any()


def infinite_for_0(result: CaseResult) -> bool:
    got, want = _wrong(result)
    return got.size > 0 and bool((np.isposinf(got) & (want == 0)).all())


def is_nan(result: CaseResult) -> bool:
    """NaN alone, and where 0 or -inf is due as well."""
    got, want = _wrong(result)
    return bool(np.isnan(got).all() and _nothing(want).any())


def of_empty_rows(result: CaseResult) -> bool:
    """Numbers where there should be 0 or -inf, of what is no count."""
    got, want = _wrong(result)
    counts = any(not c.ok and c.expected is not None and c.expected.output.exact for c in result.comparisons)
    return not counts and got.size > 0 and bool((np.isfinite(got) & _nothing(want)).all())


def of_masked_entries(result: CaseResult) -> bool:
    """Numbers where there should be 0 or -inf, and nothing else that is wrong, but 0 in place of numbers."""
    got, want = _wrong(result)
    masked = _nothing(want)
    return bool(masked.any() and np.isfinite(got).all() and not got[~masked].any())


def of_empty_rows_or_low(result: CaseResult) -> bool:
    """The same, or anything wrong where scores are lower than numbers that are taken for -inf."""
    return of_empty_rows(result) or (result.key in LOW and anyhow(result))


def in_16_bits(result: CaseResult) -> bool:
    return any(c.expected is not None and c.expected.dtype.itemsize == 2 for c in result.comparisons)


def far_off(result: CaseResult) -> bool:
    """By far more than rounding."""
    return any(c.max_error is not None and c.max_error > 100 * (c.max_bound or 0) for c in result.comparisons)


def displaced(result: CaseResult) -> bool:
    """The right numbers, each in the place of another."""
    got, want = _wrong(result)
    bound = max((c.max_bound or 0 for c in result.comparisons), default=0)
    return got.size > 0 and bool((np.abs(np.sort(got) - np.sort(want)) <= bound).all())


def anyhow(result: CaseResult) -> bool:
    return bool(_wrong(result)[0].size)


LOW = ("billions-below", "far-below", "hidden-low")
BLIND = ("masked row", "many-queries", "traffic-unseen")
FAR_APART = ("hidden-higher", "heads-apart")
FAR_FROM_0 = ("falling", "negative-scale", "float16-rising", "float16-scores", "float16-sums", *FAR_APART)

PATTERNS = (
    Pattern("empty-row-nan", "a row that sees nothing ends as NaN: 0 / 0, -inf - (-inf) or 0 * inf is computed, or "
            "nothing is written", BLIND, is_nan),
    Pattern("empty-row-weighs", "a row that sees nothing, or holds only -inf, gets numbers where 0 or -inf is due",
            BLIND, of_empty_rows),
    Pattern("exp-overflows", "a row ends as infinity or NaN where numbers are large or far apart: what is "
            "subtracted before exp is taken has to be the maximum of what the row sees",
            ("large positive", "rising max", "far-apart", "jump", "max-last"), overflows, softmax=True),
    Pattern("hidden-overflows", "a finite number stands for -inf, or is taken from hidden scores: less an L that is "
            "lower still, what is hidden has a large exponential",
            ("very negative", "hidden-higher", *LOW), infinite_for_0),
    Pattern("far-from-maximum", "a row far from 0 vanishes, or ends as infinity or NaN: what is subtracted before exp "
            "is taken has to lie near the row's own maximum, and no finite score counts as masked",
            ("very negative", "far-apart", "deep", *LOW), vanishes, softmax=True),
    Pattern("no-own-maximum", "rows far from 0 vanish, or end as infinity or NaN: neither the maximum of what the row "
            "sees nor its log-sum-exp is subtracted before exp is taken",
            ("large positive", "very negative", "rising max", "far-apart", "masked row", *FAR_FROM_0), vanishes,
            (("large positive", "very negative"),), ("large-positive", "very-negative"), softmax=True),
    Pattern("finite-for-inf", "a finite number stands for -inf, so that what is hidden has a weight where the scores "
            "are low", ("very negative", "masked row"), of_masked_entries),
    Pattern("finite-for-hidden", "a finite number stands for -inf, so that what is hidden has a weight where all "
            "that is seen is low, or nothing is", (), of_empty_rows_or_low, (LOW, ("masked row",))),
    Pattern("not-rescaled", "the values are right except where the maximum grows on the way: what was summed before "
            "has to be multiplied by e^(old - new)", ("rising max",), far_off),
    Pattern("mask-corner", "the values are right except where there are not as many queries as keys: what hangs on "
            "their difference has to be counted from the last query and the last key", ("cross",), far_off),
    Pattern("offset-wraps", "the values are right except where what is addressed lies more than 2^31 elements away: "
            "an offset that is computed in 32 bits wraps around", ("wide-rows", "wide-heads"), far_off),
    Pattern("strides-of-result", "the values are right, but lie in each other's places where an input is not "
            "contiguous: a result that is made like it has its strides", ("strided",), displaced),
    Pattern("contiguous-only", "the values are right except where an input is not contiguous: its strides are not "
            "those of its shape", ("strided",), far_off),
    Pattern("whole-tiles-only", "the values are right except where the last tile is partly filled: all that is in it "
            "has to count, and nothing behind the end", ("ragged",), far_off),
    Pattern("shared-heads", "the values are right except where query heads share KV heads: each row has to be that of "
            "its own query and head, and to meet KV head h // g", ("grouped",), far_off),
    Pattern("hidden-counts", "what is hidden counts for the maximum, and the weights of what is seen underflow",
            ("hidden-higher", "outlier"), underflows, (("hidden-higher",),)),
    Pattern("masked-early", "a row ends as NaN with a scale that is 0 or negative: -inf is put where scores are hidden "
            "before they are scaled, and becomes NaN or +inf", ("zero-scale", "negative-scale"), overflows,
            (("zero-scale",), ("negative-scale",)), softmax=True),
    Pattern("scaled-late", "a row ends as infinity or NaN with a negative scale, by which the smallest product is the "
            "largest score: the scale belongs before the mask, and before what is subtracted before exp is taken",
            ("negative-scale",), overflows, softmax=True),
    Pattern("scale-of-0", "the values are right except with a scale of 0, which counts as it is, and is not the "
            "default", ("zero-scale",), far_off),
    Pattern("negative-scale", "the values are right except with a negative scale, which counts as it is, and before "
            "scores are masked or compared", ("negative-scale",), far_off),
    Pattern("scale-of-any-sign", "the values are right except with a scale that is 0 or negative: one that is given "
            "counts as it is, whatever its sign, and before scores are masked or compared",
            ("zero-scale", "negative-scale"), far_off),
    Pattern("scale-given", "the values are right except where a scale is given: all that the scale belongs to has to "
            "get it", ("scaled", "scaled-full", "zero-scale", "negative-scale"), far_off,
            always=("zero-scale", "scaled-full")),
    Pattern("rounded-early", "something is rounded to 16 bits before all is done with it",
            ("float16-scores", "float16-sums"), anyhow),
    Pattern("sixteen-bits", "something is summed or kept in 16 bits that the contract keeps in 32",
            ("float16",), anyhow),
)  # fmt: skip


ONLY_16 = "it goes wrong with 16-bit inputs only: something is rounded, or overflows, where the contract keeps 32 bits"


def common_situation(exercise: Exercise, results: Sequence[CaseResult]) -> Diagnosis | None:
    """The one pattern that all failed cases are of; None if the first case failed, or anything but a value is wrong."""
    pairs = list(zip(exercise.cases, results))
    failed = [(case, result) for case, result in pairs if result.status != "pass"]
    if (
        isinstance(exercise.function, type)
        or not failed
        or any(result.status != "fail" or result.outputs is None for _, result in failed)
    ):
        return None
    if results[0].status != "pass":
        return None
    went_right = [case for case, result in pairs if result.status == "pass"]
    takes_softmax = NO_SOFTMAX not in exercise.without.values()
    fitting = [p for p in PATTERNS if (takes_softmax or not p.softmax) and _fits(p, failed, went_right)]
    if fitting and not _is_one_of_several(fitting):
        return Diagnosis(fitting[0].key, fitting[0].name)
    if _only_in_16_bits(pairs):
        return Diagnosis("only-sixteen-bits", ONLY_16)
    return None


def _fits(pattern: Pattern, failed: Sequence[tuple[Case, CaseResult]], went_right: Sequence[Case]) -> bool:
    return (
        (not pattern.situations or all(_is_of(case, pattern.situations) for case, _ in failed))
        and all(pattern.looks(result) for _, result in failed)
        and not any(_is_of(case, pattern.always) for case in went_right)
        and all(any(_is_of(case, group) for case, _ in failed) for group in pattern.needed)
    )


def _is_one_of_several(fitting: Sequence[Pattern]) -> bool:
    """Whether the first tells no more than in what situation all went wrong, and they are of another one, too."""
    situations = [{*pattern.situations} for pattern in fitting if pattern.looks is far_off]
    return fitting[0].looks is far_off and any(not situations[0] <= other for other in situations)


def _only_in_16_bits(pairs: Sequence[tuple[Case, CaseResult]]) -> bool:
    """Of the cases with 16-bit outputs several fail, not only those with wide strides, and no other."""
    failed = [(case, result) for case, result in pairs if result.status != "pass"]
    return (
        len(failed) > 1
        and all(in_16_bits(result) for _, result in failed)
        and not all(in_16_bits(result) for _, result in pairs)
        and not all(_is_of(case, ("strided",)) for case, _ in failed)
    )


def _is_of(case: Case, situations: Sequence[str]) -> bool:
    return bool({*case.regimes, case.key} & {*situations})
