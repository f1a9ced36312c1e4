"""What is wrong in the sources of a lesson's exercises, found before anything is built of them or proved."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

from ..spec.catalogue import Lesson
from ..spec.exercise import Exercise
from ..spec.folders import KERNELS, ROOT
from ..spec.starter import unpaired
from ..spec.user_error import UserError


def faults(lesson: Lesson) -> list[str]:
    """A sentence each, with file and line: the form of the topic's page, diffs that do not apply, holes not closed."""
    try:
        exercises = lesson.exercises
    except UserError as error:
        return str(error).splitlines()
    return [said for exercise in exercises for said in (*_holes(exercise), *_edits(exercise, lesson))]


def _edits(exercise: Exercise, lesson: Lesson) -> Iterator[str]:
    for mutant in exercise.mutants:
        try:
            exercise.with_mistake(mutant)
        except UserError as error:
            page = lesson.page if mutant.line else lesson.page.with_suffix(".py")
            yield f"{page.relative_to(ROOT)}:{mutant.line}: {error}"


def _holes(exercise: Exercise) -> Iterator[str]:
    for path, first, text in _where(exercise):
        for line, said in unpaired(text):
            yield f"{path.relative_to(ROOT)}:{first + line - 1}: {said}"


def _where(exercise: Exercise) -> Iterator[tuple[Path, int, str]]:
    """File, first line and text of each piece of the solution."""
    if exercise.backend == "cuda":
        yield KERNELS / "cuda" / f"{exercise.name}.cu", 1, exercise.source
        return
    for function in (*(kernel.fn for kernel in exercise.kernels), exercise.function):
        lines, first = inspect.getsourcelines(function)
        yield Path(inspect.getfile(function)), first, "".join(lines)
