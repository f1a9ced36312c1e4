"""Formulas that count: by what a wrong count differs from the right one, the same in every case."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from ...spec.exercise import Arguments, Exercise
from ..prepare import prepare
from ..tolerance import Comparison
from ..verdict import CaseResult, Diagnosis

FACTORS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16)
POWERS = 3  # the most that one argument is multiplied with itself
FEWEST = 3  # failed cases that have to agree: two may do so by chance


def matching_difference(exercise: Exercise, seed: str, results: Sequence[CaseResult]) -> Diagnosis | None:
    """The one product of arguments by which an output is off in every case, or the factor; None when unsure.

    results: of all cases. Only outputs that are single numbers are looked at, and one of them has to be off alone.
    """
    if isinstance(exercise.function, type) or exercise.engine.has_ranks:  # which return more in one case than another
        return None
    rows = [
        (prepare(exercise.name, i, seed).arguments, r.comparisons, r.outputs)
        for i, r in enumerate(results)
        if r.outputs is not None and r.comparisons and all(c.error is not None for c in r.comparisons)
    ]
    off = sorted({i for _, comparisons, _ in rows for i, c in enumerate(comparisons) if not c.ok})
    if off and all(_overflowed(outputs[i], comparisons[i]) for _, comparisons, outputs in rows for i in off):
        return Diagnosis("32-bits", "products are taken in 32 bits, which overflow")
    if off and all(_lost_digits(outputs[i], comparisons[i]) for _, comparisons, outputs in rows for i in off):
        return Diagnosis("floats", "whole numbers are made of floats, which keep 53 bits of them")
    if len(rows) != len(results):
        return None
    if len(off) != 1:
        return None
    values = [_pair(outputs[off[0]], comparisons[off[0]]) for _, comparisons, outputs in rows]
    failed = [pair for pair in values if pair and pair[0] != pair[1]]
    if None in values or len(failed) < FEWEST:
        return None
    name = rows[0][1][off[0]].name
    wrong, right = (np.array(side, dtype=float) for side in zip(*(pair for pair in values if pair), strict=True))
    said = list(_factors(wrong, right)) or _products(wrong - right, [arguments for arguments, _, _ in rows])
    if len(said) != 1:
        return None
    return Diagnosis("count-differs", f"{name} {said[0]}, in every case")


def _pair(output: np.ndarray, comparison: Comparison) -> tuple[float, float] | None:
    expected = comparison.expected
    if expected is None or output.size != 1 or np.size(expected.truth) != 1 or not np.isfinite(output).all():
        return None
    return float(output.reshape(())), float(np.asarray(expected.truth).reshape(()))


def _overflowed(output: np.ndarray, comparison: Comparison) -> bool:
    """Whether a wrong count is the right one but for a multiple of 2^32; so is a right one."""
    if _pair(output, comparison) is None or comparison.expected is None or not comparison.expected.output.exact:
        return False
    got, want = (int(np.asarray(x).item()) for x in (output, comparison.expected.truth))  # floats would round them
    return (got - want) % 2**32 == 0


def _lost_digits(output: np.ndarray, comparison: Comparison) -> bool:
    """Whether a wrong count is the right one as a float has it, to a few units in the last place; so is a right one."""
    if _pair(output, comparison) is None or comparison.expected is None or not comparison.expected.output.exact:
        return False
    got, want = (int(np.asarray(x).item()) for x in (output, comparison.expected.truth))
    return got == want or abs(got - want) < want / 2**50


def _factors(wrong: np.ndarray, right: np.ndarray) -> Iterator[str]:
    for factor in (2, 3, 4, 6, 8, 12):
        if np.array_equal(wrong, factor * right):
            yield f"is {factor} times what it should be"
        if np.array_equal(factor * wrong, right):
            yield f"is one part in {factor} of what it should be"


def _products(difference: np.ndarray, cases: Sequence[Arguments]) -> list[str]:
    """The shortest products of the whole-numbered arguments that are the difference."""
    names = [name for name, value in cases[0].items() if type(value) is int]
    table = {name: np.array([case[name] for case in cases], dtype=float) for name in names}
    verb = "lacks" if (difference <= 0).all() else "counts too much by" if (difference >= 0).all() else ""
    for powers in sorted(itertools.product(range(POWERS + 1), repeat=len(names)), key=sum) if verb else ():
        if sum(powers) > 5:
            break
        product = np.prod([table[n] ** p for n, p in zip(names, powers)] or [np.ones(len(cases))], axis=0)
        for factor in FACTORS:
            if np.array_equal(np.abs(difference), factor * product):
                terms = [str(factor)] if factor > 1 or not any(powers) else []
                terms += [n if p == 1 else f"{n}^{p}" for n, p in zip(names, powers) if p]
                return [f"{verb} {' * '.join(terms)}"]
    return []
