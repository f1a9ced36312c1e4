"""The ladder of hints: hint(f) opens the next rung. Opening one is recorded in the progress file and costs nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..showing.markup import BLUE, Shown, esc, frame, heading, plain, prose, word
from ..showing.words.ladder import asking, label
from ..spec.catalogue import exercise_of
from ..spec.exercise import Exercise
from ..spec.user_error import UserError
from . import progress


def hint(function: Callable[..., Any], rung: int | None = None) -> Shown:
    """The next unopened rung for the exercise `function`, or rung number `rung`, counted from 1.

    Raises TypeError if `function` is neither function nor class, LookupError if no exercise has its name, and UserError
    if there is no such rung.
    """
    return opened(exercise_of("hint", function), rung)


def opened(exercise: Exercise, rung: int | str | None = None, in_terminal: bool = False) -> Shown:
    """The same for an exercise. in_terminal: where hint(f) cannot be called."""
    count = len(exercise.ladder)
    if rung is None:
        seen = progress.rungs(exercise.name)
        rung = next((r for r in range(1, count + 1) if r not in seen), count)
    elif isinstance(rung, str) or rung not in range(1, count + 1):
        raise UserError(f"{exercise.name} has {count} hints: ask for one from 1 to {count}, not {rung!r}")
    progress.record_hint(exercise.name, rung)
    text = exercise.ladder[rung - 1]
    following = f"{asking(exercise.name, rung + 1, in_terminal)} is the next of {count}."
    after = following if rung < count else "This was the last one."
    title = label(exercise, rung)
    head = heading(word(title, BLUE), esc(exercise.name), aside=f'<span style="opacity:.7">{esc(after)}</span>')
    return Shown(
        f"{exercise.name}: {title}\n{plain(text)}\n{after}",
        frame(BLUE, head, prose(text), label=f"{exercise.name}: {title}"),
    )
