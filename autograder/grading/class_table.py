"""A class as a table in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from ..showing.markup import clip, number
from ..showing.terminal import LOOK, SIGNS, table
from .results import waits

MOST_ROWS, MOST_REASONS = 40, 5  # for a class in the terminal; report.html has them all
MOST_STUDENTS, MOST_EXERCISES = 10, 3  # that a line names


def class_table(results: Sequence[dict[str, Any]]) -> RenderableType:
    """Students by lesson, a sign for each exercise, cut to a readable length; below it why some were not graded."""
    from ..spec.catalogue import exercises, lesson_of

    topics: dict[str, list[int]] = {}
    for i, entry in enumerate(results[0]["exercises"]):
        lesson = lesson_of(exercises()[entry["exercise"]])
        topics.setdefault(f"{lesson.number:02d}", []).append(i)
    made = table("student", *topics, "points", right=["points"])
    for result in results[:MOST_ROWS]:
        signs = [SIGNS.get(e["status"], LOOK) for e in result["exercises"]]
        cells = [Text.assemble(*(signs[i] for i in columns)) for columns in topics.values()]
        points = "waits" if waits(result) else f"{number(result['points'])} / {number(result['max_points'])}"
        made.add_row(Text(clip(result["student"], 40)), *cells, points)
    left = len(results) - MOST_ROWS
    more = [f"and {left} more in the report"] if left > 0 else []
    legend = "+ right   ~ partly   - wrong   . not attempted   ! see the report"
    return Group(made, *more, legend, *_flagged(results), *_not_graded(results))


def _flagged(results: Sequence[dict[str, Any]]) -> list[Text]:
    """A line that names whose answers wait for a person to look at them."""
    names = [r["student"] for r in results if any(entry["status"] == "flagged" for entry in r["exercises"])]
    return [Text(f"Flagged, for you to look at in the report: {_first(names, MOST_STUDENTS)}.")] if names else []


def _not_graded(results: Sequence[dict[str, Any]]) -> list[Text]:
    """A line for each reason why exercises were not graded, since only the reader may be able to fix it."""
    reasons: dict[str, dict[str, None]] = {}
    for entry in (entry for result in results for entry in result["exercises"] if entry["status"] == "infra"):
        reasons.setdefault(entry["note"], {})[entry["exercise"]] = None
    first = list(reasons.items())[:MOST_REASONS]
    return [Text(f"Not graded: {_first([*names], MOST_EXERCISES)}. {clip(reason)}.") for reason, names in first]


def _first(names: Sequence[str], most: int) -> str:
    left = f" and {len(names) - most} more" if names[most:] else ""
    return ", ".join(clip(name, 40) for name in names[:most]) + left
