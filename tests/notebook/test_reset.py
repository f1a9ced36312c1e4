"""Giving the starter back: the cell is as given out, what was in it is kept, and the rest of the copy is untouched."""

import shutil

import nbformat
import pytest

from autograder.notebook.reset import reset
from autograder.notebook.submit import check_files
from autograder.notebook.workspace import prepare
from autograder.spec import notebook
from autograder.spec.catalogue import exercise_named, lesson_named
from autograder.spec.user_error import UserError


@pytest.fixture
def solved(tmp_path, monkeypatch):
    """The solved notebook of a lesson, as the learner's copy."""
    monkeypatch.setenv("TILEWISE_WORK", str(tmp_path))

    def copy(topic):
        lesson = lesson_named(topic)
        return shutil.copy(lesson.solved, tmp_path / lesson.notebook.name)

    return copy


def cell(path, grade_id):
    found = nbformat.read(path, as_version=4)
    return next(c for c in found.cells if notebook.grade_id(c) == grade_id)


@pytest.mark.parametrize(
    ("topic", "name", "suffix"), [("softmax", "safe_softmax", "py"), ("cuda_softmax", "block_softmax", "cu")]
)
def test_the_starter_is_back_the_answer_is_kept_and_nothing_else_changes(solved, topic, name, suffix, tmp_path):
    path = solved(topic)
    before = nbformat.read(path, as_version=4)
    answer = cell(path, f"solve-{name}").source
    said = reset(path.stem, name)
    kept = next(tmp_path.glob(f"{name}.before-*.{suffix}"))
    assert kept.name in said and kept.read_text() == answer.removeprefix(f"%%cuda {name}\n") + "\n"
    assert exercise_named(name).is_starter(cell(path, f"solve-{name}").source)
    assert cell(path, f"check-{name}").outputs == []
    after = nbformat.read(path, as_version=4)
    own = {f"solve-{name}", f"check-{name}"}
    assert [c for c in after.cells if notebook.grade_id(c) not in own] == [
        c for c in before.cells if notebook.grade_id(c) not in own
    ]
    assert [right for _, right in check_files([kept])] == [True]


def test_a_copy_that_is_a_link_stays_one(solved, tmp_path):
    path = solved("softmax")
    elsewhere = (tmp_path / "elsewhere").with_suffix(".ipynb")
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    reset(path.stem, "safe_softmax")
    assert path.is_symlink() and exercise_named("safe_softmax").is_starter(cell(elsewhere, "solve-safe_softmax").source)


def test_a_starter_stays_and_a_second_answer_is_kept_under_another_name(solved, tmp_path):
    path = solved("softmax")
    reset(path.stem, "safe_softmax")
    assert "is as it was given out" in reset(path.stem, "safe_softmax")
    solved("softmax")
    reset(path.stem, "safe_softmax")
    assert len([*tmp_path.glob("safe_softmax.before-*.py")]) == 2


def test_an_answer_in_another_cell_is_said_to_count(solved):
    path = solved("softmax")
    found = nbformat.read(path, as_version=4)
    found.cells.append(nbformat.v4.new_code_cell("def safe_softmax(x):\n    return x"))
    nbformat.write(found, path)
    assert "Another cell defines safe_softmax too" in reset(path.stem, "safe_softmax")


def test_the_lab_takes_the_copy_for_untouched_again(solved, tmp_path):
    lesson = lesson_named("softmax")
    [*prepare([lesson])]
    path = tmp_path / lesson.notebook.name
    fresh = path.read_text()
    found = nbformat.read(path, as_version=4)
    next(c for c in found.cells if notebook.grade_id(c) == "solve-safe_softmax").source = "def safe_softmax(x): pass"
    nbformat.write(found, path)
    reset(lesson.stem, "safe_softmax")
    assert path.read_text() == fresh


@pytest.mark.parametrize("content", ["{", '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []}'])
def test_a_copy_without_the_cell_is_left_alone(solved, content):
    path = solved("softmax")
    path.write_text(content)
    with pytest.raises(UserError):
        reset(path.stem, "safe_softmax")
    assert path.read_text() == content
