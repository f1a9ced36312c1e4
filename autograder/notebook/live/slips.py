"""What a cell makes in an exercise's place, under another name or in another way, so that it is not checked."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from types import FunctionType
from typing import Any

from ...backends import backend_of
from ...backends.cuda import CudaFunction
from ...spec.catalogue import exercises, near_exercise
from ...spec.notebook import begins_inside
from .names import bound_by, exercise_of_cell, session_lesson

DEFINED = (FunctionType, CudaFunction, type)  # what an exercise's cell defines
NOT_DEFINED = "{0} is not checked: define it by `{1}`, without a decorator, as the lesson does."
RENAMED = "This cell was {0}'s; it makes {1}, so {0} is not checked."
NEAR = "{0} is no exercise, so it is not checked; did you mean {1}?"
SPLIT = (
    "This cell begins inside of a function. If it was split from the cell above, select both and choose Edit, Merge "
    "Selected Cells."
)
INSTEAD = "{1} looks like {0} under another name: call it {0}, and run its cell again."


def slips(cell: str, cell_id: str | None, session: Mapping[str, Any]) -> Iterator[str]:
    """A sentence on each, once the cell has run."""
    bound = list(dict.fromkeys(bound_by(cell)))
    for name in bound:
        if name in exercises() and callable(session.get(name)) and not is_definition(name, session[name]):
            yield NOT_DEFINED.format(name, begins(name))
    makes = [name for name in bound if cell.startswith("%%cuda") or is_made_here(session.get(name), session)]
    meant = exercise_of_cell(cell_id, session_lesson(session))
    if meant and meant not in bound and makes:
        yield RENAMED.format(meant, listed(makes))
        return
    for name in bound:
        near, function = near_exercise(name), session.get(name)
        if not near or (attempted(near, session.get(near)) and not _has_text_of(near, function)):
            continue
        if cell.startswith("%%cuda") or isinstance(function, DEFINED):
            yield NEAR.format(name, near)


def is_split_off(cell: str, succeeded: bool) -> bool:
    """Whether a cell, of which IPython takes out the indentation, looks like the rest of a function or class."""
    return begins_inside(cell) and (not succeeded or re.search(r"^[ \t]+(?:return|def)\b", cell, re.M) is not None)


def instead_of(name: str, session: Mapping[str, Any]) -> str:
    """A sentence on what the session has in the place of an exercise, under another name; "" if there is nothing."""
    if name not in exercises() or attempted(name, session.get(name)):
        return ""
    made = [other for other in session if other not in exercises() and is_made_here(session[other], session)]
    alike = [other for other in made if _has_text_of(name, session[other]) or near_exercise(other) == name]
    return INSTEAD.format(name, alike[-1]) if alike else ""


def is_definition(name: str, made: Any) -> bool:
    """Whether it is what an exercise's cell makes when it defines that name as the lesson does."""
    return isinstance(made, DEFINED) and made.__name__ == name


def is_made_here(made: Any, session: Mapping[str, Any]) -> bool:
    """Whether it is a function or class of the session, and not taken from a file of theirs."""
    return isinstance(made, DEFINED) and made.__module__ == session.get("__name__")


def begins(name: str) -> str:
    """How the exercise's definition begins in Python."""
    return f"{'class' if isinstance(exercises()[name].function, type) else 'def'} {name}"


def attempted(name: str, function: Any) -> bool:
    """Whether what the session has under an exercise's name is more than its starter."""
    exercise = exercises().get(name)
    return exercise is not None and backend_of(exercise).attempted(exercise, function)


def _has_text_of(name: str, function: Any) -> bool:
    """Whether a function under another name begins with the text of this exercise: it is the exercise, misspelled."""
    first = (inspect.getdoc(exercises()[name].function) or "").partition("\n")[0]
    return isinstance(function, DEFINED) and bool(first) and (inspect.getdoc(function) or "").startswith(first)


def listed(names: Sequence[str]) -> str:
    """The names as a sentence has them: "a", "a and b", "a, b and c"."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
