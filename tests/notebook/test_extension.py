"""A notebook's session with the course loaded: what a cell of the learner's is followed by, and the stop button."""

import contextlib
import importlib
import inspect
import os
import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest
import torch

from autograder.backends import backend_of, function_from
from autograder.backends.cuda import CudaFunction
from autograder.notebook import extension, progress, starters
from autograder.notebook.check import Score
from autograder.notebook.live import line
from autograder.notebook.live.slips import NOT_DEFINED, SPLIT, attempted
from autograder.processes import helpers
from autograder.shell import tables
from autograder.showing.terminal import show
from autograder.spec import interpreter
from autograder.spec.catalogue import exercise_named, exercises, lessons

CLASSES = [name for name, exercise in exercises().items() if isinstance(exercise.function, type)]
HOLE = "# TODO: write this part\n        raise NotImplementedError\n"


def worth_a_card(answer):
    exercise = exercise_named(answer.__name__)
    return backend_of(exercise).begun(exercise, answer)


def test_right_behind_its_cell_an_answer_without_points_is_not_judged_again(shell):
    shell.run_cell("def naive_softmax(x):\n    return x")
    again = shell.run_cell("check(naive_softmax)").result
    assert again == 0 and again.brief
    assert not shell.run_cell("check(naive_softmax)").result.brief, "asked for once more, it is"


def test_half_an_answer_is_told_what_is_missing_and_a_starter_what_to_do(shell, capsys):
    starter = exercise_named("safe_softmax").starter
    shell.run_cell(starter)
    assert capsys.readouterr().out == (
        "safe_softmax is as it was given out: write the missing lines, then run this cell again. "
        "hint(safe_softmax) helps.\n"
    )
    shell.run_cell(starter.replace("# TODO", "half = 1\n    # TODO", 1))
    said = capsys.readouterr().out
    assert "not attempted" in said and "Write the missing lines" in said
    assert "safe_softmax" not in progress.read() or not progress.read()["safe_softmax"].attempts


def test_a_check_that_is_stopped_says_so_in_one_sentence(shell, monkeypatch, capsys):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(extension, "score_of", stopped)
    shell.run_cell("def naive_softmax(x):\n    return x")
    assert capsys.readouterr().out.strip() == extension.STOPPED
    shell.run_cell("check(naive_softmax)")
    assert capsys.readouterr().out.strip() == extension.STOPPED


def test_loaded_anew_it_shows_one_card_and_unloaded_none(shell, capsys):
    shell.run_cell("%reload_ext autograder")
    shell.run_cell("def naive_softmax(x):\n    return x")
    assert capsys.readouterr().out.count("naive_softmax: wrong") == 1
    shell.run_cell("%unload_ext autograder")
    shell.run_cell("def naive_softmax(x):\n    return 2 * x")
    assert "naive_softmax" not in capsys.readouterr().out


def test_a_card_that_is_stopped_while_it_is_drawn_is_shown_by_the_next_check(shell, monkeypatch, capsys):
    display = line.display

    def stopped(shown, display_id=None):
        if isinstance(shown, Score):
            signal.raise_signal(signal.SIGINT)
        return display(shown, display_id)

    with monkeypatch.context() as patch:
        patch.setattr(line, "display", stopped)
        shell.run_cell("def naive_softmax(x):\n    return x")
    assert capsys.readouterr().out.strip() == extension.STOPPED
    assert progress.read()["naive_softmax"].attempts == 1, "what was found out is written down"
    again = shell.run_cell("check(naive_softmax)").result
    assert again == 0 and not again.brief


# Classes.


@pytest.mark.parametrize("name", [name for name in CLASSES if exercise_named(name).starter.count(HOLE.rstrip()) > 1])
def test_a_class_gets_a_card_from_its_first_method_on(name):
    exercise = exercise_named(name)
    lines = exercise.starter.rstrip() + "\n"
    holes = lines.count(HOLE)
    assert holes > 1 and not worth_a_card(function_from(exercise, lines, "starter"))
    for hole in range(holes):
        parts = lines.split(HOLE)
        written = HOLE.join(parts[: hole + 1]) + "return None\n" + HOLE.join(parts[hole + 1 :])
        half = function_from(exercise, written, f"hole {hole}")
        assert worth_a_card(half) and not attempted(exercise.name, half)
    assert worth_a_card(function_from(exercise, exercise.source, "course's"))


def test_a_class_that_is_written_anew_gets_a_card_whatever_it_leaves_out():
    exercise = exercise_named("KVCache")
    assert worth_a_card(function_from(exercise, "class KVCache:\n    pass", "empty"))
    static = exercise.starter.replace("    def contents(self)", "    @staticmethod\n    def contents(self)")
    assert not worth_a_card(function_from(exercise, static, "static"))


def setup(shell, topic):
    """What a lesson has imported, and the course's answers, as if they had been there before the session began."""
    module = vars(importlib.import_module(f"kernels.{topic}"))
    shell.push({name: value for name, value in module.items() if not name.startswith("_")})


def test_the_card_of_a_half_written_class_names_the_method_that_is_missing(shell, capsys):
    setup(shell, "kv_cache")
    starter = exercise_named("KVCache").starter
    shell.run_cell(starter)
    assert "is as it was given out" in capsys.readouterr().out
    shell.run_cell(starter.replace(HOLE, "self.length += k.shape[2]\n", 1))
    again = shell.run_cell("check(KVCache)").result
    assert again.brief and "A part of contents is not written yet" in str(again)
    said = shell.run_cell("%%needs KVCache\nprint('ran')")
    assert "This cell needs KVCache" in capsys.readouterr().out and said.success, "it takes all of it"


@pytest.mark.parametrize("cell, says", [
    ("%%needs naive_softmax\n1", "This kernel has not run a cell that makes naive_softmax: choose"),
    ("%%needs scores\n1", "This kernel has not run a cell that makes scores: choose"),
    ("__global__ void mine(float *x) {}", "This is CUDA C++"),
    ("%cuda scale_vector", "scale_vector.cu was made"),
])  # fmt: skip
def test_what_a_cell_wants_first_is_told_in_html(shell, monkeypatch, tmp_path, cell, says):
    """As all else below a cell is: printed lines are broken within words there. It leaves no name behind."""
    monkeypatch.chdir(tmp_path)
    told = []
    monkeypatch.setattr(line, "display", lambda shown, display_id=None: told.append(shown))
    before = {name for name in shell.user_ns if not name.startswith("_")}
    shell.run_cell(cell)
    shown = told[0]
    assert says in str(shown) and says in shown._repr_html_()
    assert {name for name in shell.user_ns if not name.startswith("_")} - before <= {"scale_vector"}


def test_a_kernels_file_may_have_comments_in_any_encoding(shell, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    source = exercise_named("scale_vector").source
    (tmp_path / "scale_vector.cu").write_bytes(f"// gr\xf6\xdfer\n{source}".encode("latin-1"))
    assert shell.run_cell("%cuda scale_vector").success
    assert shell.user_ns["scale_vector"].text == f"// gr\xf6\xdfer\n{source}"


def test_a_cell_that_needs_what_fails_its_check_says_so(shell, capsys):
    source, demo = exercise_named("naive_softmax").source, "%%needs naive_softmax\nprint('ran')"
    shell.run_cell(source.replace("np.exp(x)", "np.exp2(x)", 1))
    capsys.readouterr()
    shell.run_cell(demo)
    assert capsys.readouterr().out.startswith("naive_softmax did not pass the last check: ")
    shell.run_cell(source)
    capsys.readouterr()
    shell.run_cell(demo)
    assert capsys.readouterr().out == "ran\n"


def test_a_class_made_from_an_older_one_says_so(shell, capsys):
    """Python keeps the class that stood there when the cell of the inheriting one was run."""
    pytest.importorskip("triton", reason="Triton is not installed on this machine")
    setup(shell, "paged_cache")
    paged, prefix = exercise_named("PagedCache").source, exercise_named("PrefixCache").source
    sentence = "PrefixCache was made from an older PagedCache: run the cell of PrefixCache again."
    demo = "%%needs PagedCache PrefixCache\nprint('ran')"
    shell.run_cell(f"{paged}\n\n{prefix}")
    assert "made from an older" not in capsys.readouterr().out
    shell.run_cell(paged)
    capsys.readouterr()
    score = shell.run_cell("check(PrefixCache)").result
    assert sentence in str(score) and sentence in score._repr_html_()
    capsys.readouterr()
    shell.run_cell(demo)
    assert capsys.readouterr().out == f"{sentence}\nran\n"
    shell.run_cell(prefix)
    score = shell.run_cell("check(PrefixCache)").result
    assert score.verdict.status == "pass" and score.verdict.note == ""
    capsys.readouterr()
    shell.run_cell(demo)
    assert capsys.readouterr().out == "ran\n"
    shell.run_cell("from kernels.paged_cache import PrefixCache")
    assert extension.older_base(shell.user_ns["PrefixCache"], shell.user_ns) == "", "the course's is no older one"


def test_what_is_imported_from_the_course_is_no_answer(shell, capsys):
    """Setup cells of lessons import solutions of earlier exercises."""
    shell.run_cell("from kernels.memory_hierarchy import roofline_time\nfrom kernels.kv_cache import KVCache")
    assert capsys.readouterr().out == ""
    shell.run_cell("check(roofline_time)\n")
    assert capsys.readouterr().out == extension.COURSES.format("roofline_time") + "\n"
    assert progress.read() == {} and starters.passed("roofline_time") is None
    shell.run_cell(exercise_named("naive_softmax").source)
    assert "naive_softmax: right" in capsys.readouterr().out


def test_a_kernel_in_a_cell_is_the_learners_although_the_course_launches_it():
    assert extension.is_courses(exercise_named("thread_softmax").function)
    assert not extension.is_courses(CudaFunction("thread_softmax", "a kernel"))


# What the verbs cannot take is one sentence, as every mistake is.


@pytest.mark.parametrize("call, said", [
    ("check(KVCache(1, 1, 4, 2))", "check() takes the class itself, as in check(KVCache); got an object of it"),
    ("hint(KVCache(1, 1, 4, 2))", "hint() takes the class itself, as in hint(KVCache); got an object of it"),
    ("trace(KVCache(1, 1, 4, 2))", "trace() takes the class itself, as in trace(KVCache); got an object of it"),
    ("trace(3)", "trace() takes the function itself, as in trace(flash_attention); got int"),
    ("check('safe_softmax')", "check() takes the function itself, as in check(safe_softmax); got str"),
    ("check(print)", "'print' is not an exercise of the course"),
    ("hint(KVCache, 9)", "KVCache has 4 hints: ask for one from 1 to 4, not 9"),
    ("bench(KVCache)", "'KVCache' is no exercise whose speed is measured; those are: "),
    ("bench(3)", "bench() takes the function itself, as in bench(softmax); got int"),
    ("check(lambda x: x)", "'<lambda>' is not an exercise of the course; `tilewise list` shows the names"),
    ("check_answer(['{question}'], 1)", "check_answer() takes the question's name first, in quotes, as in "),
    ("check_answer(0.5, '{question}')", "check_answer() takes the question's name first, in quotes, as in "),
    ("check_answer('{question}x', 1)", "there is no question '{question}x'; did you mean {question}"),
])  # fmt: skip
def test_what_a_verb_cannot_take_is_one_sentence(shell, capsys, call, said):
    name = lessons()[0].questions[0].name
    setup(shell, "kv_cache")
    shell.run_cell(call.format(question=name))
    out = capsys.readouterr().out
    assert out.startswith(said.format(question=name)) and len(out.splitlines()) == 1


@pytest.mark.parametrize("made", ["lambda x: x", "functools.partial(max, 1)", "functools.wraps(abs)(lambda x: x)"])
@pytest.mark.parametrize("verb", ["check", "hint", "trace"])
def test_what_is_no_definition_is_told_how_to_be_one(shell, capsys, made, verb):
    shell.run_cell(f"import functools\nnaive_softmax = {made}")
    capsys.readouterr()
    shell.run_cell(f"{verb}(naive_softmax)")
    assert capsys.readouterr().out == f"{NOT_DEFINED.format('naive_softmax', 'def naive_softmax')}\n"


def test_a_question_without_quotes_is_told_below_the_traceback(shell, capsys):
    name = lessons()[0].questions[0].name
    shell.run_cell(f"check_answer({name}, 1)")
    said = f'{name} is a question, whose name stands in quotes: check_answer("{name}", ...)'
    assert capsys.readouterr().out.splitlines()[-1] == said


def test_the_verbs_outlive_a_session_that_is_emptied(shell, capsys):
    shell.run_cell("%reset -f")
    shell.run_cell("hint(3)")
    assert capsys.readouterr().out.startswith("hint() takes the function itself")


def test_help_on_a_verb_shows_its_arguments(shell):
    assert list(inspect.signature(shell.user_ns["check"]).parameters) == ["function"]
    assert list(inspect.signature(shell.user_ns["hint"]).parameters) == ["function", "rung"]


def test_the_learners_own_errors_keep_their_traceback(shell, capsys):
    shell.run_cell("traffic(lambda: {}['missing'])")
    assert "Traceback" in capsys.readouterr().out


@pytest.mark.parametrize("cell, said", [
    ("def KVCache(batch, heads, capacity, d):\n    return 1",
     "KVCache is a class in this exercise; begin it with `class KVCache`, as the lesson does"),
    ("class naive_softmax:\n    pass",
     "naive_softmax is a function in this exercise; begin it with `def naive_softmax`, as the lesson does"),
])  # fmt: skip
def test_a_function_in_place_of_a_class_is_one_sentence(shell, capsys, cell, said):
    shell.run_cell(cell)
    assert capsys.readouterr().out == f"{said}\n"
    name = said.split()[0]
    shell.run_cell(f"check({name})")
    assert capsys.readouterr().out == f"{said}\n" and name not in progress.read()


def test_a_process_beside_that_has_died_is_started_again():
    pytest.importorskip("triton", reason="Triton is not installed on this machine")

    def defines():
        process = helpers.forked("compiles")
        assert process
        with contextlib.closing(process):
            return process.define("cell", "x = 1") is None

    assert defines()
    helpers._helper("compiles").process.kill()
    helpers._helper("compiles").process.wait()
    assert defines()


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="no process groups here")
def test_the_stop_button_leaves_the_process_beside_alone():
    """JupyterLab interrupts the kernel's whole process group."""
    pytest.importorskip("triton", reason="Triton is not installed on this machine")
    code = (
        "import os, signal; from autograder.processes import helpers\n"
        "helpers.start(); first = helpers.forked('compiles')\n"
        "ask = lambda: first.define('cell', 'x = 1')\nif first: ask()\n"
        "try:\n    os.killpg(0, signal.SIGINT); signal.pause()\nexcept KeyboardInterrupt:\n    pass\n"
        "print('answers' if first is None or ask() is None else 'does not')"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, start_new_session=True)
    assert said.stdout.strip() == "answers", said.stderr


def test_an_interrupted_question_takes_its_process_with_it(monkeypatch):
    closed = []
    process = SimpleNamespace(close=lambda: closed.append("closed"))
    monkeypatch.setattr(helpers, "forked", lambda does: process)
    monkeypatch.setattr(helpers, "define", lambda process, cells: None)

    def question(process):
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        helpers.ask_own([], question)
    assert closed == ["closed"]


def test_without_triton_everything_says_which_lessons_need_it(shell, monkeypatch, capsys):
    monkeypatch.setattr(interpreter, "has_triton", lambda: False)
    last = [lesson.stem for lesson in lessons() if any(e.backend == "triton" for e in lesson.exercises)][-2:]
    sentence = f"{' and '.join(last)} need Triton, which is not installed here (`tilewise doctor`"
    shell.run_cell("if False:\n    import triton")
    assert sentence in capsys.readouterr().out
    assert sentence in str(progress.progress()) and "need Triton" in progress.progress().html
    show(tables.course_table())
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


LEAVES = ["exit()", "quit()", "import sys; sys.exit()", "import os; os._exit(0)"]


@pytest.mark.parametrize("leaves", LEAVES)
def test_an_answer_that_leaves_python_gets_a_card_and_the_kernel_stays(shell, monkeypatch, capsys, leaves):
    ended = []
    monkeypatch.setattr(type(shell), "ask_exit", lambda self: ended.append(self), raising=False)
    shell.run_cell(f"def naive_softmax(x):\n    {leaves}")
    said = capsys.readouterr().out
    assert "naive_softmax: crashed" in said and "This ends Python, and nothing is returned" in said
    shell.run_cell("traffic(lambda: naive_softmax(np.ones(3)))")
    assert not ended
    shell.run_cell("exit()")
    assert ended == [shell], "in a cell of its own it is meant"


def test_what_a_notebook_puts_among_the_names_of_an_answer_is_nothing_that_the_answer_keeps(shell, capsys):
    shell.run_cell("def online_stats(stream):\n    y = !echo\n    exit()")
    said = capsys.readouterr().out
    assert "This ends Python" in said and "cannot be weighed" not in said


def test_a_process_that_an_answer_forks_off_ends_where_it_says_so(shell, capsys):
    child = "    child = os.fork()\n    if not child:\n        os._exit(3)\n"
    shell.run_cell(f"import os\ndef naive_softmax(x):\n{child}    print(os.waitpid(child, 0)[1] >> 8)\n    return x")
    printed = capsys.readouterr().out
    assert "What the answer printed in case 1 (all of it):\n    3\n" in printed, "else it would be a second kernel"


@pytest.mark.parametrize(
    "cell, is_told",
    [
        ("    y = np.exp(x)\n    return y / y.sum()", True),
        ("\n    # the rest\n    def step(self):\n        pass", True),
        ("    a = 3", False),
        ("def f():\n    return 3", False),
    ],
)
def test_the_rest_of_a_cell_that_was_split_says_so(shell, capsys, cell, is_told):
    shell.run_cell(cell)
    assert (SPLIT in capsys.readouterr().out) is is_told


COMPARED = "\ndef reference(q):\n    return torch.nn.functional.scaled_dot_product_attention(q, q, q)\n"
DEMO = "\nq = torch.ones(1, 4, 8)\nassert torch.allclose(naive_attention(q, q, q), reference(q))\n"


@pytest.mark.parametrize("used, points", [(False, 1.0), (True, 0.0)])
def test_a_comparison_below_an_answer_in_its_cell_is_no_part_of_it(shell, used, points):
    """So a grade sees it. What the answer does use of it counts."""
    answer = exercise_named("naive_attention").source
    if used:
        answer = answer.replace("    n_q, n_k", "    reference(q)\n    n_q, n_k", 1)
    shell.run_cell(f"import torch\nfrom torch import Tensor\n{COMPARED}\n{answer}\n{DEMO}")
    checked = shell.run_cell("check(naive_attention)").result
    assert checked == points
    assert "scaled_dot_product_attention" in checked.verdict.source, "the cell itself is kept"
