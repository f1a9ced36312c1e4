"""An answer that leans on another cell of the learner's: the card says so, and a grade would have given nothing."""

import pytest
from nbformat.v4 import new_code_cell

from autograder.notebook import progress
from autograder.notebook.live.elsewhere import not_graded
from autograder.notebook.submit import check_files, pack
from autograder.spec.catalogue import exercise_named, exercises
from tests.grading.files import cell, notebook_text

LEANS = exercises()["log_sum_exp"].source.replace("isneginf(m), 0, m", "isneginf(m), start, m")


def test_a_name_of_another_cell_is_told_and_earns_nothing(shell, capsys):
    shell.run_cell("start = 0.0")
    shell.run_cell(LEANS)
    said = capsys.readouterr().out
    assert "right, but with a name that a grade does not have" in said and "0 / " in said
    assert "The answer uses start from another cell: what you hand in is" in " ".join(said.split())
    assert not progress.read()["log_sum_exp"].best
    shell.run_cell("start = 0.0\n" + LEANS)
    assert "log_sum_exp: right  " in capsys.readouterr().out


def test_a_check_of_a_file_says_where_the_missing_name_has_to_stand(tmp_path, monkeypatch):
    monkeypatch.setenv("TILEWISE_WORK", str(tmp_path))
    path = tmp_path / "01_softmax.ipynb"
    path.write_text(notebook_text(new_code_cell("start = 0.0"), cell("log_sum_exp", LEANS)))
    ((said, right),) = check_files([path])
    assert "NameError" in said and "start is not in the answer: what you hand in is" in said and not right
    (told,) = pack([path], tmp_path)[1]["public_checks"]
    assert told["exercise"] == "log_sum_exp" and told["note"].startswith("start is not in the answer: what you hand in")


def test_no_solution_is_told_so():
    told = {name: not_graded(e, e.cell(with_solution=True)) for name, e in exercises().items()}
    assert not {name: names for name, names in told.items() if names}


@pytest.mark.parametrize(
    "own",
    [
        "scale = 2\ndef f(x): return scale * x",
        "import math\ndef f(x): return math.pi * x",
        "def f(x): return helper(x)\ndef helper(x): return np.log(x)",
        "def f(x): return naive_softmax(x)",
        "def f(x):\n    global _kept\n    _kept = x\n    return _kept",
        "class Own:\n    a = 1\n    b = a\ndef f(x): return Own.b * x",
        "get_ipython().run_line_magic('autoreload', '2')\ndef f(x): return x",
        "def f(x): return x\ndef tried(): return shown\nprint(f(shown))",
    ],
)
def test_what_a_grade_has_is_not_told(own):
    assert not_graded(exercise_named("log_sum_exp"), own.replace("f(x)", "log_sum_exp(x)")) == []


@pytest.mark.parametrize("above, within, used", [("y = !echo", "", "len(y)"), ("", "y = !echo", "len(y)")])
def test_what_only_jupyter_reads_is_no_part_of_an_answer(shell, capsys, above, within, used):
    text = "{0}\ndef naive_softmax(x):\n    {1}\n    n = {2}\n    return np.exp(x) / np.exp(x).sum(-1, keepdims=True)"
    shell.run_cell(text.format(above, within, used))
    said = " ".join(capsys.readouterr().out.split())
    assert "The answer uses y from a line that only Jupyter reads" in said and "0 / " in said
    shell.run_cell(text.format(above, within, "3"))
    assert "naive_softmax: right " in capsys.readouterr().out, "left out, it changes nothing"
