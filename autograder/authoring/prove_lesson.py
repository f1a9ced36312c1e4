"""What has to be true of every lesson: its files are fresh, show no solution, and run as learners run them."""

from __future__ import annotations

import atexit
import itertools
import re
from collections.abc import Iterator
from functools import cache

from nbformat.v4 import new_code_cell, new_notebook

from ..notebook.live.names import RUN_ABOVE
from ..spec import notebook
from ..spec.catalogue import Lesson, exercises
from ..spec.exercise import Exercise
from ..spec.folders import KERNELS, LESSONS, ROOT
from ..spec.notebook import Notebook
from . import proof_cache, sitting
from .build import Kernel, solved_notebook, stale, student_notebook
from .new import UNWRITTEN

LARGEST_SOLVED = 500_000  # bytes
UNMADE = ("first, then run this cell again", RUN_ABOVE)  # what a cell says that lacks something
RUN = "the untouched and the solved notebook run, and every card of the solved one is green"
SHORT = {"TILEWISE_TRAINING": "5"}  # seconds, of what a lesson trains; to be built, it trains for as long as it says
EMPTIED = "%unload_ext autograder\n%reset -f"


def lesson_problems(lesson: Lesson) -> Iterator[str]:
    """What is wrong with a lesson's files."""
    yield from form_problems(lesson)
    yield from proof_cache.keeping([RUN], run_content(lesson), run_problems(lesson))


def form_problems(lesson: Lesson) -> Iterator[str]:
    """What can be seen of them without running anything."""
    names = [q.name for q in lesson.questions]
    released = student_notebook(lesson)
    asked, given = list(notebook.question_cells(released)), notebook.exercise_names(released)
    if given != [e.name for e in lesson.exercises]:
        yield f"its exercise cells are {given}, its exercises {[e.name for e in lesson.exercises]}"
    if sorted(asked) != sorted(names):
        yield f"it asks the questions {asked}, but answers {names}"
    own = "\n".join(cell.source for cell in released.cells if not notebook.grade_id(cell))
    for name in re.findall(r"^(?:def|class) (\w+)", own, re.M):
        if name in exercises():
            yield f"a cell of its own makes {name}, which would be checked as the exercise of that name"
    topic = lesson.page.with_suffix(".py")
    for path in (lesson.source, lesson.page, KERNELS / topic.name, topic):
        if UNWRITTEN in path.read_text().replace("`TODO`", ""):
            yield f"{path.relative_to(ROOT)} still says {UNWRITTEN}"
    yield from sitting.problems(lesson)
    for path in stale(lesson):
        yield f"{path.relative_to(ROOT)} is stale; run make build"
    if lesson.solved.exists() and lesson.solved.stat().st_size > LARGEST_SOLVED:
        yield f"{lesson.solved.relative_to(ROOT)} is larger than {LARGEST_SOLVED} bytes"
    for exercise in lesson.exercises:
        if any(_shows(path.read_text(), exercise) for path in LESSONS.glob(f"{lesson.stem}.*")):
            yield f"the solution of {exercise.name} is visible in lessons/"


def run_problems(lesson: Lesson) -> Iterator[str]:
    """What goes wrong when the notebook is run as a learner opens it, and then with every solution in its place.

    One after the other in one kernel, as other lessons before them: most of a run's time is the kernel's start.
    """
    untouched, solved = student_notebook(lesson), solved_notebook(lesson)
    for cell in solved.cells:
        cell.id += "-solved"
    cells = [*untouched.cells, new_code_cell(EMPTIED), *solved.cells, new_code_cell(EMPTIED)]
    both = new_notebook(cells=cells, metadata=solved.metadata)
    both = _executed(both)
    untouched.cells, solved.cells = both.cells[: len(untouched.cells) + 1], both.cells[len(untouched.cells) + 1 :]
    yield from (f"the untouched notebook raises {error}" for error in _errors(untouched))
    yield from _solved_problems(lesson, solved)


def _solved_problems(lesson: Lesson, done: Notebook) -> Iterator[str]:
    yield from (f"the solved notebook raises {error}" for error in _errors(done))
    shown = ["".join(o.data.get("text/html", "")) for o in notebook.outputs(done) if "data" in o]
    for exercise in lesson.exercises:
        cards = [text for text in shown if exercise.name in text and " cases" in text]
        if not cards or not all("right" in card for card in cards):
            yield f"in the solved notebook the cards of {exercise.name} are not all green"
        if exercise.kernels and not any("registers per thread" in card for card in cards):
            yield f"in the solved notebook {exercise.name} was not compiled"
    for output in notebook.outputs(done):
        said = output.text if output.output_type == "stream" else output.get("data", {}).get("text/plain", "")
        if output.get("name") == "stderr" or any(s in said for s in UNMADE):
            yield f"the solved notebook says {said!r}"


def run_content(lesson: Lesson) -> str:
    """A hash of all that `run_problems` depends on."""
    return proof_cache.of_lesson(lesson, [*_code(student_notebook(lesson)), EMPTIED, *_code(solved_notebook(lesson))])


def _code(of: Notebook) -> list[str]:
    return [cell.source for cell in of.cells if cell.cell_type == "code"]


def _errors(done: Notebook) -> list[str]:
    return [f"{o.ename}: {o.evalue}" for o in notebook.outputs(done) if o.output_type == "error"]


def _shows(text: str, exercise: Exercise) -> bool:
    """Whether two consecutive lines of the solution's body stand in a lesson's file."""
    hidden = set(_code_lines(exercise.source)) - set(_code_lines(exercise.starter))
    body = [line for line in _code_lines(exercise.source) if line in hidden]
    shown = [line.strip().strip('",').removesuffix("\\n").strip() for line in text.splitlines()]
    return not set(itertools.pairwise(body)).isdisjoint(itertools.pairwise(shown))


def _code_lines(source: str) -> list[str]:
    return [line.strip() for line in source.splitlines() if len(line.strip()) > 12]


def _executed(untouched: Notebook) -> Notebook:
    """The notebook after a run that does not stop at an error."""
    for cell in untouched.cells:
        cell.metadata.setdefault("tags", []).append("raises-exception")
    return _kernel().execute(untouched)


@cache
def _kernel() -> Kernel:
    """The one in which this process runs lessons."""
    kernel = Kernel(**SHORT)
    atexit.register(kernel.close)
    return kernel
