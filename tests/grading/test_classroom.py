"""A class run: what is kept, what is graded again, what a lost worker costs, and what is written."""

import contextlib
import csv
import errno
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema
import pytest

from autograder.authoring.sample import mistaken, students, submission_notebook
from autograder.grading import class_run as classrun
from autograder.grading import classroom, grade, session
from autograder.grading.class_report import report
from autograder.grading.class_table import class_table
from autograder.grading.classroom import answered, class_seed, grade_class, result_path, write_grades
from autograder.grading.executors import GIVEN_UP, ROUNDS, Workers, made_by, maker_of_executors
from autograder.grading.grade import grade_submission, verdicts_for
from autograder.grading.reading.files import Files
from autograder.grading.reading.limited import read_submissions
from autograder.grading.reading.submission import read_answers
from autograder.grading.results import as_json
from autograder.grading.session import Allowance
from autograder.judging.judge import judge
from autograder.processes.child_link import Limits
from autograder.processes.files import write_atomically
from autograder.runner.meters import METERS
from autograder.runner.translate import TARGETS
from autograder.showing.terminal import show
from autograder.spec.catalogue import exercises, lesson_named
from autograder.spec.folders import ROOT
from autograder.spec.user_error import UserError
from simt import compiler

NAMES = ["naive_softmax", "log_sum_exp"]
LIMITS = Limits(seconds=2.0)
HEAD = "import numpy as np\n\n\n"
RIGHT = HEAD + "\n\n".join(exercises()[name].source for name in NAMES)
WRONG = HEAD + "\n\n".join(mistaken(exercises()[name], 2) for name in NAMES)
SCHEMA = jsonschema.Draft202012Validator(
    json.loads((ROOT / "autograder" / "grading" / "results.schema.json").read_text())
)


class Inline(Executor):
    """Runs everything at once in the calling thread, so that one sandbox serves all tests; counts what it is given."""

    def __init__(self):
        self.graded = []

    def submit(self, function, /, *arguments, **named):
        self.graded.append(arguments[0].student)
        future: Future[Any] = Future()
        try:
            future.set_result(function(*arguments, **named))
        except Exception as error:
            future.set_exception(error)
        return future


class Mortal(Inline):
    """Loses its worker, or refuses the work, the first `times` times that it is given `student`."""

    def __init__(self, student, times, refuses=False):
        super().__init__()
        self.student, self.left, self.refuses = student, times, refuses

    def submit(self, function, /, *arguments, **named):
        if arguments[0].student == self.student and self.left:
            self.left -= 1
            if self.refuses:
                raise RuntimeError("cannot schedule new futures")
            future: Future[Any] = Future()
            future.set_exception(ConnectionError("the worker is gone"))
            return future
        return super().submit(function, *arguments, **named)


def submission(student, text, name="a.py"):
    return read_answers(Files(student, ((name, text.encode()),)))


CLASS = [submission("ada", RIGHT), submission("bob", WRONG), read_answers(Files("eve", ()))]


def run(out, executor=None, class_=CLASS, seed="s", names=NAMES, limits=LIMITS, level=None):
    """Grade the class: the results by student, and who was really graded."""
    executor = executor or Inline()
    results = grade_class(class_, names, seed, out, Workers(executor), limits, level)
    return {r["student"]: r for r in results}, executor.graded


def statuses(result):
    return [entry["status"] for entry in result["exercises"]]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """The class, graded once."""
    return run(tmp_path_factory.mktemp("class"))[0]


# What is kept and what is graded again


def test_a_second_run_keeps_everything(tmp_path):
    first, graded = run(tmp_path)
    again, graded_again = run(tmp_path)
    assert graded == ["ada", "bob", "eve"] and graded_again == [] and first == again


CHANGED_BY_HAND: dict[str, Callable[[dict[str, Any]], object]] = {
    "points by hand": lambda result: result["exercises"][0].update(points=1.0),
    "a status by hand": lambda result: result["exercises"][0].update(status="excused"),
    "exercises by hand": lambda result: result["exercises"].pop(),
    "a name by hand": lambda result: result.update(student="bob"),
    "a field by hand": lambda result: result.pop("max_points"),
}


@pytest.mark.parametrize(
    "what",
    [
        *("submission", "seed", "exercises", "limits", "course", "damaged file", "endless file", "somebody else's"),
        *CHANGED_BY_HAND,
    ],
)
def test_whatever_decides_a_grade_makes_it_new(tmp_path, what, monkeypatch):
    one = {"class_": [submission("ada", "x = 1")]}  # answers nothing, so grading it is quick
    run(tmp_path, **one)
    if what == "course":
        for module in (classroom, grade):
            monkeypatch.setattr(module, "fingerprint", lambda: "another")
    if what == "damaged file":
        result_path(tmp_path, "ada").write_text('{"key": ')
    if what == "endless file":
        result_path(tmp_path, "ada").write_text("[" * 200_000)
    if what == "somebody else's":  # who has handed in the same file
        run(tmp_path, class_=[submission("bob", "x = 1")])
        shutil.copy(result_path(tmp_path, "bob"), result_path(tmp_path, "ada"))
    if what in CHANGED_BY_HAND:
        result = json.loads(result_path(tmp_path, "ada").read_text())
        CHANGED_BY_HAND[what](result)
        result_path(tmp_path, "ada").write_text(json.dumps(result))
    change: dict[str, dict[str, Any]] = {
        "submission": {"class_": [submission("ada", "x = 2")]},
        "seed": {"seed": "t"},
        "exercises": {"names": NAMES[:1]},
        "limits": {"limits": Limits(seconds=3)},
    }
    results, graded = run(tmp_path, **(one | change.get(what, {})))
    assert graded == ["ada"] and results["ada"]["student"] == "ada"


def test_a_result_from_behind_a_weaker_wall_is_graded_again(tmp_path):
    one = {"class_": [submission("ada", "x = 1")]}
    run(tmp_path, **one, level="limits")
    assert run(tmp_path, **one)[1] == []
    result, graded = run(tmp_path, **one, level="bubblewrap")
    assert graded == ["ada"] and result["ada"]["sandbox"] == "bubblewrap"


def test_a_run_that_is_killed_goes_on_where_it_was(tmp_path, start):
    slow = HEAD + "import time\ntime.sleep(0.2)\n\n\n" + exercises()["log_sum_exp"].source
    for i in range(4):
        (tmp_path / "in" / f"s{i}").mkdir(parents=True)
        (tmp_path / "in" / f"s{i}" / "a.py").write_text(slow)
    command = [sys.executable, "-m", "autograder", "grade", tmp_path / "in", "--out", tmp_path / "out"]
    command += ["--jobs", "1", "--seed", "s", "--seconds", "2"]
    process = start(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    done = tmp_path / "out" / "results"
    while not list(done.glob("*/results.json")):
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    names = [e.name for e in lesson_named("softmax").exercises]
    class_ = read_submissions(tmp_path / "in")
    resumed, graded = run(tmp_path / "out", class_=class_, names=names)
    undisturbed, _ = run(tmp_path / "fresh", class_=class_, names=names)
    assert 0 < len(graded) < 4 and resumed == undisturbed
    assert {r["points"] for r in resumed.values()} == {exercises()["log_sum_exp"].points}


# Workers that are lost


@pytest.mark.parametrize("refuses", [False, True])
def test_a_lost_worker_costs_nobody_anything(tmp_path, results, refuses):
    executor = Mortal("ada", 2, refuses)
    assert run(tmp_path, executor)[0] == results
    assert executor.graded == ["bob", "eve", "ada"]


def test_a_submission_that_every_worker_loses_is_infra_and_tried_again(tmp_path, results):
    lost, _ = run(tmp_path, Mortal("bob", ROUNDS))
    assert statuses(lost["bob"]) == ["infra", "infra"] and lost["bob"]["sandbox"] == "none"
    assert "ConnectionError: the worker is gone" in lost["bob"]["exercises"][0]["note"]
    SCHEMA.validate(lost["bob"])
    again, graded = run(tmp_path)
    assert graded == ["bob"] and again == results


def test_a_mistake_of_the_checker_is_infra_for_one_exercise_only(monkeypatch):
    def broken(exercise, *rest):
        if exercise.name == NAMES[0]:
            raise ZeroDivisionError("the checker's own")
        return judge(exercise, *rest)

    monkeypatch.setattr(grade, "judge", broken)
    result = grade_submission(CLASS[0], NAMES, "s", LIMITS)
    assert statuses(result) == ["infra", "pass"]
    assert "ZeroDivisionError" in result["exercises"][0]["note"]


# What the results say


def test_the_same_seed_gives_the_same_bytes(tmp_path, results):
    run(tmp_path)
    for student, result in results.items():
        assert result_path(tmp_path, student).read_text() == as_json(result)


def test_another_seed_draws_other_inputs_and_judges_alike(tmp_path, results):
    other, _ = run(tmp_path, seed="another")
    for student in ("ada", "bob"):
        assert statuses(other[student]) == statuses(results[student])
        errors = [[c["tolerance"] for e in r[student]["exercises"] for c in e["cases"]] for r in (other, results)]
        assert errors[0] != errors[1]
    assert other["ada"]["seed_id"] != results["ada"]["seed_id"] and "another" not in json.dumps(other)
    assert statuses(results["ada"]) == ["pass", "pass"] and "pass" not in statuses(results["bob"])


def test_results_follow_their_schema(results):
    loop = HEAD + "def naive_softmax(x):\n    while True:\n        pass\n"
    crash = "def log_sum_exp(x):\n    return 1 / 0\n\n\ndef naive_softmax(x) syntax"
    made = [grade_submission(submission("x", text), NAMES, "s", LIMITS) for text in (loop, crash)]
    assert [statuses(r) for r in made] == [["timeout", "not_attempted"], ["error", "error"]]
    for result in (*results.values(), *made):
        SCHEMA.validate(result)


def test_the_schema_knows_every_meter_and_target():
    known = json.dumps(SCHEMA.schema)
    named = {f'"{word}"' for meter in METERS for word in (meter.name, f"{meter.name}_allowed", meter.kind)}
    named |= {f'"{target}"' for target in TARGETS}
    assert {word for word in named if word not in known} == set()


def test_the_schema_refuses_what_it_does_not_know(results):
    for change in ({"extra": 1}, {"schema": 2}, {"points": "5"}, {"sandbox": "trust"}, {"key": None}):
        assert list(SCHEMA.iter_errors(results["ada"] | change))
    assert not list(SCHEMA.iter_errors(results["ada"]))


def test_budgets_and_their_measurements_follow_the_schema_and_repeat(tmp_path):
    exercise = next(e for e in exercises().values() if any(c.budget for c in e.cases))
    text = Path(exercise.function.__code__.co_filename).read_text()
    made = [grade_submission(submission("x", text), [exercise.name], "s", LIMITS) for _ in range(2)]
    SCHEMA.validate(made[0])
    assert made[0] == made[1] and made[0]["exercises"][0]["measurements"]


# Tables


def test_grades_are_a_table_that_no_spreadsheet_runs(tmp_path, results):
    rows = [
        results["ada"] | {"student": name} for name in ("=cmd()|A0", "+1", "-1", "@sum", "＝1", "Öberg, Åsa", 'a"b\nc')
    ]
    rows[0] = rows[0] | {"submission": rows[0]["submission"] | {"notes": ["-x.py was left out", "x" * 40_000]}}
    write_grades(rows, tmp_path / "grades.csv")
    with open(tmp_path / "grades.csv", newline="", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    students_ = [row["student"] for row in table]
    assert students_ == ["'=cmd()|A0", "'+1", "'-1", "'@sum", "'＝1", "Öberg, Åsa", 'a"b c']
    assert table[0]["notes"] == f"'-x.py was left out; {'x' * 297}..."
    assert float(table[0]["naive_softmax"]) == exercises()["naive_softmax"].points


def test_names_become_folders_that_do_not_meet(tmp_path):
    names = ["ada", "a/da", "a_da", "../ada", ".ada", "", "a" * 300, "a" * 299, "李雷", "new\nline"]
    names += ["李" * 80, "李" * 84, "𠀀" * 62]  # as long as a file may be called, in bytes
    names += [result_path(tmp_path, name).parent.name for name in names]  # whoever is called like another's folder
    names = list(dict.fromkeys(names))
    paths = {result_path(tmp_path, name) for name in names}
    assert len(paths) == len(names)
    for path in paths:
        assert path.resolve().is_relative_to(tmp_path / "results") and len(path.parts) == len(tmp_path.parts) + 3
        write_atomically(path, "x")


def test_the_report_escapes_everything_and_runs_nothing(results):
    nasty = "<script>alert(1)</script>"
    bad = results["bob"] | {"student": nasty, "submission": results["bob"]["submission"] | {"notes": [nasty]}}
    bad["exercises"] = [e | {"status": "flagged", "note": nasty} for e in bad["exercises"]]
    page = report([results["ada"], bad])
    assert "<script" not in page and "&lt;script&gt;" in page and "default-src 'none'" in page


def test_text_in_the_report_is_text_wherever_it_stands(results):
    """Markup, quotes, braces of the template and characters that steer a page, in every field that holds text."""
    nasty = "<script>alert(1)</script>\"'&<b> {{7*7}} {% raw %} {# x #}\0\x1b\ud800"
    shown = nasty[:-3] + "\ufffd" * 3
    one = json.loads(json.dumps(results["bob"]))
    one |= {"student": nasty, "seed_id": nasty, "sandbox": nasty, "environment": {nasty: nasty}}
    one["submission"]["notes"] = [nasty, "n" * 400]
    one["course"] = dict.fromkeys(one["course"], nasty)
    for entry in one["exercises"]:
        entry |= {"exercise": nasty, "status": "flagged", "note": nasty, "diagnosis": {"mutant": nasty}}
        entry["over_budget"] = [{"kind": nasty}]
        for case in entry["cases"]:
            case["name"] = nasty
    calm = json.loads(json.dumps(one).replace(json.dumps(nasty)[1:-1], "calm"))
    page, peaceful = Parsed(report([one])), Parsed(report([calm]))
    assert page.elements == peaceful.elements and "49" not in page.text and "n" * 297 + "..." in page.text
    assert page.text.count(shown) == peaceful.text.count("calm") > 20
    assert "s" * 77 + "..." in report([one | {"student": "s" * 81}])


class Parsed(HTMLParser):
    """The elements of a page with their attributes, and its text."""

    def __init__(self, page):
        super().__init__()
        self.elements, self.text = [], ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, attrs))

    def handle_data(self, data):
        self.text += data


def test_the_report_names_mistakes_cases_and_what_needs_a_look(results):
    page = report([results["ada"], results["bob"], results["eve"]])
    assert mutant(NAMES[0]) in page and exercises()[NAMES[0]].cases[0].name in page
    assert "1 right, 1 wrong, 1 not attempted" in page
    assert "Nothing: every file could be read" in page
    unread = results["eve"] | {"submission": results["eve"]["submission"] | {"notes": ["x.zip could not be read"]}}
    assert "x.zip could not be read" in report([results["ada"], unread])


def test_what_waits_has_no_total_and_lowers_no_mean(results, tmp_path, capsys):
    last = results["ada"]["exercises"][-1] | {"status": "infra", "points": 0.0, "note": "no compiler"}
    waiting = results["ada"] | {"student": "zoe", "exercises": [*results["ada"]["exercises"][:-1], last]}
    waiting["points"] -= last["max_points"]
    both = [results["ada"], waiting]
    full = f"{results['ada']['points']:g} of {results['ada']['max_points']:g} points among"
    page = Parsed(report(both)).text
    assert f"{full} those who did" in Parsed(report(both[:1])).text
    assert f"{full} the 1 of them for whom nothing waits" in page and "1 right, 1 waits" in page
    assert f"mean of the attempts {last['max_points']:g} / {last['max_points']:g}" in page
    show(class_table(both))
    table = capsys.readouterr().out.splitlines()
    ada, zoe = (next(line for line in table if line.startswith(name)) for name in ("ada", "zoe"))
    assert ada.endswith(full.removesuffix(" points among").replace("of", "/")) and zoe.endswith("waits")
    assert not any(line.startswith("Flagged") for line in table)
    answers = [*waiting["exercises"][:-1], last | {"status": "flagged"}]
    flagged = results["ada"] | {"student": "eve", "exercises": answers}
    show(class_table([*both, flagged]))
    assert "Flagged, for you to look at in the report: eve." in capsys.readouterr().out
    write_grades(both, tmp_path / "grades.csv")
    assert f'"","{waiting["max_points"]:g}","{last["exercise"]}: waits"' in (tmp_path / "grades.csv").read_text()
    assert classrun._summary(both, 0, tmp_path)[0] == "1 graded, 0 kept from an earlier run."


def mutant(name):
    return exercises()[name].mutants[2].name


def test_a_report_on_500_students_stays_small(results):
    one = results["bob"] | {"exercises": results["bob"]["exercises"] * 10}
    page = report([one | {"student": f"A name of ordinary length {i}"} for i in range(500)])
    assert len(page.encode()) < 1_500_000


# The run as a command


def test_the_seed_of_a_class_is_secret_kept_and_replaceable(tmp_path):
    seed = class_seed(tmp_path, None)
    assert len(seed) == 32 and class_seed(tmp_path, None) == seed
    assert stat.S_IMODE(os.stat(tmp_path / "seed").st_mode) == 0o600
    assert class_seed(tmp_path, " mine ") == "mine" == class_seed(tmp_path, None)


def test_a_seed_that_everybody_could_guess_is_none(tmp_path):
    assert len(class_seed(tmp_path, None)) == 32 and stat.S_IMODE(os.stat(tmp_path / "seed").st_mode) == 0o600
    with pytest.raises(UserError, match="the seed is empty"):
        class_seed(tmp_path, " ")


@pytest.mark.parametrize("seed", ["two\nlines", "a\rb", "\udcff"])  # the last: bytes of a terminal that are no UTF-8
def test_a_seed_that_a_file_would_not_keep_is_none(tmp_path, seed):
    with pytest.raises(UserError, match="the seed is no line of plain text"):
        class_seed(tmp_path, seed)
    assert not (tmp_path / "seed").exists()


@pytest.mark.parametrize("left", [b"\xff\xfe", b"", b"\n", b"a\0b"])
def test_a_seed_s_file_that_is_damaged_stays(tmp_path, left):
    (tmp_path / "seed").write_bytes(left)
    with pytest.raises(UserError, match="holds no seed; put the class's seed back"):
        class_seed(tmp_path, None)
    assert (tmp_path / "seed").read_bytes() == left
    assert class_seed(tmp_path, "mine") == "mine" == class_seed(tmp_path, None)


def test_without_lessons_named_those_that_somebody_answered_are_graded():
    assert answered(CLASS) == [e.name for e in lesson_named("softmax").exercises]
    assert classrun.exercise_names(CLASS, ["1", "softmax"]) == answered(CLASS)
    with pytest.raises(UserError, match="--lesson"):
        classrun.exercise_names(CLASS[2:], [])
    empty = read_answers(Files("zoe", (("a.ipynb", b""),)))
    with pytest.raises(UserError, match=r"nobody answered anything here \(a.ipynb was left out: it is empty\); name"):
        classrun.exercise_names([empty], [])
    with pytest.raises(UserError, match="there is no lesson"):
        classrun.exercise_names(CLASS, ["99"])


def test_a_sandbox_that_is_required_and_missing_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(classrun, "best_level", lambda: "limits")
    with pytest.raises(UserError, match=r"no bubblewrap.*tilewise doctor"):
        classrun.run(tmp_path, tmp_path / "out", require_sandbox=True)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "why", ["code in the sandbox cannot import torch: ImportError", "the sandbox does not start: no word from it"]
)
@pytest.mark.parametrize("level", ["bubblewrap", "limits"])
def test_a_sandbox_that_cannot_grade_stops_the_run_before_it_begins(tmp_path, monkeypatch, capsys, level, why):
    monkeypatch.setattr(classrun, "best_level", lambda: level)
    monkeypatch.setattr(classrun, "out_of_reach", lambda: why)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ada.py").write_text(RIGHT)
    with pytest.raises(UserError, match=f"{why}; nothing can be graded here"):
        classrun.run(tmp_path / "in", tmp_path / "out")
    assert not (tmp_path / "out").exists() and capsys.readouterr().err == ""


@pytest.mark.parametrize("spec", ["nothing", "no_such_module:f", "os:nothing", "os:getcwd", "builtins:int"])
def test_an_executor_that_is_none_is_one_sentence(spec):
    with pytest.raises(UserError, match="--executor"):
        made_by(maker_of_executors(spec), spec, 2)


def test_a_wrong_name_is_said_before_anything_is_read(tmp_path, capsys):
    with pytest.raises(UserError, match="--executor nothing"):
        classrun.run(tmp_path, tmp_path.parent / "out", executor="nothing")
    assert "Reading" not in capsys.readouterr().err


def test_a_run_prints_the_class_and_writes_its_files(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(classrun, "maker_of_executors", lambda spec: lambda jobs: Inline())
    handed_in, out = tmp_path / "in", tmp_path / "out"
    handed_in.mkdir()
    for student, text in (("ada", RIGHT), ("bob", WRONG)):
        (handed_in / f"{student}.py").write_text(text)
    (handed_in / "eve.zip").write_bytes(b"no zip")
    for said in ("3 graded, 0 kept", "0 graded, 3 kept"):
        classrun.run(handed_in, out, seed="s", seconds=2)
        text = capsys.readouterr().out
        assert said in text and "eve.zip could not be read: it is not a zip archive" in text
        ada = next(line for line in text.splitlines() if line.startswith("ada"))
        assert "+.+" in ada and "3 / 5" in ada
    assert {p.name for p in out.iterdir()} == {".lock", "results", "seed", "grades.csv", "report.html"}
    with pytest.raises(UserError, match="among the submissions"):
        classrun.run(handed_in, handed_in / "out")


def test_a_folder_that_is_removed_meanwhile_is_written_again(tmp_path, monkeypatch):
    class Remover(Inline):
        def submit(self, function, /, *arguments, **named):
            if arguments[0].student == "bob":
                shutil.rmtree(out)
            return super().submit(function, *arguments, **named)

    monkeypatch.setattr(classrun, "maker_of_executors", lambda spec: lambda jobs: Remover())
    handed_in, out = tmp_path / "in", tmp_path / "out"
    handed_in.mkdir()
    for student in ("ada", "bob"):
        (handed_in / f"{student}.py").write_text(RIGHT)
    results = classrun.run(handed_in, out, seed="s", seconds=2)
    assert class_seed(out, None) == "s" and len(results) == 2
    for result in results:
        assert result_path(out, result["student"]).read_text() == as_json(result)


def test_where_no_bar_is_drawn_a_line_says_how_far_reading_and_grading_are(tmp_path, capsys, monkeypatch):
    @contextlib.contextmanager
    def told_at_once(seconds, tell):
        yield
        tell()

    monkeypatch.setattr(classrun, "told_every", told_at_once)
    monkeypatch.setattr(classrun, "maker_of_executors", lambda spec: lambda jobs: Inline())
    (tmp_path / "in").mkdir()
    for student in ("ada", "bob"):
        (tmp_path / "in" / f"{student}.py").write_text(RIGHT)
    (tmp_path / "in" / "[red]:smile:.txt").touch()
    (tmp_path / "in" / ("notes of a name that is longer than a line of eighty columns" + 40 * "." + "txt")).touch()
    classrun.run(tmp_path / "in", tmp_path / "out", seed="s", seconds=2)
    said = capsys.readouterr().err.splitlines()
    assert "2 of 2 read" in said and "2 of 2 graded" in said
    listed = next(line for line in said if line.startswith("Not looked at"))
    assert ": [red]:smile:.txt, notes of a name" in listed and listed.endswith("...")


def test_a_full_standard_output_says_nothing_of_the_folder(tmp_path, monkeypatch):
    def full(table):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(classrun, "maker_of_executors", lambda spec: lambda jobs: Inline())
    monkeypatch.setattr(classrun, "show", full)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ada.py").write_text(RIGHT)
    with pytest.raises(OSError, match="No space left"):
        classrun.run(tmp_path / "in", tmp_path / "out", seed="s", seconds=2)
    assert (tmp_path / "out" / "grades.csv").exists() and not (tmp_path / "out" / ".holder").exists()


def test_the_sample_class_is_what_it_says():
    lesson = lesson_named("softmax")
    made = {name: submission_notebook(lesson, answers) for name, answers in students()}
    assert len(made) == 12 and made == {name: submission_notebook(lesson, a) for name, a in students()}
    assert submission("x", made["untouched"], "a.ipynb").answers == {}
    mistakes = submission("x", made["mistake-1"], "a.ipynb").answers
    assert "shift" not in mistakes["safe_softmax"].source.split("numerator = ")[1].split("\n")[0]


def test_answers_that_are_each_in_time_do_not_hold_up_the_class():
    """Each is made twice. A call may take half a second here, and all calls of an answer three."""
    slow = b"import time\ndef safe_softmax(x):\n    time.sleep(0.2)\n    return x\n"
    submission = read_answers(Files("slow", (("a.py", slow),)))
    (verdict,), _ = verdicts_for(submission, ["safe_softmax"], "a seed", Limits(seconds=0.5))
    late = [case.message for case in verdict.cases if case.status == "timeout"]
    assert len(late) == 1 and "have used up their time" in late[0] and verdict.points < verdict.max_points
    assert sum(case.status == "skipped" for case in verdict.cases) >= 1


class Silent(Executor):
    """Takes all work and never says a word."""

    def __init__(self):
        self.taken = []

    def submit(self, function, /, *arguments, **named):
        self.taken.append(Future())
        return self.taken[-1]


def test_an_executor_that_never_answers_is_given_up_and_named(tmp_path, monkeypatch):
    monkeypatch.setattr(classroom, "START", 0.01)
    monkeypatch.setattr(classroom, "SECONDS", {"compiles": 0})
    monkeypatch.setattr(compiler, "SECONDS", 0)
    silent = Silent()
    somebody = read_answers(Files("somebody", (("answer.py", RIGHT.encode()),)))
    (result,) = grade_class([somebody], NAMES[:1], "a seed", tmp_path, Workers(silent), Limits(seconds=0.001))
    (entry,) = result["exercises"]
    assert entry["status"] == "infra" and "Silent gave no answer" in entry["note"]
    assert len(silent.taken) == 1 and silent.taken[0].cancelled() and [silent] == GIVEN_UP


def test_a_worker_that_is_lost_without_a_word_is_named_by_the_exception(tmp_path):
    class Cancelled(Executor):
        def submit(self, function, /, *arguments, **named):
            future: Future[Any] = Future()
            future.cancel()
            future.set_running_or_notify_cancel()
            return future

    somebody = read_answers(Files("somebody", (("answer.py", RIGHT.encode()),)))
    (result,) = grade_class([somebody], NAMES[:1], "a seed", tmp_path, Workers(Cancelled()), Limits())
    assert result["exercises"][0]["note"] == "the worker was lost (CancelledError)"


def test_a_worker_with_another_course_grades_nobody(tmp_path):
    class Elsewhere(Inline):
        def submit(self, function, /, *arguments, **named):
            future = super().submit(function, *arguments, **named)
            future.result()["course"]["fingerprint"] = "another one"
            return future

    elsewhere = Elsewhere()
    somebody = read_answers(Files("somebody", (("answer.py", RIGHT.encode()),)))
    (result,) = grade_class([somebody], NAMES[:1], "a seed", tmp_path, Workers(elsewhere), Limits())
    (entry,) = result["exercises"]
    assert (entry["status"], result["points"]) == ("infra", 0) and "install this one there" in entry["note"]
    assert len(elsewhere.graded) == ROUNDS
    (again,) = grade_class([somebody], NAMES[:1], "a seed", tmp_path, Workers(Inline()), Limits())
    assert again["exercises"][0]["status"] == "pass"


def test_a_submission_s_time_is_that_of_all_its_answers():
    limits = Limits(seconds=1.0)
    assert Allowance(limits, in_all=limits.submission_seconds + 1).is_used_up and not Allowance(limits).is_used_up


def test_whose_answers_take_all_the_time_gets_no_more_of_it(monkeypatch):
    """An endless answer leaves nothing to the ones after it, which take no time any more; to nobody else it does."""
    monkeypatch.setattr(Limits, "submission_seconds", property(lambda limits: limits.seconds / 2))
    endless = f"{RIGHT}\n\n\ndef naive_softmax(x):\n    while True:\n        pass\n"
    made = grade_submission(submission("x", endless), NAMES, "s", Limits(seconds=1.0))
    assert statuses(made) == ["timeout", "timeout"]
    one = grade_submission(submission("y", RIGHT), NAMES[1:], "s", Limits(seconds=10.0))
    assert statuses(one) == ["pass"]


def test_what_a_grader_is_stopped_for_is_not_its_student_s_time(monkeypatch):
    allowance = Allowance(Limits(seconds=1.0))
    times = iter([0.0, 3600.0])
    monkeypatch.setattr(session, "time", SimpleNamespace(monotonic=lambda: next(times)))
    with allowance.running():
        pass
    assert 0 < allowance.in_all <= allowance.limits.seconds_now
    assert not allowance.is_used_up
