"""What replaces nbgrader's own steps when it grades a submission: rebuild it, then grade it outside.

nbgrader runs the first step on what was handed in and the second on the result of the first. Its gradebook then takes
the points from the outputs of the check cells, as always.
"""

from __future__ import annotations

import glob
import logging
import os
import re
import shutil
import sys
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

from nbconvert.exporters import NotebookExporter
from nbformat.v4 import new_notebook, new_output
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import ClearSolutions, NbGraderPreprocessor, SaveAutoGrades
from sqlalchemy.exc import SAWarning
from traitlets import Bool, Float, Integer

from ..grading.classroom import SEED
from ..grading.grade import result_of, verdicts_for
from ..grading.reading.files import one_line
from ..grading.reading.limited import reader
from ..grading.reading.submission import Submission
from ..grading.results import as_json
from ..judging.verdict import Verdict
from ..processes.child_link import Limits
from ..processes.files import write_atomically
from ..processes.wall import NO_BUBBLEWRAP, best_level
from ..showing import card
from ..spec import notebook
from ..spec.catalogue import exercises
from ..spec.notebook import CHECK, SOLVE, Cell, Notebook, grade_id
from .rebuild import is_marked, read_or_empty, rebuild

Resources = Any  # nbconvert's dict of what it knows about the notebook
RESULTS = "results.json"
HALF_DONE = "half_done"  # in a notebook's metadata: rebuilt, but not graded yet
FOR_A_PERSON = "tilewise_for_a_person"  # in an output's metadata: its points are not final


class NotGraded(RuntimeError):
    """A submission that cannot be graded now, through no fault of the student's; the message says what to do."""


# What stands in a traceback before the sentence with which an exception was raised for the instructor, nbgrader's too.
BEFORE_REASON = re.compile(r"^ *[\w.]+\.(?:NotGraded|NbGraderException): ", re.M)
NONE_FOUND = "No notebooks found, did you forget to run 'nbgrader generate_assignment'?"
NONE_NAMED = "no notebook has the name of the released one: give it that name in submitted/, or use `tilewise grade`"
UNREAD = re.compile(r"^ *\w+Error: \[Errno \d+\] ([^:]*): '(.*)'\s*\Z", re.M)


class BackToStarters(ClearSolutions):
    """Takes the solutions out: an exercise becomes its own starter, any other cell is cleared as nbgrader does."""

    def preprocess_cell(self, cell: Cell, resources: Resources, cell_index: int) -> tuple[Cell, Resources]:
        exercise = exercises().get(grade_id(cell).removeprefix(SOLVE))
        if exercise is None or not grade_id(cell).startswith(SOLVE):
            return super().preprocess_cell(cell, resources, cell_index)
        cell.source = exercise.cell(with_solution=False)
        return cell, resources


class AnyNotebook(NotebookExporter):
    """Does not look into what was handed in: RebuildNotebook, the first step, does so, behind limits.

    nbgrader makes one before it looks for what it has graded already. For it that is all that has a folder, also where
    a run was killed before the second step. Such a folder is removed, and so graded anew.
    """

    def __init__(self, **kw: Any):
        super().__init__(**kw)
        self.log.addFilter(in_a_sentence)
        warnings.filterwarnings("ignore", "Object of type <Submitted", SAWarning)  # of nbgrader's own queries
        sys.excepthook = say_stopped
        course = getattr(self.parent, "coursedir", None)
        if course and course.assignment_id:
            pattern = course.format_path(course.autograded_directory, course.student_id, course.assignment_id)
            for folder in map(Path, glob.glob(pattern)):
                graded = [path for path in folder.glob("*.ipynb") if path.is_file()]
                if not graded or any(map(_is_half_done, graded)):
                    self.log.warning("%s was left half-done by a run that was killed; it is graded again", folder)
                    shutil.rmtree(folder)

    def from_filename(self, filename: str, resources: Resources = None, **kw: Any) -> tuple[Any, Resources]:
        course = CourseDirectory(config=self.config)
        submitted = os.path.abspath(Path(course.root, course.submitted_directory))
        if Path(os.path.abspath(filename)).is_relative_to(submitted):  # where a link stands, not where it leads
            return self.from_notebook_node(new_notebook(), resources, **kw)
        return super().from_filename(filename, resources, **kw)


def say_stopped(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Ctrl-C, which nbgrader lets through, is no fault that a traceback would help to find; all else is."""
    if issubclass(kind, KeyboardInterrupt):
        print("Stopped. What is graded is kept; the same command goes on from here.", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


def in_a_sentence(record: logging.LogRecord) -> bool:
    """nbgrader logs a traceback for each submission that it does not grade: the reason alone, where it is known."""
    if (text := str(record.msg)).startswith("Traceback"):
        *known, reason = BEFORE_REASON.split(text)
        if known and "Traceback" not in reason:
            record.msg = reason.strip()
        elif "in get_existing_timestamp" in text:
            record.msg = "its timestamp.txt holds no time: mend it or remove it, and start the same command again"
        elif "in init_assignment" in text and (unread := UNREAD.search(text)):
            record.msg = f"{unread[2]} cannot be copied ({unread[1]}): mend it or remove it"
    if record.msg == NONE_FOUND:
        record.msg = NONE_NAMED
    return True


def _is_half_done(path: Path) -> bool:
    try:
        return HALF_DONE in notebook.read(path.read_text(encoding="utf-8")).metadata.get("tilewise", {})
    except ValueError:  # killed while it was written
        return True


class Step(NbGraderPreprocessor):
    """A step that knows where in the course the current submission lies."""

    def locate(self, resources: Resources) -> None:
        """Set course, student, assignment and the notebook's name."""
        self.course = CourseDirectory(config=self.config)
        about = resources["nbgrader"]
        self.student, self.assignment, self.name = about["student"], about["assignment"], about["notebook"]

    def folder(self, step: str, student: str | None = None) -> Path:
        """The assignment's folder of `step`, e.g. of self.course.release_directory."""
        return Path(self.course.format_path(step, student or self.student, self.assignment))

    def handed_in(self) -> Submission:
        """What the student handed in for the notebook: that notebook and all .py and .cu files."""
        return reader().read(self.folder(self.course.submitted_directory), self.student, self.name)


class RebuildNotebook(Step):
    """Puts the student's answers into the released notebook, which replaces the one handed in."""

    def preprocess(self, nb: Notebook, resources: Resources) -> tuple[Notebook, Resources]:
        self.locate(resources)
        path = self.folder(self.course.release_directory, ".") / f"{self.name}.ipynb"
        if not path.exists():
            raise NotGraded(f"{path} is missing; run `nbgrader generate_assignment {self.assignment}` first")
        released = notebook.read(path.read_text(encoding="utf-8"))
        submission = self.handed_in()
        submission = replace(submission, notes=(*submission.notes, *self._under_other_names(path.parent)))
        rebuilt, notes = rebuild(released, self._theirs(submission), submission, self.name)
        for note in notes:
            self.log.warning("%s: %s", self.student, note)
        rebuilt.metadata.tilewise = {"notes": notes, HALF_DONE: True}
        return rebuilt, resources

    def _under_other_names(self, release: Path) -> Iterator[str]:
        """A note on each notebook that was not released under its name."""
        for path in sorted(self.folder(self.course.submitted_directory).glob("*.ipynb")):
            if not (release / path.name).exists():
                yield f"{one_line(path.name)} was not read: only {self.name}.ipynb counts"

    def _theirs(self, submission: Submission) -> Notebook:
        """The notebook that was handed in, or an empty one if there is none that can be read."""
        file = f"{self.name}.ipynb"
        if file not in submission.files:  # or it has felled the process that read it
            return new_notebook()
        return read_or_empty((self.folder(self.course.submitted_directory) / file).read_bytes())


class GradeOutside(Step):
    """Grades the submission in Tilewise's sandbox and writes each verdict below its check cell."""

    seconds = Float(Limits.seconds, help="Seconds that one call of a student's function may take.").tag(config=True)
    memory = Integer(Limits.memory, help="Bytes that a student's function may allocate.").tag(config=True)
    require_sandbox = Bool(False, help="Refuse to grade where there is no bubblewrap.").tag(config=True)

    def preprocess(self, nb: Notebook, resources: Resources) -> tuple[Notebook, Resources]:
        self.locate(resources)
        if self.require_sandbox and best_level() != "bubblewrap":
            raise NotGraded(NO_BUBBLEWRAP)
        submission = self.handed_in()
        seed = self._seed()
        limits = Limits(seconds=self.seconds, memory=self.memory)
        verdicts, _ = verdicts_for(submission, notebook.exercise_names(nb), seed, limits)
        waiting = next((v for v in verdicts if v.status == "infra"), None)
        if waiting:
            raise NotGraded(f"{waiting.name} of {self.student} was not graded, grade again: {waiting.note}")
        result = result_of(submission, verdicts, nb.metadata.tilewise.notes, seed, best_level())
        self._write(as_json(result))
        del nb.metadata.tilewise[HALF_DONE]
        by_check = {CHECK + v.name: v for v in verdicts}
        for cell in nb.cells:
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
                if is_marked(cell, "grade") and not is_marked(cell, "solution"):
                    cell.outputs = [check_output(cell, by_check.get(grade_id(cell)))]
        return nb, resources

    def _seed(self) -> str:
        path = Path(self.course.root) / SEED
        try:
            seed = path.read_text(encoding="utf-8").strip()
        except OSError as error:
            raise NotGraded(f"the class's secret seed, {path}, cannot be read ({error.strerror})") from None
        if not seed:
            raise NotGraded(
                f"the class's secret seed, {path}, is empty; put back the one with which it was graded before"
            )
        return seed

    def _write(self, text: str) -> None:
        """Write results.json beside the notebook, replacing whatever the student named so."""
        path = self.folder(self.course.autograded_directory) / RESULTS
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        write_atomically(path, text)


class SaveGrades(SaveAutoGrades):
    """Saves points as nbgrader does, and lists among those to grade by hand what a person has to look at."""

    def preprocess_cell(self, cell: Cell, resources: Resources, cell_index: int) -> tuple[Cell, Resources]:
        cell, resources = super().preprocess_cell(cell, resources, cell_index)
        if any(output.metadata.get(FOR_A_PERSON) for output in cell.get("outputs", ()) if "metadata" in output):
            about = self.notebook_id, self.assignment_id, self.student_id
            self.gradebook.find_grade(grade_id(cell), *about).needs_manual_grade = True
            self.gradebook.db.commit()
        return cell, resources


def check_output(cell: Cell, verdict: Verdict | None) -> Any:
    """What nbgrader takes the points from: a number as plain text, beside the card in HTML and its twin in Markdown."""
    if verdict is None:
        said = "Tilewise has no exercise of this name and runs no test cells: grade this one by hand."
        data = {"text/plain": "0.0", "text/html": said, "text/markdown": said}
        return new_output("execute_result", data, metadata={FOR_A_PERSON: True})
    verdict = weighed(verdict, float(cell.metadata.nbgrader.points))
    data = {
        "text/plain": repr(verdict.points),
        "text/html": card.html(verdict),
        "text/markdown": f"```\n{card.text(verdict)}\n```",
    }
    return new_output("execute_result", data, metadata={FOR_A_PERSON: verdict.status == "flagged"})


def weighed(verdict: Verdict, most: float) -> Verdict:
    """The verdict in a notebook whose instructor gives `most` points for the exercise."""
    share = verdict.points / verdict.max_points if verdict.max_points else 0.0
    return replace(verdict, exercise=replace(verdict.exercise, points=most), points=round(share * most, 4))
