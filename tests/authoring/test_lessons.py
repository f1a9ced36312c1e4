"""The lessons as learners run them: untouched from top to bottom, and solved, in a real kernel."""

import ast
import contextlib
import copy
import inspect
import re

import pytest
from nbclient.exceptions import CellExecutionError
from nbformat.v4 import new_code_cell, new_notebook

from autograder.authoring import prove_lesson
from autograder.authoring.build import Kernel, execute, student_notebook
from autograder.spec import notebook
from autograder.spec.catalogue import exercise_named, lesson_named, lessons
from autograder.spec.folders import KERNELS
from kernels.tiled_attention import Memory
from tests import proofs

pytestmark = pytest.mark.timeout(900)
LESSONS = pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.stem)


@LESSONS
def test_the_lesson_is_fresh_complete_and_small_and_shows_no_solution(lesson):
    assert list(prove_lesson.form_problems(lesson)) == []


@LESSONS
def test_the_untouched_notebook_raises_nothing_and_the_solved_one_has_only_green_cards(lesson):
    assert proofs.of_run(lesson).problems() == []


def test_untouched_cells_say_what_they_need_and_a_mistake_is_named_at_once():
    """One learner's session: untouched, then a wrong answer in one cell."""
    lesson = lesson_named("softmax")
    exercise = exercise_named("safe_softmax")
    mutant = exercise.mutants[0]
    session = student_notebook(lesson)
    for cell in session.cells:
        if notebook.grade_id(cell) == "solve-safe_softmax":
            cell.source = exercise.with_mistake(mutant)
    done = execute(session)
    cells = {notebook.grade_id(c): c for c in done.cells if notebook.grade_id(c)}
    automatic = cells["solve-safe_softmax"].outputs
    assert mutant.name in str(automatic[0].data["text/html"])
    value = cells["check-safe_softmax"].outputs[0].data["text/plain"]
    assert 0 < float(value) < exercise.points
    assert float(cells["check-naive_softmax"].outputs[0].data["text/plain"]) == 0
    (starter,) = cells["solve-naive_softmax"].outputs
    assert starter.data["text/plain"].startswith("naive_softmax is as it was given out")
    told = [str(o.get("data", {}).get("text/html")) for o in notebook.outputs(done)]
    assert any("first, then run this cell again" in html for html in told)


def test_one_kernel_runs_notebooks_in_an_empty_folder_each_until_one_raises():
    def said(source):
        (output,) = notebook.outputs(kernel.execute(new_notebook(cells=[new_code_cell(source)])))
        return output.text

    with contextlib.closing(Kernel(TILEWISE_TRAINING="5")) as kernel:
        first = "import os\nfrom pathlib import Path\nPath('kept').touch()\nprint(os.environ['TILEWISE_TRAINING'])"
        assert said(first) == "5\n"
        assert said("print(Path('kept').exists())") == "False\n"
        with pytest.raises(CellExecutionError):
            said("Path('kept').unlink()")
        assert said("print('Path' in globals())") == "False\n"


def test_a_kernel_is_reached_through_files_and_takes_no_port_that_another_has_chosen():
    session = "import ipykernel\nprint(ipykernel.get_connection_info(unpack=True)['transport'])"
    with contextlib.closing(Kernel()) as kernel:
        (output,) = notebook.outputs(kernel.execute(new_notebook(cells=[new_code_cell(session)])))
    assert output.text == "ipc\n"


def test_a_cell_that_needs_what_no_cell_makes_is_a_problem(monkeypatch):
    cells = [new_code_cell("%load_ext autograder"), new_code_cell("%%needs scores\nprint(scores)")]
    monkeypatch.setattr(prove_lesson, "student_notebook", lambda lesson: new_notebook(cells=cells[:1]))
    monkeypatch.setattr(prove_lesson, "solved_notebook", lambda lesson: new_notebook(cells=copy.deepcopy(cells)))
    found = list(prove_lesson.run_problems(lesson_named("softmax")))
    assert any(
        said.startswith("the solved notebook says 'This kernel has not run a cell that makes scores") for said in found
    )


SETUP = re.compile(r"^```{code-cell}\n:tags: \[setup\]\n(.*?)^```", re.S | re.M)


@LESSONS
def test_what_a_setup_cell_defines_is_what_the_solutions_use(lesson):
    """The learner reads its exceptions and helpers there; the solutions need them in their module."""
    given = "".join(SETUP.findall(lesson.source.read_text()))
    ours = _defined(KERNELS.joinpath(f"{lesson.topic}.py").read_text())
    theirs = _defined("\n".join(line for line in given.splitlines() if not line.startswith("%")))
    assert given and {name: text for name, text in theirs.items() if ours.get(name, text) != text} == {}


def test_the_counted_memory_stands_in_its_lesson_word_for_word():
    """It is given to read, comments too."""
    assert inspect.getsource(Memory).strip() in lesson_named("tiled_attention").source.read_text()


def _defined(source: str) -> dict[str, str]:
    """The text of each class and function."""
    definitions = (node for node in ast.parse(source).body if isinstance(node, ast.ClassDef | ast.FunctionDef))
    return {node.name: ast.unparse(node) for node in definitions}


def test_a_lesson_may_build_on_earlier_ones_and_its_answers_only_on_those():
    from autograder.grading.reading.surroundings import modules_for

    given = {lesson.topic: [name for name, _ in modules_for(lesson)] for lesson in lessons()}
    assert given["flash_backward"] == ["kernels.causal_flash"]
    for lesson in lessons():
        launchers_only = any(exercise.backend == "cuda" for exercise in lesson.exercises)  # the answers are .cu files
        assert launchers_only or f"kernels.{lesson.topic}" not in given[lesson.topic]
