"""The ladder of hints: hint(f) opens the next rung. Opening one is noted in the progress file and costs nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import journal
from .course import exercise_of
from .markup import BLUE, Shown, details, esc, frame, heading, plain, prose, word
from .mistake import Mistake
from .spec import Exercise

RUNGS = ("the idea", "where to look", "the step with numbers", "the code")


def hint(function: Callable[..., Any], rung: int | None = None) -> Shown:
    """The next rung for the exercise `function` that was not opened yet, or rung number `rung`, counted from 1.

    Raises TypeError if `function` is neither function nor class, LookupError if no exercise has its name, and Mistake
    if there is no such rung.
    """
    exercise = exercise_of("hint", function)
    count = len(exercise.ladder)
    if rung is None:
        opened = journal.rungs(exercise.name)
        rung = next((r for r in range(1, count + 1) if r not in opened), count)
    elif rung not in range(1, count + 1):
        raise Mistake(f"{exercise.name} has {count} hints: ask for one from 1 to {count}, not {rung!r}")
    journal.record_hint(exercise.name, rung)
    return shown(exercise, rung)


def shown(exercise: Exercise, rung: int) -> Shown:
    """One rung, with the way to the next one."""
    text, count = exercise.ladder[rung - 1], len(exercise.ladder)
    after = f"hint({exercise.name}, {rung + 1}) is the next of {count}." if rung < count else "This was the last one."
    title = label(exercise, rung)
    head = heading(word(title, BLUE), esc(exercise.name), aside=f'<span style="opacity:.7">{esc(after)}</span>')
    return Shown(f"{exercise.name}: {title}\n{plain(text)}\n{after}", frame(BLUE, head, prose(text)))


def label(exercise: Exercise, rung: int) -> str:
    """The name of a rung, e.g. "Hint 2 of 4: where to look"."""
    kind = f": {RUNGS[rung - 1]}" if len(exercise.ladder) == len(RUNGS) else ""
    return f"Hint {rung} of {len(exercise.ladder)}{kind}"


def ladder(exercise: Exercise, only_first: bool = False) -> str:
    """The rungs as folds, each inside the one before it, so that they open in order and without a kernel."""
    inside = ""
    for rung in range(1 if only_first else len(exercise.ladder), 0, -1):
        inside = details(label(exercise, rung), prose(exercise.ladder[rung - 1]) + inside)
    return inside
