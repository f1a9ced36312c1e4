"""An nbgrader course made of Tilewise lessons: source notebooks, settings, and the secret seed."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from ..grading.classroom import SEED, class_seed
from ..processes.files import write_atomically
from ..spec import notebook
from ..spec.catalogue import Lesson
from ..spec.folders import KERNELS, LESSONS, PACKAGES, ROOT, SOLUTIONS
from ..spec.notebook import Notebook, as_text, graft
from ..spec.starter import STUB
from ..spec.user_error import UserError

OURS, YOURS = "nbgrader_config.json", "nbgrader_config.py"
STEPS = "autograder.nbgrader.preprocessors."
LINK = re.compile(r"\]\((\d\d_\w+)\.ipynb\)")  # to another lesson

# nbgrader reads this file after the instructor's own, and a mistake in that one leaves this one in force: submitted
# code is never run by nbgrader itself.
SETTINGS = {
    "Autograde": {
        "exporter_class": STEPS + "AnyNotebook",
        "sanitize_preprocessors": [STEPS + "RebuildNotebook", "nbgrader.preprocessors.CheckCellMetadata"],
        "autograde_preprocessors": [
            STEPS + "GradeOutside",
            STEPS + "SaveGrades",
            "nbgrader.preprocessors.AssignLatePenalties",
            "nbgrader.preprocessors.CheckCellMetadata",
        ],
    },
    "GenerateAssignment": {
        "preprocessors": [
            "nbgrader.preprocessors.IncludeHeaderFooter",
            "nbgrader.preprocessors.InstantiateTests",
            "nbgrader.preprocessors.LockCells",
            STEPS + "BackToStarters",
            "nbgrader.preprocessors.ClearOutput",
            "nbgrader.preprocessors.CheckCellMetadata",
            "nbgrader.preprocessors.ComputeChecksums",
            "nbgrader.preprocessors.SaveCells",
            "nbgrader.preprocessors.ClearHiddenTests",
            "nbgrader.preprocessors.ClearMarkScheme",
            "nbgrader.preprocessors.ComputeChecksums",
            "nbgrader.preprocessors.CheckCellMetadata",
        ],
    },
    "ClearSolutions": {"code_stub": {"python": STUB}},
}

YOUR_SETTINGS = """\
# Your settings for this nbgrader course. How Tilewise grades stands in {ours}.
import os
import sys
import sysconfig
from pathlib import Path

c = get_config()
c.CourseDirectory.root = str(Path(__file__).resolve().parent)
c.CourseDirectory.course_id = "tilewise"

# nbgrader starts a program called alembic, which lies beside this Python even where its environment is not activated.
os.environ["PATH"] = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", os.defpath)])
sys.path.append({root!r})  # Tilewise itself, should it not be installed

# Links are left out when submissions are collected: they could point at what only the instructor may read. And what
# one student has put into the exchange does not keep the others' work or feedback back.
c.ExchangeFactory.collect = "autograder.nbgrader.exchange.CollectFiles"
c.ExchangeFactory.release_feedback = "autograder.nbgrader.exchange.ReleaseFeedback"

# c.Exchange.root = "/srv/nbgrader/exchange"
# c.GradeOutside.seconds = 10.0  # what one call of a student's function may take
# c.GradeOutside.memory = 1 << 30  # bytes that it may allocate
# c.GradeOutside.require_sandbox = True  # refuse to grade where there is no bubblewrap
"""


def init(course_dir: Path, lessons: Sequence[Lesson], seed: str | None = None) -> str:
    """Make an nbgrader course of `lessons` in `course_dir`, or add them to an existing one; returns what to do next.

    seed: the secret text from which inputs are drawn, by default a new random one. It is kept in a file that only its
    owner can read. Nothing that exists is changed: raises UserError, before anything is written, if it would be.
    """
    course_dir = course_dir.resolve()
    _refuse(course_dir, lessons, seed)
    notebooks = {_source(course_dir, lesson): as_text(source_notebook(lesson)) for lesson in lessons}
    class_seed(course_dir, seed)
    if not (course_dir / YOURS).exists():
        write_atomically(course_dir / YOURS, YOUR_SETTINGS.format(ours=OURS, root=str(PACKAGES)))
    write_atomically(course_dir / OURS, json.dumps(SETTINGS, indent=1) + "\n")
    for path, text in notebooks.items():
        write_atomically(path, text)
    first, last = lessons[0].stem, lessons[-1].stem
    made = first if len(lessons) == 1 else f"{len(lessons)} lessons, {first} to {last}"
    return f"{course_dir} holds {made}. Go there, and on with `nbgrader generate_assignment {first}`."


def source_notebook(lesson: Lesson) -> Notebook:
    """The lesson with solutions, which nbgrader removes again, but no answers to questions, which it would leave.

    Its links lead to lessons that are fetched, too: nbgrader gives each a folder of its own.
    """
    source = graft(
        notebook.read(lesson.notebook.read_text(encoding="utf-8")),
        {e.name: e.cell(with_solution=True) for e in lesson.exercises},
    )
    for cell in source.cells:
        if cell.cell_type == "markdown":
            cell.source = LINK.sub(r"](../\1/\1.ipynb)", cell.source)
    return source


def _source(course_dir: Path, lesson: Lesson) -> Path:
    return course_dir / "source" / lesson.stem / f"{lesson.stem}.ipynb"


def _refuse(course_dir: Path, lessons: Sequence[Lesson], seed: str | None) -> None:
    """Raise UserError if the course cannot be made there without losing something."""
    if not lessons:
        raise UserError("a course needs at least one lesson; `tilewise list` shows them")
    if ROOT.is_relative_to(course_dir) or any(course_dir.is_relative_to(x) for x in (LESSONS, SOLUTIONS, KERNELS)):
        raise UserError(f"{course_dir} belongs to Tilewise itself; choose a folder of its own for the nbgrader course")
    if course_dir.exists() and not course_dir.is_dir():
        raise UserError(f"{course_dir} is a file; choose a folder")
    foreign = any((course_dir / name).exists() for name in (YOURS, "gradebook.db", "source"))
    if foreign and not (course_dir / OURS).exists():
        raise UserError(
            f"{course_dir} holds a course that is not Tilewise's; nothing was written, choose another folder"
        )
    if seed is not None and (course_dir / SEED).exists():
        raise UserError(f"the course in {course_dir} has a seed already; nothing was written, leave the seed out")
    there = [lesson.stem for lesson in lessons if _source(course_dir, lesson).parent.exists()]
    if there:
        raise UserError(f"{course_dir} already holds {' and '.join(there)}; nothing was written, choose other lessons")
