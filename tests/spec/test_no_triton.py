"""A machine without Triton, as macOS and Windows are: processes that cannot find it do all that does not need it."""

import csv
import json
import os
import subprocess
import sys

import pytest

from autograder.authoring.sample import submission_notebook
from autograder.spec import notebook
from autograder.spec.catalogue import exercises, lesson_named
from autograder.spec.folders import ROOT

HIDE = """\
import sys
from importlib.machinery import PathFinder

class WithoutTriton(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.split(".")[0] == "triton" else PathFinder.find_spec(name, path, target)

sys.meta_path[sys.meta_path.index(PathFinder)] = WithoutTriton
"""
TILEWISE = HIDE + (
    "from autograder.processes import wall\n"
    f"wall.BOOT = {HIDE!r} + wall.BOOT\n"
    "from autograder.shell.cli import main\n"
    "main(sys.argv[1:])\n"
)
SESSION = HIDE + (
    "from IPython.core.interactiveshell import InteractiveShell\n"
    "shell = InteractiveShell()\n"
    "for cell in eval(sys.argv[1]):\n"
    "    print('CELL')\n"
    "    shell.run_cell(cell)\n"
)
SETUP = "%load_ext autograder\n" + notebook.setup_source(
    notebook.read(lesson_named("paged_attention").notebook.read_text())
)
ANSWERED = {"generation_flops", "paged_gather_attention", "paged_decode"}


def python(code, *arguments, folder):
    environment = os.environ | {"TILEWISE_WORK": str(folder), "PYTHONPATH": str(ROOT), "CUDA_VISIBLE_DEVICES": ""}
    environment |= {"COLUMNS": "200"}
    environment.pop("TRITON_INTERPRET", None)
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT)


def session(folder, *cells):
    """What each cell prints, run one after the other in a notebook's session without Triton."""
    done = python(SESSION, repr([SETUP, *cells]), folder=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout.split("CELL\n")[2:]


def sentence(name):
    return f"{name} needs Triton, which is not installed here; `tilewise doctor` says what to do"


def source(name):
    return exercises()[name].source


def tilewise(folder, *arguments, status=0):
    done = python(TILEWISE, *map(str, arguments), folder=folder)
    assert done.returncode == status, done.stderr
    return done


def hand_in(folder, *lessons):
    folder.mkdir(parents=True)
    for name in lessons:
        lesson = lesson_named(name)
        text = submission_notebook(lesson, lambda e: e.source if e.name in ANSWERED else None)
        (folder / f"{lesson.stem}.ipynb").write_text(text)


QUESTION = lesson_named("paged_attention").questions[0]
CELLS = {
    "gathered": source("paged_gather_attention") + "\nprint(check(paged_gather_attention).verdict.status)",
    "grouped": source("grouped_attention") + "\nprint(check(grouped_attention).verdict.status)",
    "traced": "from kernels.paged_cache import PagedCache\nprint(len(trace(PagedCache)._repr_html_()) > 1000)",
    "asked": f"print(check_answer({QUESTION.name!r}, {QUESTION.answer.value!r}))",
    "map": "print(progress())",
    "defined": source("paged_decode"),
    "checked": "print(check(paged_decode))",
    "launched": "paged_split_kernel[(1,)](None)",
    "used": "triton.cdiv(3, 2)",
    "stand-in": (
        "from autograder.spec import interpreter\nfrom torch.utils._triton import has_triton_package\n"
        "import torch._dynamo\n"
        "missing = []\n"
        "for line in ('import triton.compiler', 'from triton import knobs', 'from triton.language import extra'):\n"
        "    try:\n        exec(line)\n    except ImportError:\n        missing.append(line)\n"
        "print(interpreter.has_triton(), has_triton_package(), hasattr(triton, 'cdiv'), len(missing))"
    ),
}


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """What each of CELLS prints, run one after the other in one session."""
    return dict(zip(CELLS, session(tmp_path_factory.mktemp("work"), *CELLS.values()), strict=True))


def test_what_is_plain_python_or_torch_works_in_the_lessons_of_triton(shown):
    assert shown["gathered"].startswith("pass") and shown["grouped"].startswith("pass")
    assert shown["traced"].startswith("True") and f"{QUESTION.name}: right" in shown["asked"]
    assert "[x] paged_gather_attention" in shown["map"] and "The Triton exercises of 08_triton_kernels" in shown["map"]
    assert "[ ] paged_decode" in shown["map"], "its points belong to the course here too"


def test_an_exercise_of_triton_says_in_one_sentence_what_it_needs(shown):
    assert sentence("paged_decode") in shown["defined"] and "Traceback" not in shown["defined"]
    assert shown["checked"].strip() == sentence("paged_decode") + "."
    assert shown["launched"].strip() == shown["used"].strip() == sentence("this")


def test_nobody_takes_the_stand_in_for_triton(shown):
    """torch, if it did, would stumble over it when it imports its compiler."""
    assert shown["stand-in"].splitlines()[-1] == "False False False 3"


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A class of two, graded without Triton: its folder, and what was said."""
    folder = tmp_path_factory.mktemp("class")
    hand_in(folder / "submissions" / "both", "kv_cache", "paged_attention")
    hand_in(folder / "submissions" / "one", "kv_cache")
    return folder, tilewise(folder, "grade", folder / "submissions", "--out", folder / "out", "--jobs", "1", status=3)


def result(folder, student):
    return json.loads((folder / "out" / "results" / student / "results.json").read_text())


def statuses(found):
    return {entry["exercise"]: entry["status"] for entry in found["exercises"] if entry["exercise"] in ANSWERED}


def test_a_grade_waits_for_triton_and_is_never_too_low(graded):
    folder, done = graded
    wanted = {"generation_flops": "pass", "paged_gather_attention": "pass", "paged_decode": "infra"}
    assert statuses(result(folder, "both")) == wanted
    notes = [entry["note"] for entry in result(folder, "both")["exercises"] if entry["exercise"] == "paged_decode"]
    assert sentence("paged_decode") in notes[0]
    rows = {row["student"]: row for row in csv.DictReader((folder / "out" / "grades.csv").read_text().splitlines())}
    assert (rows["both"]["paged_decode"], rows["both"]["points"]) == ("", "")
    assert float(rows["one"]["points"]) == exercises()["generation_flops"].points
    warned = " ".join(done.stderr.split())
    assert "answers to paged_decode will wait, because they need Triton" in warned
    assert "Not graded to the end: 1, " in done.stdout


def test_with_triton_the_same_command_grades_what_waited(graded):
    pytest.importorskip("triton", reason="Triton is not installed on this machine")
    folder, _ = graded
    code = "import sys; from autograder.shell.cli import main; main(sys.argv[1:])"
    command = ["grade", str(folder / "submissions"), "--out", str(folder / "out"), "--jobs", "1"]
    done = python(code, *command, folder=folder)
    assert "1 graded, 1 kept" in done.stdout, done.stderr
    assert set(statuses(result(folder, "both")).values()) == {"pass"}


def test_check_and_submit_take_what_they_can(tmp_path):
    hand_in(tmp_path / "mine", "paged_attention")
    file = tmp_path / "mine" / f"{lesson_named('paged_attention').stem}.ipynb"
    checked = tilewise(tmp_path, "check", file, status=1).stdout
    assert "paged_gather_attention: right" in checked and "paged_decode: not graded" in checked
    assert sentence("paged_decode") in " ".join(checked.split())
    receipt = tilewise(tmp_path, "submit", file, "--out", tmp_path).stdout
    lines = {line.split()[0]: line for line in receipt.splitlines() if line}
    assert "+ right" in lines["paged_gather_attention"] and "not graded" in lines["paged_decode"]
    assert "untouched" in lines["paged_prefill"]
