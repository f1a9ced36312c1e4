"""The course as it lies on disk: the lessons in order, and the exercises of each topic."""

from __future__ import annotations

import difflib
import importlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from . import interpreter
from .folders import LESSONS, PACKAGES, ROOT, SOLUTIONS
from .user_error import LIST_SHOWS, UserError, did_you_mean

if TYPE_CHECKING:
    from .exercise import Exercise, Question

PAGES = PACKAGES / "autograder" / "exercises"  # hints and mistakes, beside the modules of the topics
NEAR = 0.88  # of difflib's ratios
LONG = 6  # letters; a shorter name is an everyday word, and so are its neighbours


@dataclass(frozen=True)
class Lesson:
    """A lesson: its number and topic, e.g. 2 and "online_softmax"; `stem` is the name of its files."""

    number: int
    topic: str

    @property
    def stem(self) -> str:
        return f"{self.number:02d}_{self.topic}"

    @property
    def source(self) -> Path:
        return LESSONS / f"{self.stem}.md"

    @property
    def notebook(self) -> Path:
        return LESSONS / f"{self.stem}.ipynb"

    @property
    def page(self) -> Path:
        """The hints and mistakes of its exercises."""
        return PAGES / f"{self.topic}.md"

    @property
    def solved(self) -> Path:
        return SOLUTIONS / f"{self.stem}.ipynb"

    @property
    def title(self) -> str:
        """The first heading of the source."""
        return next(line[2:].strip() for line in self.source.read_text().splitlines() if line.startswith("# "))

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """Those of the topic, with their hints and mistakes. Raises UserError if its page is wrong, line by line."""
        return _exercises(self)

    @property
    def questions(self) -> tuple[Question, ...]:
        return tuple(_topic(self.topic).QUESTIONS)


@cache
def lessons() -> tuple[Lesson, ...]:
    """All lessons, in the order of their numbers."""
    found = (re.fullmatch(r"(\d\d)_(\w+)", path.stem) for path in LESSONS.glob("*.md"))
    return tuple(sorted((Lesson(int(m[1]), m[2]) for m in found if m), key=lambda lesson: lesson.number))


def lesson_named(name: str) -> Lesson:
    """The lesson called `name`: its stem, topic, or number. Raises LookupError that names close ones."""
    for lesson in lessons():
        if name in (lesson.stem, lesson.topic, str(lesson.number), f"{lesson.number:02d}"):
            return lesson
    known = [lesson.topic for lesson in lessons()]
    raise LookupError(f"there is no lesson {name!r}{did_you_mean(name, known, LIST_SHOWS)}")


@cache
def exercises() -> dict[str, Exercise]:
    """Every exercise by name, in the order of the course."""
    return {exercise.name: exercise for lesson in lessons() for exercise in lesson.exercises}


def exercise_named(name: str) -> Exercise:
    """The exercise called `name`. Raises LookupError that names the closest ones."""
    found = exercises().get(name)
    if found:
        return found
    raise LookupError(f"{name!r} is not an exercise of the course{did_you_mean(name, exercises(), LIST_SHOWS)}")


def near_exercise(name: str) -> str:
    """The exercise whose name, if it is a long one, is nearly this one; "" if there is none."""
    close = difflib.get_close_matches(name, (each for each in exercises() if len(each) >= LONG), n=1, cutoff=NEAR)
    return close[0] if close and name not in exercises() else ""


def exercise_of(verb: str, function: Any, example: str = "safe_softmax") -> Exercise:
    """The exercise of the function, or class, that `verb` is given; `example` is one that it could be given.

    Raises TypeError if it is neither, an object of an exercise's class included, and LookupError if no exercise has
    its name.
    """
    kind = type(function).__name__
    if kind in exercises():
        raise TypeError(f"{verb}() takes the class itself, as in {verb}({kind}); got an object of it")
    if not callable(function) or not hasattr(function, "__name__"):
        raise TypeError(f"{verb}() takes the function itself, as in {verb}({example}); got {kind}")
    return exercise_named(function.__name__)


def lesson_of(exercise: Exercise) -> Lesson:
    """The lesson in which the exercise stands."""
    return next(lesson for lesson in lessons() if lesson.topic == exercise.topic)


@cache
def _exercises(lesson: Lesson) -> tuple[Exercise, ...]:
    from . import mistakes  # here, since it imports PyTorch, for which a lesson's name does not wait

    sections, problems = mistakes.read(lesson.page.read_text(encoding="utf-8"))
    exercises, misfits = mistakes.joined(_topic(lesson.topic).EXERCISES, sections)
    if problems or misfits:
        at = lesson.page.relative_to(ROOT)
        raise UserError("\n".join(f"{at}:{line}: {said}" for line, said in sorted([*problems, *misfits])))
    return tuple(exercises)


def _topic(topic: str) -> ModuleType:
    interpreter.choose()
    return importlib.import_module(f"autograder.exercises.{topic}")
