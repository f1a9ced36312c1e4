"""How long nbgrader alone takes: it runs every submitted notebook in a kernel, with assertions in the check cells."""

from __future__ import annotations

import os
import sysconfig
import tempfile
import time
import warnings
from pathlib import Path
from unittest import mock

from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from traitlets.config import Config

from autograder.nbgrader.course import source_notebook
from autograder.spec.catalogue import Lesson
from autograder.spec.folders import ROOT
from autograder.spec.notebook import CHECK, Notebook, as_text, grade_id


def seconds_per_submission(lesson: Lesson, count: int) -> float:
    """Mean wall-clock seconds of nbgrader's own autograde over `count` right submissions of `lesson`.

    The start of nbgrader and a first submission, which fills caches, are not counted. Raises RuntimeError if nbgrader
    does not give each of them full marks.
    """
    with tempfile.TemporaryDirectory(prefix="tilewise-bench-") as folder:
        root = Path(folder)
        environment = {
            "HOME": folder,
            "TILEWISE_WORK": str(root / "work"),
            "PYTHONPATH": str(ROOT),
            "PATH": os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", os.defpath)]),
            "MPLBACKEND": "agg",
        }
        with mock.patch.dict(os.environ, environment), warnings.catch_warnings(action="ignore"):
            return _measure(root, lesson, count)


def _measure(root: Path, lesson: Lesson, count: int) -> float:
    config = Config()
    config.CourseDirectory.root, config.CourseDirectory.course_id = str(root), "stock"
    config.Execute.timeout = 600
    api = NbGraderAPI(config=config)
    text = as_text(asserting(source_notebook(lesson)))
    students = [f"student{i}" for i in range(count + 1)]
    for folder in (root / "source", *(root / "submitted" / student for student in students)):
        path = folder / lesson.stem / f"{lesson.stem}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(text)
    _must(api.generate_assignment(lesson.stem))
    _must(api.autograde(lesson.stem, students[0]))
    begin = time.perf_counter()
    for student in students[1:]:
        _must(api.autograde(lesson.stem, student))
    took = time.perf_counter() - begin
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as book:
        for student in students:
            submission = book.find_submission(lesson.stem, student)
            if submission.score != submission.max_score:
                raise RuntimeError(f"nbgrader gave right answers {submission.score} of {submission.max_score} points")
    return took / count


def asserting(notebook: Notebook) -> Notebook:
    """The notebook with check cells as nbgrader's users write them: an assertion that passes or fails."""
    for cell in notebook.cells:
        if grade_id(cell).startswith(CHECK):
            cell.source = f"assert {cell.source} == {cell.metadata.nbgrader.points}"
    return notebook


def _must(answer: dict[str, object]) -> None:
    if not answer["success"]:
        raise RuntimeError(f"nbgrader failed: {answer['error'] or answer['log']}")
