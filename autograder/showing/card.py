"""The card: one verdict as static HTML, always under 30 kB. `text` says the same in plain text."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence

from ..judging.verdict import CaseResult, Verdict
from . import svg
from .diff import against_course
from .error_map import error_map
from .markup import (
    AMBER,
    BLUE,
    GREEN,
    GREY,
    MONO,
    MUTED,
    RED,
    block,
    code,
    details,
    esc,
    frame,
    heading,
    inline,
    prose,
    rows,
    word,
)
from .text import LONGEST, text
from .words.advice import advice
from .words.ladder import RUNGS, ladder
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

__all__ = ["html", "text"]

MAX_BYTES = 30_000
ACCENTS = {
    "pass": GREEN,
    "not_attempted": GREY,
    "timeout": AMBER,
    "memory": AMBER,
    "flagged": BLUE,
    "infra": BLUE,
}  # any other status: red
# What a card leaves out, one after the other, if its texts are so long that it would be too large.
OPTIONAL = ("difference", "list", "titles", "map", "hints")

Row = tuple[str, str]


def html(verdict: Verdict) -> str:
    """The verdict as one HTML element, without scripts or external resources; at most MAX_BYTES long in UTF-8."""
    for dropped in range(len(OPTIONAL) + 1):
        made = _card(verdict, OPTIONAL[dropped:])
        if len(made.encode()) <= MAX_BYTES:
            break
    return made


def brief(verdict: Verdict) -> str:
    """The verdict line alone, for use right below the whole card."""
    return frame(accent(verdict), _head(verdict, titles=True), label=_label(verdict))


def accent(verdict: Verdict) -> str:
    """The colour of the verdict: green for right, amber over a limit, red wrong, grey and blue not judged."""
    return AMBER if verdict.headline.startswith("right, but") else ACCENTS.get(verdict.status, RED)


def _label(verdict: Verdict) -> str:
    return f"{verdict.name}: {verdict.headline}"


def _head(verdict: Verdict, titles: bool) -> str:
    name = f'<b style="{MONO};font-weight:bold">{esc(verdict.name, 80)}</b>'
    dots = f"{svg.dots(verdict.cases, titles)}&ensp;{tally(verdict)}" if verdict.cases else ""
    return heading(name, word(verdict.headline, accent(verdict)), dots, aside=points(verdict))


def _card(verdict: Verdict, parts: Collection[str]) -> str:
    head = _head(verdict, "titles" in parts)
    if verdict.status == "not_attempted":
        hints = ladder(verdict.exercise, only_first=True) if "hints" in parts else ""
        said = f"<div>{esc(verdict.note)} {WHAT_TO_DO}</div>"
        return frame(accent(verdict), head, said, hints, label=_label(verdict))
    body: list[Row] = [("note", esc(verdict.note))] if verdict.note else []
    failed = verdict.first_failure
    if failed:
        body += _failure(verdict, failed)
    for over in verdict.over:
        line = f"<div>{where(over.line)}: {code(over.text, 160)}</div>" if over.line else ""
        body.append((over.label, esc(over.message, LONGEST) + line))
    if verdict.diagnosis:
        call = code(f"hint({verdict.name}, {verdict.diagnosis.hint})")
        shows = RUNGS[verdict.diagnosis.hint - 1]
        body.append(("cause", f"<b>{inline(diagnosis(verdict))}</b> {call} shows {shows}."))
    if failed:
        body += _size(failed, "map" in parts)
    if why := why_no_points(verdict):
        body.append(("points", why))
    if verdict.status == "pass":
        body += _sentences(measured(verdict))
        if others := _sentences(folded(verdict)):
            body.append(("more", details("What else was counted", rows(others))))
        body += _difference(verdict) if "difference" in parts else []
    body += [("cases", _case_list(verdict))] if verdict.cases and "list" in parts else []
    if verdict.status != "pass" and "hints" in parts and verdict.status not in ("infra", "flagged"):
        body.append(("hints", ladder(verdict.exercise)))
    return frame(accent(verdict), head, rows(body) if body else "", label=_label(verdict))


def _sentences(pairs: Sequence[Row]) -> list[Row]:
    return [(label, esc(said, LONGEST)) for label, said in pairs]


def _case_list(verdict: Verdict) -> str:
    """All cases by name, folded: what the dots say to those who see them."""
    cases = verdict.cases[: svg.MOST_DOTS]
    items = "".join(f"<li>{inline(case.name)}: {case.meaning}</li>" for case in cases)
    return details("Each by its name", f'<ol style="margin:0;padding-left:24px">{items}</ol>')


def _failure(verdict: Verdict, failed: CaseResult) -> list[Row]:
    """The first case that fails, and only that: what went in and what came out."""
    given = f'<div style="{MUTED}">{code(failed.arguments)}</div>'
    out = [(case_label(verdict), f"<b>{inline(failed.name)}</b>{given}")]
    said = failed.message
    message = block(said, 600) if "\n" in said else esc(said, 600)
    if failed.failure and failed.failure.line:
        place = where(failed.failure.line, failed.failure.function)
        message += f"<div>{esc(place)}: {code(failed.failure.text, 160)}</div>"
    if helps := advice(verdict, failed):
        message += prose(helps, 600)
    out.append(("error" if failed.failure else "answer", message))
    if failed.numbers:
        out.append(("numbers", block(table(failed.numbers), 3000)))
    return out


def _size(failed: CaseResult, with_map: bool) -> list[Row]:
    """What was allowed and why, and where the error lies."""
    out = []
    bound = rule(failed.worst)
    if bound:
        numbers = esc(bound).replace(" x ", " &times; ").replace("e-", "e-&#8288;")  # never broken at the exponent
        out.append(("rule", f'<span style="{MUTED};font-size:.94em">{numbers}</span>'))
    seen = error_map(failed) if with_map else None
    if seen:
        caption = f"{code(seen.title)}: {esc(seen.sentence()).replace(' x ', ' &times; ')}"
        out.append(("where", f"<div>{caption}</div>{svg.heat_map(failed)}"))
    return out


def _difference(verdict: Verdict) -> list[Row]:
    """The learner's lines beside the course's, folded."""
    lines = against_course(verdict)
    if lines is None:
        return []
    if not lines:
        return [("course", SAME)]
    spans = []
    for sign, group in itertools.groupby(lines[:60], key=lambda pair: pair[0]):
        shown = "\n".join("  ..." if sign == "~" else f"{esc(sign)} {esc(line, 110)}" for _, line in group)
        edge, tint = {"-": (AMBER, AMBER + "22"), "+": (GREEN, GREEN + "22")}.get(sign, ("transparent", "none"))
        style = f"display:block;border-left:3px solid {edge};background:{tint};padding-left:6px"
        spans.append(f'<span style="{style}">{shown}</span>')
    more = f"<div>and {len(lines) - 60} more</div>" if len(lines) > 60 else ""
    pre = f'<pre style="{MONO};margin:4px 0;white-space:pre;overflow-x:auto">{"".join(spans)}</pre>{more}'
    return [("course", details("Compare with the course's version (- yours, + the course's)", pre))]
