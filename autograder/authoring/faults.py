"""What is wrong in the sources of a lesson's exercises, found before anything is built of them or proved."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

from kernels import CUDA

from ..spec import catalogue
from ..spec.catalogue import Lesson
from ..spec.exercise import Exercise
from ..spec.folders import ROOT
from ..spec.starter import BEGIN, unpaired
from ..spec.user_error import UserError, did_you_mean


def faults(lesson: Lesson) -> list[str]:
    """A sentence each, with file and line: the form of the topic's page, diffs that do not apply, holes not closed,
    exercises and questions that are not there.
    """
    try:
        exercises = lesson.exercises
    except UserError as error:
        return str(error).splitlines()
    found = [said for exercise in exercises for said in (*_holes(exercise), *_edits(exercise, lesson))]
    return [*found, *_unknown(lesson)]


def _unknown(lesson: Lesson) -> Iterator[str]:
    """What the lesson's cells name and nobody has made."""
    known = {"exercise": set(catalogue.exercises()), "question": {question.name for question in lesson.questions}}
    for line, text in enumerate(lesson.source.read_text().split("\n"), 1):
        named = re.fullmatch(r":(exercise|question): *(\S+)", text.strip())
        if named and named[2] not in known[named[1]]:
            meant = did_you_mean(named[2], known[named[1]])
            yield f"{lesson.source.relative_to(ROOT)}:{line}: there is no {named[1]} {named[2]!r}{meant}"


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
        for line, opening in enumerate(text.split("\n"), first):
            begun = re.search(rf"{BEGIN} from (\w+)", opening)
            if begun and begun[1] not in catalogue.exercises():
                yield f"{path.relative_to(ROOT)}:{line}: a hole opens with {begun[1]!r}, which is no exercise"


def _where(exercise: Exercise) -> Iterator[tuple[Path, int, str]]:
    """File, first line and text of each piece of the solution."""
    if not exercise.engine.is_python:
        yield CUDA / f"{exercise.name}.cu", 1, exercise.source
        return
    for function in (*(kernel.fn for kernel in exercise.kernels), exercise.function):
        lines, first = inspect.getsourcelines(function)
        yield Path(inspect.getfile(function)), first, "".join(lines)
