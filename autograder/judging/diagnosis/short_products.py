"""Products of float32 that tensor cores take in TF32, which is Triton's default: right to three digits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..verdict import CaseResult, Diagnosis

SHARE = 1 / 16  # of the largest number: errors of 2^-11 in scores of 200 come to that, and hardly any mistake to less


def rounded_products(results: Sequence[CaseResult]) -> Diagnosis | None:
    """Whether all that is wrong are numbers a little off, each in a case whose products were rounded, and no such case
    is right but by chance: fewer than half of them."""
    failed = [result for result in results if result.status != "pass"]
    rounded = [result for result in results if result.rounded_at]
    if not failed or 2 * len(failed) <= len(rounded):
        return None
    if not all(result.rounded_at and _is_a_little_off(result) for result in failed):
        return None
    line = failed[0].rounded_at
    return Diagnosis(
        "tf32",
        f"the tl.dot of line {line} rounds its float32 operands to TF32, which has 13 bits less: that is its default, "
        'and input_precision="ieee" keeps them',
    )


def _is_a_little_off(result: CaseResult) -> bool:
    """Whether the wrong outputs are numbers near the right ones."""
    wrong = [c for c in result.comparisons if not c.ok]
    for c in wrong:
        if c.expected is None or c.max_error is None:
            return False
        finite = np.abs(c.expected.truth[np.isfinite(c.expected.truth)])
        if not c.max_error <= SHARE * finite.max(initial=0):
            return False
    return bool(wrong)
