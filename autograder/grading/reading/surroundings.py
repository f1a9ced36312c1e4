"""What an answer is run with: the lesson's setup, the course's modules, the answers it uses, and what it is lent."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from functools import cache

from ...backends import backend_of
from ...spec import notebook
from ...spec.catalogue import Lesson, exercise_named, exercises, lesson_of
from ...spec.code.names import names_bound, names_in
from ...spec.exercise import Exercise
from ...spec.folders import KERNELS
from .submission import Answer


@dataclass(frozen=True)
class Texts:
    """What a child runs for an exercise: (label, source) of what is set up, and of the answers, its own last. imports:
    the lines for what is lent from other lessons.
    """

    setup: tuple[tuple[str, str], ...]
    ran: tuple[tuple[str, str], ...]
    imports: tuple[str, ...]


def texts_for(exercise: Exercise, answers: dict[str, Answer]) -> Texts:
    lesson, lent = lesson_of(exercise), list(map(exercise_named, lent_to(exercise.name, answers)))
    imports = tuple(f"from {e.function.__module__} import {e.name}" for e in lent if lesson_of(e) is not lesson)
    names = [h for h in helpers_of(exercise.name, answers) if h in answers] + [exercise.name]
    own = [(e.name, e.source) for e in lent if lesson_of(e) is lesson]
    setup = (("setup", "\n".join([*imports, setup_for(exercise)])), *own)
    return Texts(setup, tuple((name, answers[name].source) for name in names), imports)


def setup_for(exercise: Exercise) -> str:
    """What is run before an answer: the released lesson's setup cells, or, for a CUDA kernel, its launcher's import."""
    return backend_of(exercise).launcher(exercise) or _lesson_setup(lesson_of(exercise))


@cache
def modules_for(lesson: Lesson, lent: tuple[str, ...] = ()) -> tuple[tuple[str, str], ...]:
    """(name, text) of the course's modules that the lesson's setup imports, and of those that these import.

    lent: the import lines of what an answer is lent besides.
    """
    found: dict[str, str] = {}
    texts = [*lent, _lesson_setup(lesson)]
    texts += [backend_of(exercise).launcher(exercise) for exercise in lesson.exercises]
    while texts:
        for name in re.findall(r"^from kernels import (\w+)|^from kernels\.(\w+) import", texts.pop(), re.M):
            topic = "".join(name)
            text = found.pop(f"kernels.{topic}", "") or KERNELS.joinpath(f"{topic}.py").read_text()
            found[f"kernels.{topic}"] = text  # behind all that import it
            texts.append(text)
    return tuple(reversed(found.items()))


@cache
def _lesson_setup(lesson: Lesson) -> str:
    return notebook.setup_source(notebook.read(lesson.notebook.read_text()))


def helpers_of(name: str, answers: dict[str, Answer]) -> list[str]:
    """The other exercises of the lesson that an answer uses, directly or through another, in the course's order."""
    lesson = lesson_of(exercises()[name]).exercises
    home = {f: e.name for e in lesson for f in (e.name, *(kernel.__name__ for kernel in e.kernels))}
    found, new = set[str](), {name}
    while new:
        found |= new
        new = {home[used] for n in new if n in answers for used in names_in(answers[n].source) if used in home} - found
    return [exercise.name for exercise in lesson if exercise.name in found and exercise.name != name]


def lent_to(name: str, answers: dict[str, Answer]) -> list[str]:
    """The exercises before this one that an answer uses, directly or through another, and that nothing hands in.

    It is lent the course's, but not the later ones: they may hold the answer.
    """
    if not exercises()[name].engine.is_python:
        return []
    before = {e.name: e for e in itertools.takewhile(lambda e: e.name != name, exercises().values())}
    home = {f: e.name for e in before.values() for f in (e.name, *(kernel.__name__ for kernel in e.kernels))}
    lesson = lesson_of(exercises()[name])
    there = names_bound(_lesson_setup(lesson)) | answers.keys()
    waiting = {n: answers[n].source for n in (name, *helpers_of(name, answers)) if n in answers}
    found: dict[str, str] = {}
    while waiting:
        used = {home[word] for source in waiting.values() for word in names_in(source) - there if word in home}
        new = {n: before[n].source for n in used - found.keys() - answers.keys()}
        found |= new  # a lesson's own functions are lent as text, which uses others; the rest comes as modules
        waiting = {n: source for n, source in new.items() if lesson_of(before[n]) is lesson}
    return [n for n in before if n in found and before[n].engine.is_python]
