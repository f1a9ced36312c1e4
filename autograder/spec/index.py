"""The course's index: its lessons, exercises and questions by name. To list them takes no PyTorch, as to run them does.

`tilewise build` writes it from the lessons and exercises, which are where its facts are at home.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from typing import Protocol

from ..runner.engines import ENGINES
from . import interpreter
from .folders import LESSONS

FILE = LESSONS / "index.json"


class Named(Protocol):
    """An exercise, or what the index says of it."""

    @property
    def name(self) -> str: ...
    @property
    def backend(self) -> str: ...


@dataclass(frozen=True)
class Listed:
    """An exercise: its name, points and back end."""

    name: str
    points: float
    backend: str


@dataclass(frozen=True)
class Contents:
    """A lesson: its number, the name of its files, its title, and what is asked in it, in order."""

    number: int
    stem: str
    title: str
    exercises: tuple[Listed, ...]
    questions: tuple[str, ...]


@cache
def contents() -> tuple[Contents, ...]:
    """All lessons, in the order of their numbers."""
    return tuple(
        Contents(**lesson | {"exercises": tuple(Listed(**e) for e in lesson["exercises"])})
        for lesson in json.loads(FILE.read_text(encoding="utf-8"))
    )


def as_text(lessons: Iterable[Contents]) -> str:
    """The content of the file, a line for each exercise, so that a change shows as one."""
    written = []
    for lesson in lessons:
        exercises = ",\n".join(f"    {json.dumps(asdict(exercise))}" for exercise in lesson.exercises)
        rest = json.dumps({name: value for name, value in asdict(lesson).items() if name != "exercises"})
        written.append(f'  {rest[:-1]}, "exercises": [\n{exercises}\n  ]}}')
    return "[\n" + ",\n".join(written) + "\n]\n"


def not_here(exercise: Named) -> str:
    """Why the exercise cannot be run on this machine, in one sentence; "" where it can."""
    if not ENGINES[exercise.backend].launches_triton or interpreter.has_triton():
        return ""
    return f"{exercise.name} needs Triton, which is not installed here; `tilewise doctor` says what to do"


def without_triton() -> str:
    """Where Triton is not installed, a sentence that names the lessons with exercises that need it; "" where it is."""
    stems = [lesson.stem for lesson in contents() if any(map(not_here, lesson.exercises))]
    said = "need Triton, which is not installed here (`tilewise doctor` says what to do); all others work"
    return f"The Triton exercises of {', '.join(stems[:-1])} and {stems[-1]} {said}" if stems else ""
