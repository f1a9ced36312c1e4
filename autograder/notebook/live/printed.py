"""What an answer printed in the case that its card is about, to be put below the card: the card comes first."""

from __future__ import annotations

import textwrap

from ...judging.verdict import Verdict
from ...runner.wall.printed import LINES, WIDTH
from ...showing.markup import block, clip, details


def as_text(verdict: Verdict) -> str:
    """For a terminal; "" if nothing was printed."""
    title, lines = _printed(verdict)
    return f"\n  {title}:\n{textwrap.indent(lines, '    ')}" if lines else ""


def as_html(verdict: Verdict) -> str:
    """A fold; "" if nothing was printed."""
    title, lines = _printed(verdict)
    return details(title, block(lines, LINES * (WIDTH + 1))) if lines else ""


def _printed(verdict: Verdict) -> tuple[str, str]:
    """What is above the lines, and the lines: of the case that failed; or of one that is made for a budget, if one is
    broken; or of the first that prints."""
    failed = verdict.first_failure
    for number, (case, result) in enumerate(zip(verdict.exercise.cases, verdict.cases), 1):
        is_shown = result is failed if failed else case.budget or not verdict.over
        if is_shown and result.printed.lines:
            lines = [clip(line, WIDTH) for line in result.printed.text.splitlines()[:LINES]]
            all_lines = result.printed.lines
            first = f"the first {len(lines)} of {all_lines:,} lines" if all_lines > len(lines) else "all of it"
            return f"What the answer printed in case {number} ({first})", "\n".join(lines)
    return "", ""
