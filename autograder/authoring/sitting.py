"""How long a lesson is: what there is to read, to write and to answer, and the minutes that it takes."""

from __future__ import annotations

import difflib
import inspect
import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..spec.catalogue import Lesson, exercise_named
from ..spec.exercise import Exercise
from ..spec.starter import begun_by, between, solutions, starter

# The course's rule of thumb: technical prose at 150 words a minute; code of a cell to run, and the contract and the
# given code of one to complete, at ten lines a minute; a line of a hole in 40 seconds; a minute for a figure, and one
# and a half to predict a number. It gave 53, 68 and 92 minutes for three lessons (flash_forward, flash_backward and all
# of long_context) for which one newcomer took 52, 68 and 95.
WORDS, LINES, FIGURES, HOLE_LINES, QUESTIONS = 150, 10, 1, 1.5, 1 / 1.5  # per minute

MOST_EXERCISES, MOST_LINES, MOST_WORDS = 5, 60, 2800
FEWEST_MINUTES, MOST_MINUTES = 45, 75

HIDDEN = "hide-input"  # the tag of a cell whose code is folded, such as a figure's

_FENCE = re.compile(r"^(?P<fence>`{3,}|:{3,})(?P<inside>.*?)^(?P=fence)\s*$", re.S | re.M)
_FORMULA = re.compile(r"\$\$.*?\$\$", re.S)
_FIGURE = re.compile(r"^ *(show|trace|plot_bench)\(", re.M)
_OPTIONAL = re.compile(r"^## [^\n]*\(optional\)\n.*?(?=^## |\Z)", re.S | re.M)


@dataclass(frozen=True)
class Sitting:
    """A lesson's size. words: of prose, without code and formulas; lines: to read, of code and of contracts.

    hole_lines: to write. figures: cells that show one.
    """

    words: int
    lines: int
    figures: int
    exercises: int
    hole_lines: int
    questions: int

    @property
    def exact_minutes(self) -> float:
        reading = self.words / WORDS + self.lines / LINES + self.figures / FIGURES
        doing = self.hole_lines / HOLE_LINES + self.questions / QUESTIONS
        return reading + doing

    @property
    def minutes(self) -> int:
        """To the nearest five, as they are shown."""
        return round(self.exact_minutes / 5) * 5

    def __str__(self) -> str:
        return (
            f"{self.minutes} minutes, {self.words} words, {self.hole_lines} lines to write in {self.exercises} "
            f"exercise{'s' * (self.exercises != 1)}"
        )


def sitting(lesson: Lesson, optional: bool = True) -> Sitting:
    """The whole lesson's size; or, not optional, without the sections that are marked so."""
    source = lesson.source.read_text()
    left_out = "" if optional else "".join(_OPTIONAL.findall(source))
    source = source if optional else _OPTIONAL.sub("", source)
    exercises = [exercise for exercise in lesson.exercises if f":exercise: {exercise.name}\n" not in left_out]
    cells = [m["inside"] for m in _FENCE.finditer(source)]
    code = [line for cell in cells if HIDDEN not in cell for line in cell.splitlines()[1:] if line.strip()]
    return Sitting(
        len(_FORMULA.sub("", _FENCE.sub("", source)).split()),
        sum(line[0] not in ":#" for line in code) + len(_given_lines(exercises)),
        sum(bool(_FIGURE.search(cell)) for cell in cells),
        len(exercises),
        sum(map(_new_lines, exercises)),
        len(lesson.questions) - left_out.count(":question: "),
    )


def problems(lesson: Lesson) -> Iterator[str]:
    """What makes it more or less than one sitting, in which nobody has to do what is optional."""
    size, minutes = sitting(lesson), round(sitting(lesson, optional=False).exact_minutes, 1)
    for found, most, unit in (
        (size.exercises, MOST_EXERCISES, "exercises"),
        (size.hole_lines, MOST_LINES, "lines to write"),
        (size.words, MOST_WORDS, "words"),
    ):
        if found > most:
            yield f"it has {found} {unit}; one sitting has at most {most}"
    if not FEWEST_MINUTES <= minutes <= MOST_MINUTES:
        yield f"it takes {minutes} minutes; one sitting is {FEWEST_MINUTES} to {MOST_MINUTES}"


def contract_apart(exercise: Exercise) -> str:
    """The contract of a kernel in CUDA C++, which is that of a Python function; "" where the cell holds its own."""
    if exercise.engine.is_python:
        return ""
    call = f"{exercise.name}({', '.join(inspect.signature(exercise.function).parameters)})"
    return f"{call}\n\n{inspect.getdoc(exercise.function)}"


def _given_lines(exercises: Iterable[Exercise]) -> set[str]:
    """What stands in the cells, contracts included, before anything is written; what cells share is read once."""
    texts = [text for exercise in exercises for text in (contract_apart(exercise), starter(exercise.source))]
    return {line.strip() for text in texts for line in text.splitlines() if line.strip(" {}")}


def _new_lines(exercise: Exercise) -> int:
    """Lines of its holes that an earlier answer, where one opens there, does not have."""
    new = 0
    for hole, source in zip(_holes(exercise), begun_by(exercise.source), strict=True):
        given = [line for first, last in source[1] for line in _given(source[0], first, last)] if source else []
        blocks = difflib.SequenceMatcher(None, given, hole, autojunk=False).get_matching_blocks()
        new += len(hole) - sum(block.size for block in blocks)
    return new


def _given(name: str, first: int, last: int) -> list[str]:
    earlier = exercise_named(name)
    return _lines(between(earlier.cell(with_solution=True), earlier.answer, first, last) or "")


def _holes(exercise: Exercise) -> list[list[str]]:
    return [_lines(hole) for hole in solutions(exercise.source)]


def _lines(code: str) -> list[str]:
    """Without those that hold nothing but a brace or a comment."""
    return [line for line in textwrap.dedent(code).splitlines() if line.strip(" {}") and line.lstrip()[0] != "#"]
