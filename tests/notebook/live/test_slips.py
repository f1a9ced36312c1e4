"""A cell of an exercise that makes something else, or makes it another way, says that it is not checked."""

import pytest

from autograder.notebook.live.slips import INSTEAD, NOT_DEFINED, RENAMED
from autograder.spec import notebook
from autograder.spec.catalogue import exercise_named, lesson_named


@pytest.fixture
def run(shell, capsys, monkeypatch):
    """What is said below the cell of an exercise of lesson 1 once it has this text."""
    lesson = lesson_named("softmax").notebook
    monkeypatch.setenv("JPY_SESSION_NAME", f"work/{lesson.name}")
    cells = {notebook.grade_id(cell): cell.id for cell in notebook.read(lesson.read_text()).cells}

    def ran(text, name="naive_softmax"):
        capsys.readouterr()
        shell.run_cell(text, cell_id=cells[f"solve-{name}"])
        return capsys.readouterr().out

    return ran


@pytest.mark.parametrize("solved", [False, True])
@pytest.mark.parametrize("text, makes", [
    ("def naive_sofmax(x):\n    return x", "naive_sofmax"),
    ("def softmax(y):\n    return y", "softmax"),
    ("softmax = lambda y: y", "softmax"),
    ("from functools import lru_cache\ndef half(x):\n    return x / 2\ndef soft(x):\n    return x", "half and soft"),
])  # fmt: skip
def test_an_exercises_cell_that_makes_something_else_says_so(run, text, makes, solved):
    if solved:
        assert "naive_softmax: right" in run(exercise_named("naive_softmax").source)
    assert run(text) == RENAMED.format("naive_softmax", makes) + "\n"


@pytest.mark.parametrize("begun", [False, True])
def test_where_a_function_was_renamed_its_check_says_which_name_it_is_to_have(run, begun):
    """Where the starter was run before, its name is there; else it is not."""
    exercise = exercise_named("naive_softmax")
    run(exercise.starter if begun else "pass")
    run(exercise.source.replace("def naive_softmax", "def naive_softmx"))
    said = INSTEAD.format("naive_softmax", "naive_softmx")
    for cell in ("print(check(naive_softmax))", "%%needs naive_softmax\nprint(1)"):
        assert " ".join(said.split()) in " ".join(run(cell).split())
    run(exercise.source)
    assert run("%%needs naive_softmax\nprint(1)") == "1\n"


@pytest.mark.parametrize("text", [
    "naive_softmax = lambda x: x",
    "import functools\n@functools.lru_cache\ndef naive_softmax(x):\n    return x",
    "def half(x):\n    return x\nnaive_softmax = half",
])  # fmt: skip
def test_an_exercise_that_is_made_another_way_says_how_to_define_it(run, text):
    assert run(text) == NOT_DEFINED.format("naive_softmax", "def naive_softmax") + "\n"


def test_a_class_is_to_be_defined_as_one(shell, capsys):
    shell.run_cell("KVCache = lambda: 1")
    assert capsys.readouterr().out == NOT_DEFINED.format("KVCache", "class KVCache") + "\n"


def test_a_kernel_under_another_name_is_told_by_its_cell(shell, capsys, monkeypatch):
    lesson = lesson_named("cuda_softmax").notebook
    monkeypatch.setenv("JPY_SESSION_NAME", lesson.name)
    cells = {notebook.grade_id(cell): cell.id for cell in notebook.read(lesson.read_text()).cells}
    capsys.readouterr()
    kernel = 'extern "C" __global__ void mine(float* x) { x[0] = 1; }'
    shell.run_cell(f"%%cuda mine\n{kernel}", cell_id=cells["solve-block_softmax"])
    assert capsys.readouterr().out == RENAMED.format("block_softmax", "mine") + "\n"


@pytest.mark.parametrize("text", [
    "print(1)", "naive_softmax = None", "from math import exp", "from functools import lru_cache", "x = np.ones(3)",
])  # fmt: skip
def test_a_cell_that_makes_no_function_is_left_alone(run, text):
    assert run(text) in ("", "1\n")


def test_a_helper_beside_the_answer_and_a_cell_of_ones_own_are_left_alone(run, shell, capsys):
    source = exercise_named("naive_softmax").source
    assert "not checked" not in run(f"def half(x):\n    return x / 2\n\n\n{source}")
    capsys.readouterr()
    shell.run_cell("def softmax(y):\n    return y", cell_id="one-of-my-own")
    assert capsys.readouterr().out == ""
