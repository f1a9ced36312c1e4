"""A verdict in plain text, for terminals and print()."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from ..judging.verdict import CaseResult, Verdict
from .diff import against_course
from .error_map import WITHIN, ErrorMap, error_map
from .markup import clip
from .words.advice import advice
from .words.ladder import RUNGS, asking
from .words.sentences import (
    SAME,
    WHAT_TO_DO,
    case_label,
    diagnosis,
    folded,
    measured,
    points,
    rule,
    table,
    tally,
    where,
    why_no_points,
)

WIDTH = 100
LONGEST = 500  # characters of what was counted: the words of all bounds on traffic have room
MARK = {"pass": "+", "skipped": "."}  # any other status: "-"


def text(verdict: Verdict, in_terminal: bool = False) -> str:
    """The verdict in about 25 lines at most. in_terminal: where hint(f) cannot be called."""
    return "\n".join([_first_line(verdict), *(f"  {line}" for line in _body(verdict, in_terminal))])


def _first_line(verdict: Verdict) -> str:
    marks = "".join(MARK.get(c.status, "-") for c in verdict.cases[:60])
    parts = [f"{verdict.name}: {verdict.headline}", f"[{marks}] {tally(verdict)}" if marks else "", points(verdict)]
    return "   ".join(filter(None, parts))


def _body(verdict: Verdict, in_terminal: bool) -> Iterator[str]:
    if verdict.note:
        yield from _wrap(verdict.note)
    if verdict.status == "not_attempted":
        yield WHAT_TO_DO
    failed = verdict.first_failure
    if failed:
        yield from _failure(verdict, failed)
    for over in verdict.over:
        yield from _wrap(f"{over.label}: {over.message}", LONGEST)
        if over.line:
            yield f"  {where(over.line)}: {clip(over.text, 90)}"
    if verdict.diagnosis:
        yield from _wrap(diagnosis(verdict))
        rung = verdict.diagnosis.hint
        yield f"{asking(verdict.name, rung, in_terminal)} shows {RUNGS[rung - 1]}."
    if failed:
        yield from _size(failed)
    yield from _wrap(why_no_points(verdict))
    if not verdict.diagnosis and verdict.status not in ("pass", "infra", "flagged"):
        next_one = asking(verdict.name, None, in_terminal)
        yield f"{next_one} shows the next of {len(verdict.exercise.ladder)} hints."
    if verdict.status == "pass":
        for label, used in measured(verdict):
            yield from _wrap(f"{label}: {used}", LONGEST)
        if others := dict(folded(verdict)):
            yield from _wrap(f"also counted: {', '.join(others)}")
        yield from _difference(verdict)


def _failure(verdict: Verdict, failed: CaseResult) -> Iterator[str]:
    yield from _wrap(f"{case_label(verdict)}: {failed.name}")
    yield from _wrap(f"  given {failed.arguments}")
    yield from _wrap(f"  {failed.message}")
    if said := advice(verdict, failed):
        yield from _wrap(f"  {said}")
    if failed.failure and failed.failure.line:
        yield f"  {where(failed.failure.line, failed.failure.function)}: {clip(failed.failure.text, 90)}"
    if failed.numbers:
        yield from (f"    {line}" for line in table(failed.numbers).splitlines())


def _size(failed: CaseResult) -> Iterator[str]:
    bound = rule(failed.worst)
    if bound:
        yield from _wrap(bound)
    picture = error_map(failed, most=16)
    if picture:
        yield from _wrap(picture.sentence())
        yield from (f"  {line}" for line in _grid(picture))


def _grid(picture: ErrorMap) -> Iterator[str]:
    """The wrong tiles as "#", or the wrong elements where there is no tile grid; nothing if all or too many."""
    cells = picture.wrong_tiles if picture.wrong_tiles is not None else picture.levels > WITHIN
    elements = picture.wrong_tiles is None
    if cells.all() or cells.shape[0] > 16 or cells.shape[1] > 64 or (elements and picture.step != (1, 1)):
        return
    for row in cells:
        yield "".join("#" if wrong else "." for wrong in row)


def _difference(verdict: Verdict) -> Iterator[str]:
    lines = against_course(verdict, context=0)
    if lines is None:
        return
    if not lines:
        yield SAME
        return
    yield "- yours, + the course's:"
    lines = [(sign, line) for sign, line in lines if sign != "~"]
    yield from (f"  {sign} {clip(line, 92)}" for sign, line in lines[:12])
    if len(lines) > 12:
        yield f"  and {len(lines) - 12} more"


def _wrap(line: str, longest: int = 3 * WIDTH) -> list[str]:
    """So many characters of `line` at most, in lines of the terminal with its own indentation."""
    indent = " " * (len(line) - len(line.lstrip()))
    body, inner, most = " ".join(clip(line, longest).split()), indent + "  ", longest // WIDTH
    wrapper = textwrap.TextWrapper(WIDTH, indent, inner, max_lines=most, placeholder=" ...")
    return wrapper.wrap(body)
