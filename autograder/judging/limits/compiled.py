"""What Triton's compiler says of an answer's kernels, for a GPU that is not there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...backends.assembly import Compiled
from ...runner.failure import Kind
from ...runner.translate import IN_BFLOAT16
from ..cases import say_failure
from ..verdict import OverBudget, quoted


def uncompiled(reports: Sequence[Compiled], source: str, launched: set[str]) -> Iterable[OverBudget]:
    for report in reports:
        if report.failure:
            failure = report.failure
            text = f"works only without a GPU: {report.target} refuses {report.kernel}: {say_failure(failure)}"
            if failure.kind == Kind.LEAVES_BFLOAT16:
                text = f"computes in float16 where {report.kernel} is given bfloat16: {failure.message}"
            own = failure.text in ("", quoted(source, failure.line)[1])  # not of a kernel of another cell
            yield OverBudget("compile", text, 1, 0, *(quoted(source, failure.line) if own else (0, "")))
    for said in _unlike_in_bfloat16(reports):
        yield OverBudget("compile", said, 1, 0)
    compiled = {report.kernel for report in reports}
    if compiled and launched and not compiled & launched:
        others = " and ".join(sorted(compiled)[:3])
        text = f"is untested: at the size of a real problem it launches other kernels than in the cases ({others})"
        yield OverBudget("compile", text, 1, 0)


def _unlike_in_bfloat16(reports: Sequence[Compiled]) -> Iterator[str]:
    """Without a GPU nothing runs a kernel in bfloat16: it has to ask there for what is seen to be right in float16."""
    for report in reports:
        others = [r.operations for r in reports if r.kernel == report.kernel and r.target != IN_BFLOAT16]
        if report.target == IN_BFLOAT16 and not report.failure and others and report.operations not in others:
            more, fewer = report.operations - others[0], others[0] - report.operations
            both = (more, "more"), (fewer, "less")
            counts = [f"{', '.join(sorted(some)[:4])} {word} often" for some, word in both if some]
            yield f"does other operations in {report.kernel} where it is given bfloat16: {' and '.join(counts)}"
