"""The command line: quick to start, every mistake one sentence, exit statuses that a script can rely on."""

import importlib
import importlib.metadata
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import Mock

import pytest

from autograder.authoring import new
from autograder.notebook import progress, starters
from autograder.notebook.jupyter import lab
from autograder.notebook.submit import UNSAVED
from autograder.shell import cli, doctor, tables
from autograder.shell.named import files_and_exercises, stem_and_exercise, whole_files
from autograder.showing.terminal import show
from autograder.spec import mistakes
from autograder.spec.catalogue import Lesson, exercises, lessons
from autograder.spec.folders import ROOT
from autograder.spec.user_error import UserError
from tests.grading.files import RIGHT, WRONG, cell, notebook_text


@pytest.fixture
def tilewise(capfd):
    """Run the command line in this process: exit status, standard output, standard error."""

    def call(*arguments):
        with pytest.raises(SystemExit) as exit_:
            cli.main([str(a) for a in arguments])
        return (exit_.value.code, *capfd.readouterr())

    return call


@pytest.fixture
def answer(tmp_path):
    path = tmp_path / "answer.py"
    path.write_text(RIGHT)
    return path


def test_help_loads_nothing_heavy():
    code = (
        "import sys\nfrom autograder.shell import cli\ntry:\n    cli.main(['--help'])\nexcept SystemExit:\n    pass\n"
        "print({'numpy', 'torch', 'nbformat', 'nbgrader', 'jupytext', 'IPython'} & set(sys.modules))"
    )
    said = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert said.stdout.endswith("set()\n") and "doctor" in said.stdout and said.stderr == ""


WITHOUT_ANSWERS = [
    "list",
    "progress",
    "check none.py",
    "check qqq",
    "submit none.py",
    "grade none --out o",
    "grade . --out o --lesson qqq",
    "reset qqq",
    "hint qqq",
    "bench none.py",
    "build qqq",
    "prove qqq",
    "new qqq",
    "nbgrader init c --lesson qqq",
]


def test_what_runs_no_answer_waits_for_no_pytorch(tmp_path):
    """In one process, in which what one of them has loaded would be there after all that follow."""
    code = (
        "import sys\nfrom autograder.shell import cli\n"
        "for words in sys.argv[1:]:\n    try:\n        cli.main(words.split())\n    except SystemExit:\n        pass\n"
        "    print('\\nENDS', words, sorted({'torch', 'nbformat', 'IPython'} & set(sys.modules)), flush=True)\n"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    (tmp_path / "mine.py").write_text("")
    command = [sys.executable, "-c", code, *WITHOUT_ANSWERS]
    said = subprocess.run(
        command, cwd=tmp_path, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ).stdout
    for words in WITHOUT_ANSWERS:
        answer, _, said = said.partition(f"\nENDS {words} []\n")
        assert len(answer) > 50 and "ENDS" not in answer, answer


def test_check_takes_lessons_and_exercises_by_name(tilewise, tmp_path, monkeypatch):
    monkeypatch.setenv("TILEWISE_WORK", str(tmp_path))
    code, _, said = tilewise("check", "softmax")
    assert code == 2 and "01_softmax.ipynb is not there; `tilewise lab` makes your copy" in said
    shutil.copy(lessons()[0].solved, tmp_path / "01_softmax.ipynb")
    for word, checked in (("log_sum_exp", 1), ("1", 3), ("01_softmax", 3)):
        code, out, _ = tilewise("check", word)
        assert code == 0 and out.count(": right ") == checked
    (tmp_path / "a.py").write_text(RIGHT)
    copy, file = tmp_path / "01_softmax.ipynb", tmp_path / "a.py"
    assert files_and_exercises(["1", "log_sum_exp"]) == ([copy], ["log_sum_exp"]), "as with the copy's path"
    assert files_and_exercises(["naive_softmax", str(file)]) == ([file], ["naive_softmax"]), "that of the file"
    assert files_and_exercises([str(file)]) == ([file], []), "all that the file holds"
    code, out, _ = tilewise("check", file, "log_sum_exp")
    assert code == 0 and out.count(": right ") == 1
    assert starters.passed("log_sum_exp") == RIGHT, "kept for the steps that begin with it"
    code, out, said = tilewise("check", file, "naive_softmax")
    assert (code, out) == (2, "") and "a.py holds nothing of naive_softmax; what it has: log_sum_exp" in said


def test_hints_open_in_a_terminal_as_in_a_notebook(tilewise, tmp_path, monkeypatch):
    monkeypatch.setenv("TILEWISE_WORK", str(tmp_path))
    _, first, _ = tilewise("hint", "safe_softmax")
    _, second, _ = tilewise("hint", "safe_softmax")
    _, third, _ = tilewise("hint", "safe_softmax", 3)
    assert "Hint 1 of 4: the idea" in first and first.endswith("`tilewise hint safe_softmax 2` is the next of 4.\n")
    assert "Hint 2 of 4" in second and "Hint 3 of 4" in third


def test_a_file_whose_only_function_is_misspelled_is_told_the_name(tilewise, tmp_path):
    (tmp_path / "mine.py").write_text("def safe_softmaks(x):\n    return x\n")
    code, _, said = tilewise("check", tmp_path / "mine.py")
    assert code == 2 and "mine.py holds none of the course's exercises; did you mean safe_softmax?" in said


def test_an_exercise_comes_before_the_lesson_that_has_its_name(tmp_path):
    (tmp_path / "a.ipynb").write_text("")
    assert stem_and_exercise("dropout") == ("14_dropout", "dropout")
    with pytest.raises(UserError, match="is a file; name one exercise"):
        stem_and_exercise("work/14_dropout.ipynb")
    assert files_and_exercises([str(tmp_path / "a.ipynb"), "dropout"])[1] == ["dropout"]
    assert len(files_and_exercises([str(tmp_path / "a.ipynb"), "14"])[1]) > 1
    assert files_and_exercises([str(tmp_path / "a.ipynb"), "14_dropout", "philox"])[1] == ["philox"]


@pytest.mark.parametrize("command", ["check", "submit"])
def test_a_file_that_is_not_there_is_nearly_another(tilewise, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(RIGHT)
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "01_softmax.ipynb").write_text("")
    assert "mien.py is not there; did you mean mine.py?" in tilewise(command, "mien.py")[2]
    said = tilewise(command, "01_sofmax.ipynb")[2]
    assert f"did you mean {tmp_path / 'work' / '01_softmax.ipynb'}?" in said, "the learner's copies count"
    said = tilewise(command, "16_cuda_sofmax.ipynb")[2]
    assert "is not there, nor your copy of 16_cuda_softmax.ipynb, which `tilewise lab` makes." in said
    assert "No such file" in tilewise(command, "else.py")[2]


def test_a_file_that_is_near_is_named_once(tilewise, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TILEWISE_WORK", str(tmp_path / "work"))
    (tmp_path / "work").mkdir()
    for name in ("01_softmax", "16_cuda_softmax"):
        (tmp_path / "work" / f"{name}.ipynb").write_text("")
    assert (
        "work/01_softmx.ipynb is not there; did you mean work/01_softmax.ipynb?"
        in tilewise("check", "work/01_softmx.ipynb")[2]
    )


def test_an_exercise_beside_a_lesson_is_one_of_it(tilewise):
    code, _, said = tilewise("check", "05", "naive_softmax")
    assert code == 2 and "naive_softmax is in 01_softmax, not in 05_memory_hierarchy; name it alone, or that" in said


def test_submit_refuses_a_file_to_write_into_before_it_checks(tilewise, answer):
    code, out, said = tilewise("submit", answer, "--out", answer)
    assert (code, out) == (2, "") and "is a file; give a folder" in said and "Packing" not in said


def test_every_command_explains_itself(tilewise):
    code, out, _ = tilewise()
    assert code == 0
    names = [line.split()[0] for line in out.partition("Commands:")[2].strip().splitlines()]
    assert {"list", "check", "submit", "grade", "build", "prove", "new", "progress", "doctor", "lab"} < set(names)
    for name in (*names, "nbgrader init"):
        code, out, _ = tilewise(*name.split(), "--help")
        assert code == 0 and out.startswith(f"Usage: tilewise {name}")


UNRELIABLE = """
from concurrent.futures import Executor, Future

class Workers(Executor):
    def submit(self, function, submission, *rest):
        future = Future()
        if submission.student in {lost}:
            future.set_exception(ConnectionError("the worker is gone"))
        else:
            future.set_result(function(submission, *rest))
        return future

def workers(jobs):
    return Workers()
"""


@pytest.mark.parametrize(("lost", "status"), [([], 0), (["bob"], 3), (["ada", "bob", "eve"], 3)])
def test_a_class_of_whom_somebody_waits_is_status_3_and_their_names(tilewise, tmp_path, monkeypatch, lost, status):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "unreliable", raising=False)
    (tmp_path / "unreliable.py").write_text(UNRELIABLE.format(lost=lost))
    (tmp_path / "class").mkdir()
    for name in ("ada", "bob", "eve"):  # who answer nothing, so that grading them is quick
        (tmp_path / "class" / f"{name}.py").write_text("x = 1\n")
    asked = ("class", "--out", "out", "--lesson", "softmax", "--executor", "unreliable:workers")
    code, out, _ = tilewise("grade", *asked)
    assert code == status
    said = f"Not graded to the end: {len(lost)}, " in out and f"says why: {', '.join(lost)}. They lose no points" in out
    assert said == bool(lost), out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["chekc"], "`tilewise --help`"),
        (["chekc"], "Did you mean 'check'? `tilewise"),
        (["trace", "vector_add"], "trace is a function of the notebook: call trace(...) in a cell"),
        (["release", "1"], "release is nbgrader's: run `nbgrader release_assignment` in the folder"),
        (["nbgrader", "autograde", "1"], "autograde is nbgrader's: run `nbgrader autograde` in the folder"),
        (["check"], "`tilewise check --help`"),
        (["check", "--hurry", "x.py"], "`tilewise check --help`"),
        (["check", "missing.py"], "missing.py cannot be read: No such file"),
        (["check", "essay.txt"], "is not a notebook"),
        (["check", "online_sofmax"], "did you mean online_softmax"),
        (["check", "qqq"], "`tilewise list` shows the names"),
        (["reset", "1"], "name one of its exercises: naive_softmax, safe_softmax"),
        (["reset", "naive_softmx"], "did you mean naive_softmax"),
        (["hint", "naive_softmax", "9"], "naive_softmax has 4 hints: ask for one from 1 to 4, not 9"),
        (["hint", "naive_softmax", "two"], "naive_softmax has 4 hints: ask for one from 1 to 4, not 'two'"),
        (["submit", "missing.ipynb"], "missing.ipynb cannot be read"),
        (
            ["submit", "log_sum_exp"],
            "log_sum_exp is an exercise; name its lesson, 01_softmax, which is handed in whole",
        ),
        (["submit", "sofmax"], "sofmax is no file, lesson or exercise; did you mean softmax"),
        (["submit", "."], ". is not a notebook"),
        (["grade", "missing", "--out", "out", "--jobs", "two"], "'--jobs': Input should be a valid integer; `tilewise"),
        (["grade", "missing", "--out", "out"], "missing does not exist"),
        (["grade", "missing"], "--out"),
        (["grade", "missing", "--out", "out", "--jobs", "0"], "--jobs"),
        (["build", "99"], "there is no lesson '99'; `tilewise list` shows"),
        (["grade", ".", "--out", "out", "--lesson", "softmx"], "did you mean softmax"),
        (["bench", "qqq"], "`tilewise list` shows the names"),
        (["prove", "nothing"], "there is no lesson 'nothing'"),
        (["new", "Tiled Attention"], "as in 07_tiled_attention"),
        (["new", "99_toy"], "the next one is"),
        (["nbgrader"], "`tilewise nbgrader --help`"),
    ],
)
def test_a_mistake_is_one_sentence_and_status_2(tilewise, arguments, says, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "z.py").touch()
    code, out, err = tilewise(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("tilewise: ") and says in err and err.count("\n") == 1 and "Traceback" not in err


@pytest.mark.parametrize(
    "words",
    [
        "''", "check ''", "check softmax ''", "hint ''", "reset ''", "bench ''", "bench --json ''", "submit ''",
        "submit z.py --out ''", "grade '' --out out", "grade . --out ''", "grade . --out=",
        "grade . --out out --seed ''",
        "grade . --out out --lesson ''", "grade . --out out --executor ''", "grade . --out out --jobs ''",
        "nbgrader ''", "nbgrader init ''", "build ''", "prove ''", "new ''",
    ],
)  # fmt: skip
def test_an_empty_word_is_one_sentence_and_never_the_folder_that_one_is_in(tilewise, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "z.py").touch()
    code, out, err = tilewise(*shlex.split(words))
    assert (code, out) == (2, "") and err.endswith(" is empty; write what is meant there, or leave it out.\n")
    assert err.count("\n") == 1 and [path.name for path in tmp_path.iterdir()] == ["z.py"]


def test_what_nobody_expected_is_one_sentence_too_unless_debugging(tilewise, monkeypatch):
    def broken():
        raise ZeroDivisionError("first line\nlast line")

    monkeypatch.setattr(doctor, "examine", broken)
    code, _, err = tilewise("doctor")
    assert code == 1 and "ZeroDivisionError: last line" in err and "TILEWISE_DEBUG=1" in err and err.count("\n") == 1
    monkeypatch.setenv("TILEWISE_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        cli.main(["doctor"])


def test_a_package_that_is_missing_is_named(tilewise, monkeypatch):
    monkeypatch.setitem(sys.modules, "autograder.notebook.progress", None)
    code, _, err = tilewise("progress")
    assert code == 1 and "autograder.notebook.progress is not installed; `tilewise doctor`" in err


def test_list_and_progress_follow_a_check(tilewise, answer, tmp_path, monkeypatch):
    monkeypatch.setenv("TILEWISE_WORK", str(tmp_path))
    assert tilewise("check", answer)[0] == 0
    code, out, _ = tilewise("list")
    row = next(line for line in out.splitlines() if "log_sum_exp" in line)
    assert code == 0 and row.split()[1:] == ["2", "numpy", "+", "2"]
    assert all(name in out for name in exercises()) and all(lesson.stem in out for lesson in lessons())
    assert "2 of" in tilewise("progress")[1]


@pytest.mark.parametrize("columns", ["80", "40"])
def test_the_list_has_whole_names_in_lines_of_80_columns(monkeypatch, capsys, columns):
    entries = {name: progress.Entry(name, "partial", 1.5, 1.5, attempts=1) for name in exercises()}
    monkeypatch.setattr(progress, "read", lambda: entries)
    monkeypatch.setenv("COLUMNS", columns)
    show(tables.course_table())
    head, rule, *rows = capsys.readouterr().out.splitlines()
    assert head.split() == ["lesson", "exercise", "points", "back", "end", "state"] and len(rule) <= 80
    assert [name for name in exercises() if not any(name in row.split() and "~ 1.5" in row for row in rows)] == []


def test_lab_starts_no_browser_if_told_so(tilewise, tmp_path, monkeypatch):
    monkeypatch.setenv("TILEWISE_WORK", str(tmp_path))
    asked = []
    monkeypatch.setattr(lab, "lab_server", lambda copy, no_browser: asked.append(no_browser) or Mock())
    assert "Opening JupyterLab on" in tilewise("lab")[1]
    assert "Starting JupyterLab on" in tilewise("lab", "--no-browser")[1] and asked == [False, True]


def test_submit_names_the_zip(tilewise, answer, tmp_path):
    code, out, _ = tilewise("submit", answer, "--out", tmp_path / "here")
    (made,) = (tmp_path / "here").iterdir()
    assert code == 0 and made.name in out.replace("\n", "") and "the official grade uses other inputs" in out


@pytest.mark.parametrize(("word", "stem"), [("1", "01_softmax"), ("14", "14_dropout"), ("dropout", "14_dropout")])
def test_submit_takes_lessons_by_name_each_whole_and_once(tmp_path, monkeypatch, word, stem):
    monkeypatch.setenv("TILEWISE_WORK", str(tmp_path))
    copy, mine = tmp_path / f"{stem}.ipynb", tmp_path / "mine.py"
    with pytest.raises(UserError, match="`tilewise lab` makes your copy"):
        whole_files([word])
    copy.touch()
    mine.touch()
    assert whole_files([word, str(mine), stem, str(copy)]) == [copy, mine]


def test_submit_says_last_what_is_not_saved(tilewise, tmp_path, monkeypatch):
    monkeypatch.setenv("TILEWISE_WORK", str(tmp_path))
    path = tmp_path / "01_softmax.ipynb"
    path.write_text(notebook_text(cell("naive_softmax", WRONG)))
    (tmp_path / starters.PASSED).mkdir()
    (tmp_path / starters.PASSED / "naive_softmax.txt").write_text(exercises()["naive_softmax"].source)
    code, out, _ = tilewise("submit", path, "--out", tmp_path / "here")
    assert code == 0 and out.splitlines()[-1] == UNSAVED.format("naive_softmax")


POOL = """
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

def forever(*call):
    time.sleep(10_000)

def of_processes(jobs):
    return ProcessPoolExecutor(jobs)

class Stuck(ThreadPoolExecutor):
    def submit(self, *call):
        return super().submit(forever)

class StuckProcesses(ProcessPoolExecutor):
    def submit(self, *call):
        return super().submit(forever)
"""


@pytest.mark.parametrize("executor", ["Stuck", "StuckProcesses"])
def test_a_run_whose_executor_never_answers_ends_and_leaves_no_process(tmp_path, start, executor):
    (tmp_path / "own.py").write_text(POOL)
    (tmp_path / "ada.py").write_text(RIGHT)
    script = (
        "import sys; from autograder.grading import classroom; from autograder.shell.cli import main; "
        "classroom._patience = lambda *_: 0.5; main(sys.argv[1:])"
    )
    asked = ["grade", "ada.py", "--out", "out", "--lesson", "softmax", "--executor", f"own:{executor}"]
    where = {"cwd": tmp_path, "env": os.environ | {"PYTHONPATH": str(ROOT)}, "process_group": 0}
    process = start([sys.executable, "-c", script, *asked], **where, stdout=subprocess.PIPE, text=True)
    out, _ = process.communicate(timeout=100)
    assert process.returncode == 3 and f"the {executor} gave no answer" in " ".join(out.split())
    assert "report.html" in out.splitlines()[-1]
    assert (tmp_path / "out" / "grades.csv").exists()
    be_no_group(process.pid)


def be_no_group(group):
    deadline = time.monotonic() + 60  # what was killed is there until somebody has reaped it
    with pytest.raises(ProcessLookupError):
        while time.monotonic() < deadline:
            os.killpg(group, 0)
            time.sleep(0.05)


@pytest.mark.parametrize("executor", ["local", "own:of_processes"])
def test_ctrl_c_stops_a_class_run_at_once_and_leaves_no_process(tmp_path, start, executor):
    (tmp_path / "own.py").write_text(POOL)
    loop = "def naive_softmax(x):\n    while True:\n        pass\n"
    for name in "abc":
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / "a.py").write_text(loop)
    (tmp_path / "in" / "a" / "a.py").write_text(RIGHT)
    command = [sys.executable, "-m", "autograder", "grade", "in", "--out", "out", "--jobs", "1", "--seconds", "300"]
    command += ["--executor", executor]
    where = {"cwd": tmp_path, "env": os.environ | {"PYTHONPATH": str(ROOT)}, "process_group": 0}
    process = start(command, **where, stderr=subprocess.PIPE, text=True)
    while not (tmp_path / "out" / "results" / "a" / "results.json").exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=100)
    assert process.returncode == 130 and "Traceback" not in err
    assert err.splitlines()[-1].startswith("Stopped. Nothing is lost. A class run goes on from here")
    be_no_group(process.pid)


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_class_run_that_is_told_to_end_leaves_no_process_and_no_file(tmp_path, start, name):
    """Without bubblewrap, where each sandbox has a folder on the disk."""
    number, kept = getattr(signal, name), tmp_path / "kept"
    kept.mkdir()
    for student, text in (("a", RIGHT), ("b", "def naive_softmax(x):\n    while True:\n        pass\n")):
        (tmp_path / "in" / student).mkdir(parents=True)
        (tmp_path / "in" / student / "a.py").write_text(text)
    command = [sys.executable, "-m", "autograder", "grade", "in", "--out", "out", "--jobs", "1", "--seconds", "300"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(kept), "PATH": str(tmp_path)}
    before = signal.signal(number, lambda *_: None)  # under nohup it is ignored, by all that is started, too
    process = start(command, cwd=tmp_path, env=environment, process_group=0, stderr=subprocess.PIPE, text=True)
    signal.signal(number, before)
    while not (tmp_path / "out" / "results" / "a" / "results.json").exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    time.sleep(0.3)
    assert list(kept.iterdir())
    process.send_signal(number)
    _, err = process.communicate(timeout=30)
    assert process.returncode == -number and "Traceback" not in err
    assert err.splitlines()[-1].startswith("Stopped. Nothing is lost. A class run goes on from here")
    assert not list(kept.iterdir())
    be_no_group(process.pid)


@pytest.mark.parametrize("within", [True, False])
def test_ctrl_c_ends_what_is_imported_at_once_and_raises_afterwards(within):
    """PyTorch's C++ aborts on an exception that Python raises in it; here it may even be caught."""
    code = (
        "import os, signal\nfrom autograder.shell.ctrl_c import leaving_at_once\n"
        "def press():\n    try:\n        os.kill(os.getpid(), signal.SIGINT)\n"
        "    except KeyboardInterrupt:\n        print('raised')\n"
        f"with leaving_at_once():\n    {within} and press()\npress()"
    )
    said = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    left = (130, "", "\nStopped. Nothing is lost.\n")
    assert (said.returncode, said.stdout, said.stderr) == (left if within else (0, "raised\n", ""))


def test_ctrl_c_stops_a_proof_without_a_word_of_pythons(tmp_path, start):
    """Of lessons that are proved beside each other: what multiprocessing has opened it also closes."""
    command = [sys.executable, "-m", "autograder", "prove", "1", "2"]
    process = start(command, cwd=ROOT, env=dict(os.environ), process_group=0, stderr=subprocess.PIPE, text=True)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while len(children.read_text().split()) < 3:  # a process that keeps track, and two that prove
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    time.sleep(0.3)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    said = [line for line in err.splitlines() if line and not re.search(r", \d+ s$", line)]  # where it takes long
    begun, *stopped = said
    assert begun == "Proving; each lesson is named when it is done ..."
    assert stopped == ["01_softmax: stopped while proving.", "Stopped. Nothing is lost."]


def test_build_names_what_is_stale_and_writes_only_that(tilewise, monkeypatch):
    written: list[Lesson] = []
    first, second = lessons()[:2]
    monkeypatch.setattr("autograder.authoring.build.stale", lambda lesson: [lesson.notebook] if lesson == first else [])
    monkeypatch.setattr("autograder.authoring.build.write", written.append)
    code, out, _ = tilewise("build", "--check", first.stem, second.stem)
    assert code == 1 and out == f"lessons/{first.stem}.ipynb is stale; run tilewise build\n" and not written
    code, out, _ = tilewise("build")
    assert code == 0 and out == f"lessons/{first.stem}.ipynb written\n" and written == [first]
    assert tilewise("build", "--check", second.stem)[:2] == (0, "")
    monkeypatch.setattr("autograder.authoring.build.index_is_stale", lambda: True)
    assert tilewise("build", "--check", second.stem)[:2] == (1, "lessons/index.json is stale; run tilewise build\n")


@pytest.mark.parametrize(("problems", "status"), [([], 0), (["softmax: wrong"], 1)])
def test_prove_prints_problems_and_tells_by_its_status(tilewise, monkeypatch, problems, status):
    monkeypatch.setattr("autograder.authoring.prove_course.problems_of", lambda stems: [(stems[0], problems)])
    code, out, _ = tilewise("prove", "1")
    assert code == status and out.splitlines()[:-1] == problems
    last = out.splitlines()[-1]
    assert last.startswith("01_softmax (") and last.endswith(
        f"): {len(problems) or 'no'} problem{'' if problems else 's'}"
    )


# doctor


def test_doctor_names_the_command_for_what_is_missing(tilewise, monkeypatch):
    def version(name):
        if name in ("torch", "nbgrader"):
            raise importlib.metadata.PackageNotFoundError(name)
        return "0.1"

    monkeypatch.setattr(importlib.metadata, "version", version)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    code, out, _ = tilewise("doctor")
    assert code == 1
    lines = out.splitlines()
    assert lines[lines.index("- torch        missing (needed for everything)") + 1].strip() == f"{doctor.INSTALL} torch"
    assert ". nbgrader     missing" in out and doctor.COMPILER in out
    assert f"0.1; the course is tested with {doctor.pins()['numpy']}" in out
    assert f"{doctor.INSTALL} numpy" in out


def test_what_is_optional_does_not_fail_the_doctor(tilewise, monkeypatch):
    gpu, torch = doctor.Finding("GPU", False, "none", "speed", "buy one"), doctor.Finding("torch", True, "2", "all", "")
    monkeypatch.setattr(doctor, "examine", lambda: [gpu, torch])
    code, out, _ = tilewise("doctor")
    assert code == 0 and out.splitlines()[::2] == [". GPU          none (needed for speed)", "+ torch        2"]


# new


@pytest.fixture
def tree(tmp_path):
    for folder in ("kernels", "autograder/exercises", "lessons"):
        (tmp_path / folder).mkdir(parents=True)
    return tmp_path


def test_new_writes_four_files_that_are_code(tree):
    said = list(new.begin("01_row_means", tree))
    made = sorted(str(p.relative_to(tree)) for p in tree.rglob("*.*"))
    exercises = "autograder/exercises/row_means"
    assert made == [f"{exercises}.md", f"{exercises}.py", "kernels/row_means.py", "lessons/01_row_means.md"]
    assert all(any(line.startswith(name) for line in said) for name in made)
    for name in made:
        text = (tree / name).read_text()
        assert "TOPIC" not in text and "TITLE" not in text and "TODO" in text
        if name.endswith(".py"):
            compile(text, name, "exec")
    for package in ("autograder", "autograder/exercises"):
        (tree / package / "__init__.py").touch()  # by which ruff knows the course's own imports
    (tree / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    for check in (["check"], ["format", "--check"]):
        subprocess.run([sys.executable, "-m", "ruff", *check, "--no-cache", "."], cwd=tree, check=True)


def test_a_new_lesson_is_judged_like_any_other(tree, monkeypatch):
    list(new.begin("01_row_means", tree))
    import autograder.exercises as ours
    import kernels
    from autograder.judging.diagnosis.mistakes import mutate
    from autograder.judging.judge import judge
    from autograder.judging.prepare import prepare_case
    from autograder.runner.observe import observe

    monkeypatch.setattr(kernels, "__path__", [*kernels.__path__, str(tree / "kernels")])
    monkeypatch.setattr(ours, "__path__", [*ours.__path__, str(tree / "autograder" / "exercises")])
    made = importlib.import_module("autograder.exercises.row_means").EXERCISES
    page = (tree / "autograder" / "exercises" / "row_means.md").read_text()
    (exercise,), problems = mistakes.joined(made, mistakes.read(page)[0])
    assert problems == [] and len(exercise.hints) == len(exercise.mutants) == 3
    prepared = [prepare_case(exercise, case, "s") for case in exercise.cases]
    monkeypatch.setattr("autograder.judging.judge.prepare", lambda name, i, seed: prepared[i])
    monkeypatch.setattr("autograder.judging.judge.diagnose", lambda *_: None)

    def status(function):
        return judge(exercise, "", "s", lambda p, _: observe(function, p.arguments, "numpy")).status

    assert status(exercise.function) == "pass"
    assert "pass" not in [status(mutate(exercise, mutant)) for mutant in exercise.mutants]


@pytest.mark.parametrize("stem", ["1_x", "row_means", "90_Row", "90_row-means", "90_../x", "90_if", "90_safe_softmax"])
def test_a_name_that_does_not_fit_writes_nothing(tree, stem):
    with pytest.raises(UserError, match="cannot be a lesson's name"):
        list(new.begin(stem, tree))
    assert not list(tree.rglob("*.*"))


def test_new_overwrites_nothing(tree):
    list(new.begin("01_row_means", tree))
    before = {p: p.read_bytes() for p in tree.rglob("*.*")}
    for stem in ("01_row_means", "02_row_means", "01_column_means"):
        with pytest.raises(UserError, match=r"is there already|the next one is 02_column_means"):
            list(new.begin(stem, tree))
    assert {p: p.read_bytes() for p in tree.rglob("*.*")} == before


SLOW_TORCH = """
import sys, time
class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == "torch":
            sys.meta_path.remove(self)
            time.sleep(1.5)
sys.meta_path.insert(0, Slow())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal of Unix")
@pytest.mark.parametrize("words", ["check {}", "reset row_max", "bench {}"])
def test_in_a_terminal_a_line_says_what_is_waited_for(words, answer, tmp_path):
    """Where importing PyTorch takes more than a second."""
    import pty

    (tmp_path / "sitecustomize.py").write_text(SLOW_TORCH)
    ours, theirs = pty.openpty()
    environment = os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}", "TILEWISE_WORK": str(tmp_path)}
    command = [sys.executable, "-m", "autograder", *words.format(answer).split()]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs, env=environment) as process:
        os.close(theirs)
        said = ""
        while not re.search(r"\rloading the course, \d+ s\x1b\[K.*\r\x1b\[K", said):  # what follows is not waited for
            said += os.read(ours, 10_000).decode()  # an OSError at the end of the process
        process.kill()
    os.close(ours)


def test_the_doctor_names_a_package_that_has_the_name_of_ours(monkeypatch):
    """Hugging Face's `kernels`: transformers finds its version, and imports ours."""
    known = importlib.metadata.version
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "0.18.3" if name == "kernels" else known(name))
    (found,) = [finding for finding in doctor.examine() if finding.part == "kernels"]
    assert not found.ok and found.mend == "pip uninstall kernels" and "0.18.3 of Hugging Face" in found.found
