"""lessons/NN_topic.md and kernels/topic.py become lessons/NN_topic.ipynb, with holes, and solutions/NN_topic.ipynb.

A rebuild is byte-equal: cell ids are made from the lesson's name and the cell's own text.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jupytext
import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from ..notebook.live.line import NOTHING
from ..spec import index
from ..spec.catalogue import Lesson, exercise_named, lessons
from ..spec.exercise import Exercise
from ..spec.folders import ROOT
from ..spec.notebook import CHECK, SOLVE, Notebook, as_text, grade_id, outputs, question
from . import cross_references
from .sitting import HIDDEN, contract_apart, sitting

if TYPE_CHECKING:
    from jupyter_client.manager import AsyncKernelManager

SECONDS_PER_CELL = 600


def student_notebook(lesson: Lesson) -> Notebook:
    """The lesson as the learner opens it: no solution, no outputs."""
    return _assemble(lesson, with_solutions=False)


def solved_notebook(lesson: Lesson) -> Notebook:
    """The lesson with the course's solutions between nbgrader's markers, not executed."""
    return _assemble(lesson, with_solutions=True)


class Kernel:
    """A kernel in which notebooks run one after the other. It starts with the first, and ends when it is closed.

    variables: of the environment, set besides.
    """

    def __init__(self, **variables: str) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._work = Path(self._folder.name, "work")
        self._work.mkdir()
        self._environment = os.environ | {
            "TILEWISE_WORK": str(self._work),
            "PYTHONPATH": str(ROOT),
            "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        }
        self._environment |= variables
        self._manager: AsyncKernelManager | None = None

    def execute(self, notebook: Notebook) -> Notebook:
        """Run the notebook from top to bottom, in an empty folder. Raises nbclient's CellExecutionError if a cell does.

        What an earlier one defined is still there; where one raised, the next has a fresh kernel.
        """
        from jupyter_client.manager import AsyncKernelManager
        from nbclient import NotebookClient

        self._manager = self._manager or AsyncKernelManager(
            kernel_name="python3",
            transport="ipc",  # files for sockets: of two kernels that start at once, none takes the other's port
            connection_file=str(Path(self._folder.name, "kernel.json")),
        )
        _empty(self._work)
        client = NotebookClient(
            notebook,
            km=self._manager,
            timeout=SECONDS_PER_CELL,
            record_timing=False,
        )
        try:
            client.execute(cwd=str(self._work), env=self._environment)
        except BaseException:
            self._end()
            raise
        finally:
            if client.kc is not None:
                client.kc.stop_channels()
        notebook.metadata.pop("language_info", None)
        for cell in notebook.cells:  # what was said while a cell ran is no part of it
            if cell.cell_type == "code":
                cell.outputs = _joined([output for output in cell.outputs if output.get("data") != NOTHING])
        return notebook

    def close(self) -> None:
        """End the kernel and remove its folder."""
        self._end()
        self._folder.cleanup()

    def _end(self) -> None:
        from jupyter_core.utils import run_sync

        manager, self._manager = self._manager, None
        if manager is not None and manager.has_kernel:
            run_sync(manager.shutdown_kernel)(now=True)


def _empty(folder: Path) -> None:
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def execute(notebook: Notebook) -> Notebook:
    """Run the notebook in a kernel of its own. Raises as `Kernel.execute` does."""
    with contextlib.closing(Kernel()) as kernel:
        return kernel.execute(notebook)


def _joined(outputs: list[Any]) -> list[Any]:
    """With what was printed in pieces, one after the other, in one piece."""
    whole: list[Any] = []
    for output in outputs:
        if whole and output.output_type == "stream" and whole[-1].get("name") == output.name:
            whole[-1].text += output.text
        else:
            whole.append(output)
    return whole


def write(lesson: Lesson) -> None:
    """Write both notebooks of the lesson."""
    lesson.notebook.write_text(as_text(student_notebook(lesson)))
    lesson.solved.parent.mkdir(exist_ok=True)
    lesson.solved.write_text(as_text(execute(solved_notebook(lesson))))


def index_text() -> str:
    """The content of the course's index."""
    return index.as_text(
        index.Contents(
            lesson.number,
            lesson.stem,
            lesson.title,
            tuple(index.Listed(e.name, e.points, e.backend) for e in lesson.exercises),
            tuple(question.name for question in lesson.questions),
        )
        for lesson in lessons()
    )


def index_is_stale() -> bool:
    return not index.FILE.exists() or index.FILE.read_text() != index_text()


def stale(lesson: Lesson) -> list[Path]:
    """The generated files that no longer match their sources, or hold an error output."""
    wrong = []
    if not lesson.notebook.exists() or lesson.notebook.read_text() != as_text(student_notebook(lesson)):
        wrong.append(lesson.notebook)
    if not lesson.solved.exists() or not _matches(lesson.solved, solved_notebook(lesson)):
        wrong.append(lesson.solved)
    return wrong


def _matches(path: Path, fresh: Notebook) -> bool:
    """Same cells as `fresh`, and executed with no error; the outputs themselves may differ between machines."""
    kept = nbformat.read(path, as_version=4)
    same = [(c.cell_type, c.id, c.source) for c in kept.cells] == [(c.cell_type, c.id, c.source) for c in fresh.cells]
    executed = all(c.execution_count for c in kept.cells if c.cell_type == "code" and c.source)
    return same and executed and not any(o.output_type == "error" for o in outputs(kept))


def _assemble(lesson: Lesson, with_solutions: bool) -> Notebook:
    source = jupytext.reads(cross_references.resolved(lesson), fmt="md:myst")
    cells: list[Any] = []
    for cell in source.cells:
        options = cell.metadata
        if "exercise" in options:
            cells += _exercise_cells(exercise_named(options["exercise"]), with_solutions)
        elif "question" in options:
            cells.append(_question_cell(lesson, options["question"], with_solutions))
        elif cell.cell_type == "code":
            needs = f"%%needs {options['needs']}\n" if "needs" in options else ""
            cells.append(new_code_cell(needs + cell.source, metadata=_kept(options)))
        else:
            cells.append(new_markdown_cell(cell.source))
    title = next((i for i, c in enumerate(cells) if c.cell_type == "markdown"), 0)
    cells[title].source = _with_minutes(cells[title].source, lesson)
    cells[title + 1 : title + 1] = [new_code_cell("%load_ext autograder")]
    cells.append(new_markdown_cell(_imprint(lesson)))
    _number(cells, lesson)
    return new_notebook(
        cells=cells,
        metadata={
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "tilewise": {"lesson": lesson.stem},
        },
    )


def _with_minutes(first: str, lesson: Lesson) -> str:
    """The cell that begins with the title, and below that how long the lesson is."""
    title, _, rest = first.partition("\n")
    size, minutes = sitting(lesson), sitting(lesson, optional=False).minutes
    more = f", and {size.minutes - minutes} for what is optional" if size.minutes > minutes else ""
    asked = f", {size.questions} question{'s' * (size.questions > 1)}" if size.questions else ""
    exercises = f"{size.exercises} exercise{'s' * (size.exercises != 1)}"
    return f"{title}\n\n*About {minutes} minutes{more}: {exercises}{asked}.*\n{rest}".rstrip("\n")


def _exercise_cells(exercise: Exercise, with_solutions: bool) -> list[Any]:
    text = exercise.cell(with_solution=with_solutions)
    return [
        *_contract_cells(exercise),
        new_code_cell(text, metadata={"nbgrader": _nbgrader(SOLVE + exercise.name, solution=True)}),
        new_code_cell(
            f"check({exercise.name})",
            metadata={
                "nbgrader": _nbgrader(CHECK + exercise.name, points=exercise.points),
                "editable": False,
                "deletable": False,
            },
        ),
    ]


def _contract_cells(exercise: Exercise) -> list[Any]:
    contract = contract_apart(exercise)
    said = f"Your kernel keeps the contract of the function that launches it:\n\n```text\n{contract}\n```"
    return [new_markdown_cell(said)] if contract else []


def _nbgrader(grade_id: str, points: float | None = None, solution: bool = False) -> dict[str, Any]:
    about = {"schema_version": 3, "grade_id": grade_id, "solution": solution, "task": False}
    about |= {"grade": points is not None, "locked": points is not None}
    return about | ({} if points is None else {"points": points})


def _question_cell(lesson: Lesson, name: str, with_solutions: bool) -> Any:
    asked = next((q for q in lesson.questions if q.name == name), None)
    if asked is None:
        raise LookupError(f"{lesson.source.name} asks {name!r}, which is not among the lesson's QUESTIONS")
    text = f'check_answer("{name}", None)  # replace None by your number'
    if with_solutions:
        text = f'check_answer("{name}", {asked.answer.value!r})'
    return new_code_cell(text, metadata={"tilewise": {"question": name}})


def _kept(options: dict[str, Any]) -> dict[str, Any]:
    """Of the source's cell options, those that belong in the notebook."""
    kept: dict[str, Any] = {"tags": list(options["tags"])} if "tags" in options else {}
    if HIDDEN in kept.get("tags", []):
        kept["jupyter"] = {"source_hidden": True}
    return kept


def _imprint(lesson: Lesson) -> str:
    return (
        f"*This notebook is generated from `lessons/{lesson.source.name}` and `kernels/{lesson.topic}.py`. "
        "To change the course, edit those.*"
    )


def _number(cells: list[Any], lesson: Lesson) -> None:
    seen: dict[str, int] = {}
    for cell in cells:
        name = grade_id(cell) or question(cell) or cell.source
        key = hashlib.sha256(f"{lesson.stem}\n{name}".encode()).hexdigest()[:10]
        seen[key] = seen.get(key, 0) + 1
        cell.id = key if seen[key] == 1 else f"{key}-{seen[key]}"


if __name__ == "__main__":
    from ..spec.catalogue import lesson_named

    if len(sys.argv) < 2:
        sys.exit("name the lessons to build anew, outputs included, or run `tilewise build` for those that are stale")
    for argument in sys.argv[1:]:
        try:
            write(lesson_named(argument))
        except LookupError as error:
            sys.exit(str(error))
