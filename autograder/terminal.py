"""What the commands print: tables for people, in colour where the terminal has it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from .markup import clip, number

MOST_ROWS, MOST_REASONS = 40, 5  # of a class in the terminal; report.html has them all

# One sign and colour for each status of an exercise, in tables where a word has no room.
SIGNS = {
    "pass": ("+", "green"),
    "partial": ("~", "yellow"),
    **dict.fromkeys(("fail", "error", "timeout", "memory"), ("-", "red")),
    "not_attempted": (".", "bright_black"),
}
LOOK = ("!", "bold magenta")  # any other status is for a person to look at


def show(what: RenderableType) -> None:
    Console(highlight=False).print(what)


def table(*columns: str, right: Sequence[str] = ()) -> Table:
    made = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in columns:
        side: Any = "right" if column in right else "left"
        made.add_column(column, justify=side, overflow="fold", no_wrap=column in ("lesson", "exercise"))
    return made


def course_table() -> RenderableType:
    """Every exercise of the course with its points, back end and state."""
    from .course import lessons, without_triton
    from .journal import read

    entries = read()
    made = table("lesson", "exercise", "points", "back end", "state", right=["points"])
    for lesson in lessons():
        for i, exercise in enumerate(lesson.exercises):
            entry = entries.get(exercise.name)
            sign, style = SIGNS.get(entry.status if entry else "not_attempted", LOOK)
            state = f"{sign} {number(entry.best)} / {number(exercise.points)}" if entry and entry.attempts else sign
            name = "" if i else lesson.stem
            made.add_row(name, exercise.name, number(exercise.points), exercise.backend, Text(state, style))
    missing = without_triton()
    return Group(made, Text(f"{missing}.")) if missing else made


def receipt(path: Path, manifest: dict[str, Any]) -> RenderableType:
    """What a zip holds, what was recognised in it, and how the public checks went."""
    from .submit import outlook
    from .verdict import MEANING

    files = table("file", "bytes", "SHA-256 begins with", right=["bytes"])
    for file in manifest["files"]:
        files.add_row(Text(clip(file["name"])), f"{file['bytes']:,}", file["sha256"][:16])
    found = table("recognised", "public check", "points", right=["points"])
    for entry in manifest["public_checks"]:
        sign, style = SIGNS.get(entry["status"], LOOK)
        points = f"{number(entry['points'])} / {number(entry['max_points'])}"
        found.add_row(entry["exercise"], Text(f"{sign} {MEANING[entry['status']]}", style), points)
    for name in manifest["untouched"]:
        found.add_row(name, Text(". untouched", SIGNS["not_attempted"][1]), "")
    return Group(files, "", found, "", outlook(manifest), f"Submission {manifest['hash']}", Text(f"Hand in {path}"))


def class_table(results: Sequence[dict[str, Any]]) -> RenderableType:
    """Students by lesson, a sign for each exercise, cut to a readable length; below it why some were not graded."""
    from .course import exercises, lesson_of

    topics: dict[str, list[int]] = {}
    for i, entry in enumerate(results[0]["exercises"]):
        lesson = lesson_of(exercises()[entry["exercise"]])
        topics.setdefault(f"{lesson.number:02d}", []).append(i)
    made = table("student", *topics, "points", right=["points"])
    for result in results[:MOST_ROWS]:
        signs = [SIGNS.get(e["status"], LOOK) for e in result["exercises"]]
        cells = [Text.assemble(*(signs[i] for i in columns)) for columns in topics.values()]
        points = f"{number(result['points'])} / {number(result['max_points'])}"
        made.add_row(Text(clip(result["student"], 40)), *cells, points)
    left = len(results) - MOST_ROWS
    more = [f"and {left} more students in the report"] if left > 0 else []
    legend = "+ right   ~ partly   - wrong   . not attempted   ! see the report"
    return Group(made, *more, legend, *_not_graded(results))


def _not_graded(results: Sequence[dict[str, Any]]) -> list[Text]:
    """A line for each reason why exercises were not graded: it may be one that only the reader can mend."""
    reasons: dict[str, dict[str, None]] = {}
    for entry in (entry for result in results for entry in result["exercises"] if entry["status"] == "infra"):
        reasons.setdefault(entry["note"], {})[entry["exercise"]] = None
    lines = []
    for reason, names in list(reasons.items())[:MOST_REASONS]:
        first, left = ", ".join(list(names)[:3]), len(names) - 3
        lines.append(Text(f"Not graded: {first}{f' and {left} more' if left > 0 else ''}. {clip(reason)}."))
    return lines
