"""The fingerprint changes with what decides a grade, and with nothing that people only read."""

import re

import pytest

from autograder.exercises import measured
from autograder.grading import fingerprint as module
from autograder.grading.fingerprint import fingerprint, setup_of, what_decides

EXERCISE = '''"""Lesson."""
from autograder.spec.edits import Mutant
from autograder.spec.exercise import Budget, Case, Exercise, Question

LONG = Case("long", "a row of 4096, é", draw(4096), budget=True)  # which must not be kept


def draw(n):
    """Draws."""
    return n + 1


EXERCISES = [
    Exercise(
        f,
        cases=[LONG, Case("short", "four numbers", draw(4))],
        budget=Budget(memory=Bound(lambda a: 12, "12 bytes"), busiest=draws.a_quarter_more(tile, "a tile")),
        mutants=[Mutant("no-rescale", "nothing is rescaled", "a", "b", killed_by="long")],
        hints=["one", "two"],
        points=2,
    )
]
QUESTIONS = [Question("moves", ask="How many?", answer=Quantity(3), why="So many.")]
'''
READ = [
    ('"""Lesson."""', '"""The lesson on softmax."""'),
    ("a row of 4096, é", "a long row"),
    ("  # which must not be kept", ""),
    ("Draws.", "Draws numbers."),
    ("four numbers", "a row of four numbers, each larger than the one before it"),
    ("12 bytes", "twelve bytes"),
    ("a tile", "a tile of x"),
    ("nothing is rescaled", "the accumulator is not rescaled"),
    ('["one", "two"]', '["one"]'),
    ("Quantity(3)", "Quantity(4)"),
    ("return n + 1\n\n\n", "return n + 1\n\n"),
]
DECIDES = [
    ('"long"', '"longer"'),
    ("draw(4096)", "draw(8192)"),
    ("budget=True", "budget=False"),
    ("n + 1", "n + 2"),
    ("lambda a: 12", "lambda a: 13"),
    ("points=2", "points=3"),
]


@pytest.mark.parametrize(("old", "new"), READ)
def test_what_people_only_read_changes_no_grade(old, new):
    assert EXERCISE.count(old) == 1
    assert what_decides(EXERCISE.replace(old, new)) == what_decides(EXERCISE)


@pytest.mark.parametrize(("old", "new"), DECIDES)
def test_what_decides_a_grade_changes_it(old, new):
    assert EXERCISE.count(old) >= 1
    assert what_decides(EXERCISE.replace(old, new)) != what_decides(EXERCISE)


def test_a_kernel_in_cuda_counts_without_its_comments():
    kernel = "__global__ void f(int* x) {\n    x[0] = 1;  // one\n}\n"
    assert what_decides(kernel, ".cu") == what_decides(kernel.replace("// one", "// the first"), ".cu")
    assert what_decides(kernel, ".cu") != what_decides(kernel.replace("= 1", "= 2"), ".cu")


def test_the_setup_cells_of_a_lesson_count():
    setup: dict[str, object] = {"cell_type": "code", "source": ["import numpy as np"], "metadata": {"tags": ["setup"]}}
    prose: dict[str, object] = {"cell_type": "markdown", "source": ["Read this."], "metadata": {}}
    assert setup_of({"cells": [prose, setup]}) == "import numpy as np"


def test_what_was_measured_counts_as_far_as_cases_are_drawn_with_it(monkeypatch):
    before = module._of_what_decides()
    monkeypatch.setattr(measured, "CALL", 1.0)
    assert module._of_what_decides() == before
    monkeypatch.setattr(measured, "BANDWIDTH", 1.0)
    assert module._of_what_decides() != before


def test_it_is_short_and_the_same_every_time():
    assert re.fullmatch(r"[0-9a-f]{12}", fingerprint()) and fingerprint() == fingerprint()


def test_what_is_kept_holds_for_the_same_files_only(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(module, "PACKAGES", tmp_path)
    monkeypatch.setattr(module, "_files", lambda: [tmp_path / "judge.py"])
    found = []
    for text in ("x = 1\n", "x = 2\n", "x = 1  # but why?\n"):
        (tmp_path / "judge.py").write_text(text)
        found.append(fingerprint.__wrapped__())
    assert found[0] == found[2] != found[1]
    monkeypatch.setattr(module, "_of_what_decides", lambda: pytest.fail("it was kept"))
    assert fingerprint.__wrapped__() == found[2]
