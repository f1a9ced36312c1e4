"""Products of float32 that tensor cores take in TF32, which is Triton's default: right to three digits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..verdict import CaseResult, Diagnosis

SHARE = 1 / 16  # of the largest number: errors of 2^-11 in scores of 200 come to that, and hardly any mistake to less


def rounded_products(results: Sequence[CaseResult], in_part: bool = False) -> Diagnosis | None:
    """Whether all that is wrong are numbers a little off, each in a case whose products were rounded, and no such case
    is right but by chance: fewer than half of them.

    in_part: the first failed case, which the card shows, is such a one, and others may go wrong by something else.
    """
    failed = [i for i, result in enumerate(results) if result.status != "pass"]
    explained = [i for i in failed if results[i].rounded_at and _is_a_little_off(results[i])]
    if failed[:1] != explained[:1] or not (in_part or failed == explained):
        return None
    rounded = [result for result in results if result.rounded_at]
    if not failed or 2 * sum(result.status != "pass" for result in rounded) <= len(rounded):
        return None
    line = results[failed[0]].rounded_at
    return Diagnosis(
        "tf32",
        f"the tl.dot of line {line} rounds its float32 operands to TF32, which has 13 bits less: that is its default, "
        'and input_precision="ieee" keeps them',
        elsewhere=[i + 1 for i in failed if i not in explained],
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
