"""What the commands print: the course as a table, and the receipt of what is handed in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from ..showing.markup import clip, number
from ..showing.terminal import LOOK, SIGNS, table


def course_table() -> RenderableType:
    """Every exercise of the course with its points, back end and state."""
    from ..notebook.progress import read
    from ..spec.index import contents, without_triton

    entries = read()
    made = table("lesson", "exercise", "points", "back end", "state", right=["points"])
    for lesson in contents():
        for i, exercise in enumerate(lesson.exercises):
            entry = entries.get(exercise.name)
            sign, style = SIGNS.get(entry.status if entry else "not_attempted", LOOK)
            state = f"{sign} {number(entry.best)}" if entry and entry.attempts else sign
            name = "" if i else lesson.stem
            made.add_row(name, exercise.name, number(exercise.points), exercise.backend, Text(state, style))
    missing = without_triton()
    notes = [
        "+ right, ~ in part, - not right yet, . not begun; then your best points",
        f"{missing}." if missing else "",
    ]
    return Group(made, *(Text(note, "bright_black") for note in notes if note))


def receipt(path: Path, manifest: dict[str, Any]) -> RenderableType:
    """What a zip holds, what was recognised in it, and how the public checks went."""
    from ..judging.verdict import MEANING
    from ..notebook.submit import outlook

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
    notes = [Text(f"{entry['exercise']}: {entry['note']}") for entry in manifest["public_checks"] if entry["note"]]
    return Group(
        files, "", found, "", *notes, outlook(manifest), f"Submission {manifest['hash']}", Text(f"Hand in {path}")
    )
