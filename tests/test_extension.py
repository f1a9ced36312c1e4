"""A notebook's session with the course loaded: what a cell of the learner's is followed by, and the stop button."""

import os
import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest
import torch
from IPython.core.interactiveshell import InteractiveShell

from autograder import beside, extension, journal, terminal
from autograder import course as course_module
from autograder.course import exercise_named

NEEDS_TRITON = frozenset({"fused_softmax", "dropout"})


@pytest.fixture
def shell():
    made = InteractiveShell()
    made.run_cell("%load_ext autograder\nimport numpy as np")
    return made


def test_right_behind_its_cell_an_answer_without_points_is_not_judged_again(shell):
    shell.run_cell("def naive_softmax(x):\n    return x")
    again = shell.run_cell("check(naive_softmax)").result
    assert again == 0 and again.brief
    assert not shell.run_cell("check(naive_softmax)").result.brief, "asked for once more, it is"


def test_a_check_that_is_stopped_says_so_in_one_sentence(shell, monkeypatch, capsys):
    def stopped(function):
        raise KeyboardInterrupt

    monkeypatch.setattr(extension, "check", stopped)
    shell.run_cell("def naive_softmax(x):\n    return x")
    assert capsys.readouterr().out.strip() == extension.STOPPED
    shell.run_cell("check(naive_softmax)")
    assert capsys.readouterr().out.strip() == extension.STOPPED


def test_a_process_beside_that_has_died_is_started_again():
    pytest.importorskip("triton", reason="Triton is not installed on this machine")
    exercise = exercise_named("vector_add")

    def question(process):
        return process.define("cell", "x = 1") is None

    if beside.ask(exercise.function, "compiles", question) is None:
        pytest.skip("no compiler on this machine")
    beside._process("compiles").kill()
    assert beside.ask(exercise.function, "compiles", question)


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="no process groups here")
def test_the_stop_button_leaves_the_process_beside_alone():
    """JupyterLab interrupts the kernel's whole process group."""
    pytest.importorskip("triton", reason="Triton is not installed on this machine")
    code = (
        "import os, signal; from autograder import beside\n"
        "beside.start_compiler(); first = beside._process('compiles')\n"
        "ask = lambda: first.define('cell', 'x = 1')\nif first: ask()\n"
        "try:\n    os.killpg(0, signal.SIGINT); signal.pause()\nexcept KeyboardInterrupt:\n    pass\n"
        "print('answers' if first is None or ask() is None else 'does not')"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, start_new_session=True)
    assert said.stdout.strip() == "answers", said.stderr


def test_an_interrupted_question_takes_its_process_with_it(monkeypatch):
    """The answer to it would be taken for that to the next one."""
    closed = []

    class OneProcess:
        def __call__(self, interpret):
            return SimpleNamespace(define=lambda label, source: None, close=lambda: closed.append("closed"))

        def cache_clear(self):
            closed.append("forgotten")

    monkeypatch.setattr(beside, "_process", OneProcess())

    def question(process):
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        beside.ask(exercise_named("naive_softmax").function, "compiles", question)
    assert closed == ["closed", "forgotten"]


def test_without_triton_everything_says_which_lessons_need_it(shell, monkeypatch, capsys):
    monkeypatch.setattr(course_module, "_without_triton", lambda: NEEDS_TRITON)
    sentence = "06_fused_softmax and 10_dropout need Triton, which is not installed here; `tilewise doctor`"
    shell.run_cell("if False:\n    import triton")
    assert sentence in capsys.readouterr().out
    assert sentence in str(journal.progress()) and "need Triton" in journal.progress().html
    terminal.show(terminal.course_table())
    assert "need Triton" in " ".join(capsys.readouterr().out.split())


def in_a_new_session(*cells, **variables):
    """What the cells print, run one after the other in a session of their own."""
    code = "from IPython.core.interactiveshell import InteractiveShell; shell = InteractiveShell()\n"
    code += "".join(f"shell.run_cell({cell!r})\n" for cell in cells)
    environment = {name: value for name, value in os.environ.items() if name != "TRITON_INTERPRET"} | variables
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment).stdout


@pytest.mark.skipif(torch.cuda.is_available(), reason="with a GPU kernels are compiled")
def test_an_interpreter_that_was_turned_off_is_turned_on_where_there_is_no_gpu():
    pytest.importorskip("triton", reason="Triton is not installed on this machine")
    look = "import triton\nprint(triton.knobs.runtime.interpret)"
    assert in_a_new_session("%load_ext autograder", look, TRITON_INTERPRET="0").strip() == "True"


@pytest.mark.skipif(torch.cuda.is_available(), reason="with a GPU kernels are compiled")
def test_triton_imported_too_early_is_told_in_one_sentence():
    pytest.importorskip("triton", reason="Triton is not installed on this machine")
    said = in_a_new_session("import triton, triton.language", "%load_ext autograder")
    assert said.startswith("Triton was imported before") and len(said.strip().splitlines()) == 1
