"""The learner's copies: what they wrote survives every change of a lesson, and nothing of theirs is ever deleted."""

import json
import os
import shutil
from pathlib import Path
from unittest.mock import Mock

import nbformat
import pytest
from jupyterlab.labapp import LabApp  # type: ignore[import-untyped]
from nbformat.sign import NotebookNotary
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from autograder.judging.verdict import Verdict
from autograder.notebook import workspace as work
from autograder.notebook.jupyter.lab import lab_server
from autograder.notebook.progress import folder, record
from autograder.spec import catalogue, notebook
from autograder.spec.catalogue import Lesson
from autograder.spec.folders import ROOT
from autograder.spec.notebook import as_text
from autograder.spec.user_error import UserError

EXERCISES = ("naive_softmax", "safe_softmax")
ANSWER = "def naive_softmax(x):\n    return np.exp(x)  # mine"


def solution_cell(name, source=None):
    source = source or catalogue.exercises()[name].starter
    return new_code_cell(source, metadata={"nbgrader": {"grade_id": notebook.SOLVE + name, "solution": True}})


def question_cell(source="check_answer('overflow_at', None)"):
    return new_code_cell(source, metadata={"tilewise": {"question": "overflow_at"}})


def release(lesson, prose="Read this.", cells=None):
    """Write the lesson's released notebook."""
    cells = cells or [solution_cell(name) for name in EXERCISES]
    lesson.notebook.parent.mkdir(exist_ok=True)
    lesson.notebook.write_text(as_text(new_notebook(cells=[new_markdown_cell(prose), *cells, question_cell()])))


@pytest.fixture
def lesson(tmp_path, monkeypatch):
    """The first lesson with a notebook that the test may change."""
    monkeypatch.setattr(Lesson, "notebook", property(lambda lesson: tmp_path / "lessons" / f"{lesson.stem}.ipynb"))
    made = Lesson(1, "softmax")
    release(made)
    return made


@pytest.fixture
def copy(lesson):
    assert list(work.prepare([lesson])) == ["01_softmax.ipynb was copied"]
    return folder() / "01_softmax.ipynb"


def sources(path):
    return [cell.source for cell in nbformat.read(path, 4).cells]


def edit(path, change):
    """Open the copy, change it, and save it as JupyterLab does: with outputs and other metadata."""
    made = nbformat.read(path, 4)
    change(made.cells)
    made.metadata["language_info"] = {"name": "python", "version": "3.11"}
    for cell in made.cells:
        if cell.cell_type == "code":
            cell.execution_count, cell.outputs = 1, [nbformat.v4.new_output("stream", text="ran\n")]
    path.write_text(nbformat.writes(made))


def others(path):
    """The files beside the copy, without it and the progress file."""
    return sorted(p.name for p in path.parent.iterdir() if p != path and p.suffix == ".ipynb")


def test_a_copy_is_the_released_notebook(lesson, copy):
    assert sources(copy) == sources(lesson.notebook)


def test_nothing_happens_while_the_lesson_stays_the_same(lesson, copy):
    edit(copy, lambda cells: cells[1].update(source=ANSWER))
    before = copy.read_bytes()
    assert list(work.prepare([lesson])) == []
    assert copy.read_bytes() == before and others(copy) == []


def test_a_copy_that_was_only_run_is_replaced_by_the_new_release(lesson, copy):
    edit(copy, lambda cells: None)
    release(lesson, prose="Read this instead.")
    assert list(work.prepare([lesson])) == ["01_softmax.ipynb was updated"]
    assert sources(copy)[0] == "Read this instead." and others(copy) == []


def test_answers_move_into_the_new_release_and_the_old_copy_stays(lesson, copy):
    number = "check_answer('overflow_at', 89)"
    edit(copy, lambda cells: (cells[1].update(source=ANSWER), cells[3].update(source=number)))
    before = copy.read_bytes()
    release(lesson, prose="Read this instead.", cells=[solution_cell("safe_softmax"), solution_cell("naive_softmax")])
    said = list(work.prepare([lesson]))
    new = sources(copy)
    assert new[0] == "Read this instead." and new[2] == ANSWER and new[3] == number
    assert new[1] == catalogue.exercises()["safe_softmax"].starter
    (kept,) = others(copy)
    assert kept.startswith("01_softmax.before-") and (copy.parent / kept).read_bytes() == before
    assert len(said) == 1 and kept in said[0]


def test_cells_of_their_own_move_behind_the_cells_that_they_followed(lesson, copy):
    def write(cells):
        cells[1].source = ANSWER
        cells.insert(2, new_code_cell("scratch()"))
        cells.append(new_markdown_cell("My note."))

    edit(copy, write)
    release(lesson, prose="Read this instead.", cells=[new_code_cell("new()"), *map(solution_cell, EXERCISES)])
    said = list(work.prepare([lesson]))
    assert "2 cells of yours stand in it" in said[1]
    top, *rest = sources(copy)
    (aside,) = others(copy)
    assert (
        "This lesson was updated" in top and "The 2 cells that you wrote besides stand behind" in top and aside in top
    )
    question = question_cell().source
    starter = catalogue.exercises()["safe_softmax"].starter
    assert rest == ["Read this instead.", "new()", ANSWER, "scratch()", starter, question, "My note."]
    nbformat.validate(nbformat.read(copy, 4))


def test_jupyterlab_trusts_outputs_that_moved_as_it_did_before(lesson, copy, tmp_path, monkeypatch):
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    shown = new_output("display_data", {"text/html": "<b>mine</b>"})
    edit(copy, lambda cells: cells.insert(2, new_code_cell("scratch()", outputs=[shown])))
    with NotebookNotary() as notary:
        notary.sign(nbformat.read(copy, as_version=4))
        release(lesson, prose="Read this instead.")
        assert len(list(work.prepare([lesson]))) == 2
        assert notary.check_signature(nbformat.read(copy, as_version=4))


def test_what_was_moved_moves_again_and_is_said_once(lesson, copy):
    edit(copy, lambda cells: cells.insert(2, new_code_cell("scratch()")))
    for prose in ("Second.", "Third."):
        release(lesson, prose=prose)
        list(work.prepare([lesson]))
    found = sources(copy)
    assert found.count("scratch()") == 1 and sum("This lesson was updated" in source for source in found) == 1
    assert found.index("scratch()") == 3, "on top the note and the prose, then the exercise that it followed"


def test_a_paragraph_that_they_changed_stands_behind_what_came_before(lesson, copy):
    edit(copy, lambda cells: cells[0].update(source="Read this. I do not get it."))
    release(lesson, prose="Read this instead.")
    list(work.prepare([lesson]))
    top, first, *_ = sources(copy)
    assert "The cell that you wrote besides stands behind" in top and first == "Read this. I do not get it."


def test_a_cell_that_moves_answers_nothing_more(lesson, copy):
    """An exercise that the lesson no longer has is a cell like any other."""
    edit(copy, lambda cells: cells[1].update(source=ANSWER))
    release(lesson, cells=[solution_cell("safe_softmax")])
    list(work.prepare([lesson]))
    (moved,) = [cell for cell in nbformat.read(copy, 4).cells if cell.source == ANSWER]
    assert notebook.grade_id(moved) == ""


def test_an_old_starter_is_no_answer(lesson, monkeypatch):
    release(lesson, cells=[solution_cell("naive_softmax", "def naive_softmax(x):\n    ...  # an earlier starter")])
    list(work.prepare([lesson]))
    path = folder() / "01_softmax.ipynb"
    edit(path, lambda cells: cells.append(new_code_cell("my_experiment()")))
    release(lesson)
    list(work.prepare([lesson]))
    assert sources(path)[2] == catalogue.exercises()["naive_softmax"].starter


def test_two_updates_on_one_day_keep_two_old_copies(lesson, copy):
    edit(copy, lambda cells: cells[1].update(source=ANSWER))
    for prose in ("Second.", "Third."):
        release(lesson, prose=prose)
        list(work.prepare([lesson]))
    assert len(others(copy)) == 2 and sources(copy)[1] == ANSWER


def test_a_copy_that_cannot_be_read_is_kept_aside(lesson, copy):
    copy.write_text('{"cells": [')
    said = list(work.prepare([lesson]))
    (kept,) = others(copy)
    assert (copy.parent / kept).read_text() == '{"cells": [' and kept in said[0]
    assert sources(copy) == sources(lesson.notebook)


def test_a_copy_made_by_hand_keeps_its_answers(lesson, tmp_path):
    path = folder() / "01_softmax.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(as_text(new_notebook(cells=[solution_cell("naive_softmax", ANSWER)])))
    list(work.prepare([lesson]))
    assert ANSWER in sources(path)


@pytest.mark.parametrize("broken", ["before the old copy is kept", "before the new one is in place"])
def test_a_crash_loses_nothing(lesson, copy, monkeypatch, broken):
    edit(copy, lambda cells: cells[1].update(source=ANSWER))
    before = copy.read_bytes()
    release(lesson, prose="Read this instead.")
    place = (shutil, "copy2") if broken.startswith("before the old") else (os, "replace")
    with monkeypatch.context() as patch:
        patch.setattr(*place, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            list(work.prepare([lesson]))
    assert copy.read_bytes() == before
    list(work.prepare([lesson]))
    assert sources(copy)[:2] == ["Read this instead.", ANSWER]


def test_lab_opens_a_copy_finds_the_course_and_is_configured(lesson, copy, monkeypatch):
    seen = []
    monkeypatch.setattr(LabApp, "initialize_server", lambda argv: seen.append(argv) or Mock())
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", "theirs")
    lab_server(copy)
    assert f"--ServerApp.root_dir={copy.parent}" in seen[0]
    assert "--LabApp.default_url=/lab/tree/01_softmax.ipynb" in seen[0], "the address that is printed is the lesson's"
    assert ("--allow-root" in seen[0]) == (os.geteuid() == 0)  # JupyterLab refuses to start as root without it
    assert os.environ["PYTHONPATH"].split(os.pathsep) == [str(ROOT), "elsewhere"]
    lab_server(copy, no_browser=True)
    assert [options.count("--no-browser") for options in seen] == [0, 1]
    ours, theirs = os.environ["JUPYTER_CONFIG_PATH"].split(os.pathsep)[-2:]
    configured = {path.name: json.loads(path.read_text()) for path in Path(ours, "labconfig").iterdir()}
    assert theirs == "theirs" and set(configured) == {"page_config.json", "default_setting_overrides.json"}


def test_the_first_lesson_that_is_not_finished_is_opened(lesson, copy):
    second = shutil.copy(copy, copy.with_name("02_online_softmax.ipynb"))
    assert work.first_copy() == copy
    for exercise in catalogue.lessons()[0].exercises:
        record(Verdict(exercise, "pass", exercise.points))
    assert work.first_copy() == second
    second.unlink()
    assert work.first_copy() == copy, "of those that are there"


def test_many_new_lessons_are_one_sentence(lesson):
    many = [lesson, Lesson(2, "online_softmax"), Lesson(3, "attention")]
    for one in many:
        release(one)
    assert list(work.prepare(many)) == ["3 lessons were copied, 01_softmax.ipynb to 03_attention.ipynb"]
    assert list(work.prepare(many)) == []


def test_lab_without_notebooks_says_what_to_do():
    with pytest.raises(UserError, match="tilewise build"):
        work.first_copy()


@pytest.mark.parametrize("other", ["09_softmax", "02_online_softmax", "09_softmax.before-2026-01-01"])
def test_answers_move_on_when_a_lesson_is_cut_in_two(lesson, copy, other):
    """Those in the copy of a lesson of the past or the present; one that was kept aside was moved on before."""
    edit(copy, lambda cells: setattr(cells[1], "source", ANSWER))
    former = copy.rename(copy.with_name(f"{other}.ipynb"))
    before = former.read_bytes()
    (copy.parent / "10_broken.ipynb").write_text("{")
    said = list(work.prepare([lesson]))
    moved = "before" not in other
    assert said == ["01_softmax.ipynb was copied" + (f", with your answers in {other}.ipynb" if moved else "")]
    assert (ANSWER in sources(copy)) is moved and former.read_bytes() == before
    edit(copy, lambda cells: None)
    assert list(work.prepare([lesson])) == []


def test_a_former_lesson_without_answers_is_removed_and_a_notebook_of_their_own_is_not(lesson, copy):
    own = copy.with_name("10_mine.ipynb")
    own.write_text(nbformat.writes(new_notebook(cells=[new_code_cell("1 + 1")])))
    copy.rename(copy.with_name("09_softmax.ipynb"))
    said = list(work.prepare([lesson]))
    removed = "09_softmax.ipynb, which the course no longer has, held no answer and was removed"
    assert said == ["01_softmax.ipynb was copied", removed]
    assert sorted(path.name for path in copy.parent.glob("*.ipynb")) == ["01_softmax.ipynb", "10_mine.ipynb"]


def test_an_answer_that_has_moved_on_is_not_said_to_be_left(lesson, copy):
    edit(copy, lambda cells: (cells.append(new_code_cell("moved()")), cells.append(new_code_cell("stays()"))))
    shutil.copy(copy, copy.with_name("02_online_softmax.ipynb"))
    edit(copy.with_name("02_online_softmax.ipynb"), lambda cells: cells.pop())
    release(lesson, prose="Read this instead.")
    assert "1 cell of yours stands in it" in list(work.prepare([lesson]))[1]
    assert "stays()" in sources(copy) and "moved()" not in sources(copy)


def test_a_copy_that_is_cut_off_is_kept_and_its_answers_are_in_the_fresh_one(tmp_path, monkeypatch):
    monkeypatch.setenv("TILEWISE_WORK", str(tmp_path))
    lesson = next(lesson for lesson in catalogue.lessons() if lesson.topic == "softmax")
    copy = tmp_path / lesson.notebook.name
    own = nbformat.read(lesson.notebook, 4)
    for cell in own.cells:
        cell.source = ANSWER if cell.source.startswith("def naive_softmax") else cell.source
    whole = nbformat.writes(own)
    copy.write_text(whole[: whole.index("def safe_softmax")])
    (said,) = work.prepare([lesson])
    assert "could not be read: it is kept as" in said and said.endswith(
        "a fresh copy is there, with your naive_softmax"
    )
    fresh = nbformat.read(copy, 4)
    assert len(fresh.cells) == len(own.cells) and ANSWER in [cell.source for cell in fresh.cells]
