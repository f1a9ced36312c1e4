"""The progress file loses nothing, whoever writes it, and the map drawn from it is right."""

import errno
import fcntl
import os
import re
import sys
import time
import warnings
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.judging.verdict import Verdict
from autograder.notebook import progress
from autograder.notebook.progress import HEADER, Entry, read, record, record_answer, record_hint
from autograder.showing.course_list import SIGNS
from autograder.spec import catalogue, folders
from autograder.spec.catalogue import exercise_named, lessons

EXERCISE = exercise_named("safe_softmax")
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def file(tmp_path, monkeypatch):
    monkeypatch.setenv("TILEWISE_WORK", str(tmp_path))
    progress._warn.cache_clear()
    return tmp_path / progress.FILE


def outcome(points: float, status="partial", name="safe_softmax") -> Verdict:
    return Verdict(exercise_named(name), status, points)


def test_what_is_recorded_is_read_back(file):
    record(outcome(0.0, "fail"))
    record(outcome(1.3333))
    record_hint("safe_softmax", 3)
    record_hint("safe_softmax", 1)
    entry = read()["safe_softmax"]
    assert replace(entry, changed="") == Entry("safe_softmax", "partial", 1.3333, 1.3333, (1, 3), attempts=2)
    assert entry.changed[:2] == "20" and len(progress.rungs("safe_softmax")) == 2
    lines = file.read_text().splitlines()
    assert lines[0] == HEADER and len(lines) == 2 and lines[1].split("\t")[:6] == [
        "safe_softmax", "partial", "1.3333", "1.3333", "1,3", "2",
    ]  # fmt: skip


def test_the_best_never_falls():
    for points, status in ((1.0, "partial"), (2.0, "pass"), (0.0, "error")):
        record(outcome(points, status))
    entry = read()["safe_softmax"]
    assert (entry.status, entry.points, entry.best, entry.attempts) == ("error", 0.0, 2.0, 3)


def test_an_untouched_starter_is_no_attempt_and_a_failed_grader_is_nothing(file):
    record(outcome(0.0, "infra"))
    assert not file.exists() and read() == {}
    record(outcome(0.0, "not_attempted"))
    assert read()["safe_softmax"].attempts == 0


def test_nothing_is_opened_before_a_hint():
    record(outcome(1.0))
    assert progress.rungs("safe_softmax") == () and progress.rungs("unknown") == ()


def test_a_hint_leaves_the_points_alone():
    record(outcome(1.5))
    record_hint("safe_softmax", 2)
    assert (read()["safe_softmax"].best, read()["safe_softmax"].attempts) == (1.5, 1)


STRANGE = [
    b"# a remark of the learner's",
    b"",
    b"naive_softmax\tpass",
    b"naive_softmax\tpass\tmany\t1\t-\t3\t2024-01-01",
    b"naive_softmax\tpass\tnan\t1\t-\t3\t2024-01-01",
    b"naive_softmax\tpass\t1\t1\tx,y\t3\t2024-01-01",
    b"\tpass\t1\t1\t-\t3\t2024-01-01",
    b"\xff\xfe not text \x00",
    "\u2028 no end of line".encode(),
    b"<<<<<<< a merge gone wrong\r",
    b"log_sum_exp\tpass\t2\t2\t1,2\t7\t2024-01-01T00:00:00+00:00\ta column of\tthe future",
]


def test_lines_that_are_not_understood_are_kept_as_they_are(file):
    file.write_bytes(b"\n".join(STRANGE) + b"\n")
    assert set(read()) == {"log_sum_exp"}
    record(outcome(1.0))
    record(outcome(2.0, "pass", "log_sum_exp"))
    lines = file.read_bytes().split(b"\n")
    assert lines[: len(STRANGE) - 1] == STRANGE[:-1]
    assert lines[len(STRANGE) - 1].endswith(b"\ta column of\tthe future") and b"\t1,2\t8\t" in lines[len(STRANGE) - 1]
    assert read()["log_sum_exp"].attempts == 8 and read()["safe_softmax"].best == 1.0


def test_a_file_without_an_end_of_line_loses_nothing(file):
    file.write_text("a last line")
    record(outcome(1.0))
    assert file.read_text().splitlines()[0] == "a last line" and read()["safe_softmax"].best == 1.0


def test_two_lines_of_one_exercise_count_with_the_best_of_both(file):
    early = Entry("safe_softmax", "pass", 2.0, 2.0, (1,), 4, "2024-01-01")
    late = Entry("safe_softmax", "fail", 0.0, 0.5, (2,), 2, "2024-02-01")
    for pair in ((early, late), (late, early)):
        file.write_text("\n".join(entry.line() for entry in pair) + "\n")
        entry = read()["safe_softmax"]
        assert (entry.status, entry.best, entry.hints, entry.attempts) == ("fail", 2.0, (1, 2), 4)
        record(outcome(1.0))
        assert len(file.read_text().splitlines()) == 1
        assert (read()["safe_softmax"].best, read()["safe_softmax"].attempts) == (2.0, 5)


def test_two_processes_lose_no_line(file, start):
    """Each adds 60 attempts to one question they share and 60 of its own: every one must be there."""
    program = (
        "import sys\nfrom autograder.notebook.progress import record_answer\nfor i in range(60):\n"
        "    record_answer('shared', False)\n    record_answer(sys.argv[1] + str(i), True)\n"
    )
    started = [start([sys.executable, "-c", program, name], cwd=ROOT, env=dict(os.environ)) for name in ("a", "b")]
    assert [process.wait(timeout=120) for process in started] == [0, 0]
    found = read()
    assert found["shared"].attempts == 120
    assert {name for name in found if name != "shared"} == {f"{name}{i}" for name in "ab" for i in range(60)}
    assert [*file.parent.glob(".*.part")] == [], "no temporary file is left"


def test_a_lock_that_another_keeps_is_not_waited_for_for_ever(file, monkeypatch):
    monkeypatch.setattr(progress, "SECONDS", 0.2)
    with open(file.with_suffix(".lock"), "w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        started = time.monotonic()
        record(outcome(1.0))
    assert 0.2 <= time.monotonic() - started < 60 and read()["safe_softmax"].best == 1.0


@pytest.mark.parametrize("code", [errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP])
def test_a_file_system_without_locks_is_written_in_silence(code, monkeypatch, capsys):
    def refuse(*_):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(fcntl, "flock", refuse)
    record(outcome(1.0))
    assert read()["safe_softmax"].best == 1.0 and capsys.readouterr().err == ""


def test_a_lock_that_cannot_be_opened_keeps_nothing_from_being_saved(file):
    file.with_suffix(".lock").mkdir()
    record(outcome(1.0))
    assert read()["safe_softmax"].best == 1.0


def test_a_failed_write_leaves_the_old_file(file, monkeypatch, capsys):
    record(outcome(1.0))
    before = file.read_bytes()

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    record(outcome(2.0))
    assert "(No space left on device)" in capsys.readouterr().err
    assert file.read_bytes() == before and not [*file.parent.glob(".*.part")]


def test_where_nothing_can_be_written_one_sentence_says_so(tmp_path, monkeypatch, capsys):
    (tmp_path / "in the way").write_text("")
    monkeypatch.setenv("TILEWISE_WORK", str(tmp_path / "in the way" / "below"))
    record(outcome(1.0))
    record(outcome(1.0))
    record_hint("safe_softmax", 1)
    said = capsys.readouterr().err
    assert re.fullmatch("Your progress is not saved, .* set TILEWISE_WORK to another folder.\n", said) and read() == {}


def test_the_folder_is_the_courses_or_the_users(tmp_path, monkeypatch):
    monkeypatch.delenv("TILEWISE_WORK")
    monkeypatch.setattr(folders, "WORK", tmp_path / "work")
    assert progress.folder() == tmp_path / "work" and (tmp_path / "work").is_dir()
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(folders, "WORK", tmp_path / "file" / "work")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert progress.folder() == tmp_path / "tilewise"


def test_a_right_answer_stays_right():
    for right in (False, True, False):
        record_answer("a_question", right)
    assert (read()["a_question"].status, read()["a_question"].attempts) == ("right", 3)


def test_the_map_names_every_exercise_the_points_and_what_comes_next():
    every = [e for lesson in lessons() for e in lesson.exercises]
    total = sum(e.points for e in every)
    shown = progress.progress()
    assert all(e.name in shown.text and e.name in shown.html for e in every)
    assert f"0 of {total:g} points" in shown.text
    assert shown.text.splitlines()[-1].startswith(f"Next: {every[0].name} in lesson 01_softmax;")
    record(Verdict(every[0], "pass", every[0].points))
    record(Verdict(every[1], "partial", every[1].points / 2))
    record(Verdict(every[0], "error", 0.0))
    shown = progress.progress()
    assert f"{every[0].points + every[1].points / 2:g} of {total:g} points" in shown.text
    assert f"[x] {every[0].name}" in shown.text and f"[~] {every[1].name}" in shown.text
    assert f"Next: {every[1].name}" in shown.html
    items = re.findall(r"<li[^>]*>((?:(?!<li|</li>).)*)</li>", shown.html)
    (item,) = [item for item in items if f">{every[1].name}<" in item]
    assert "(1 of 2, next)" in item and shown.html.count(", next)") == 1


def test_the_map_is_lists_that_link_to_the_copies(file, monkeypatch):
    """The address is as seen from the notebook, in which JupyterLab looks it up."""
    assert "<a " not in progress.progress().html, "there is no copy yet"
    (file.parent / "01_softmax.ipynb").write_text("")
    monkeypatch.chdir(file.parent)
    shown = progress.progress()
    assert re.findall(r'<a href="([^"]*)"', shown.html) == ["01_softmax.ipynb"]
    assert shown.html.count("<li") == len(lessons()) + len(catalogue.exercises()) and "<svg" not in shown.html


def test_a_file_of_an_earlier_version_goes_on_under_its_new_name(file):
    record(outcome(2.0, "pass"))
    file.rename(file.parent / progress.OLD_FILE)
    record(outcome(0.0, "fail"))
    assert read()["safe_softmax"].best == 2.0 and not (file.parent / progress.OLD_FILE).exists()
    assert all(path.name.startswith(".") for path in file.parent.iterdir()), "nothing is listed among the lessons"


def test_unfinished_lessons_are_those_with_points_left():
    first, second = lessons()[:2]
    for exercise in first.exercises:
        record(Verdict(exercise, "pass", exercise.points))
    assert progress.unfinished()[0] == second.stem and first.stem not in progress.unfinished()


def test_what_comes_next_is_in_the_learners_copy(file, tmp_path, monkeypatch):
    """Never in lessons/, whose notebooks are generated; without a copy it says how there comes to be one."""
    after = f"Next: {lessons()[0].exercises[0].name} in "
    assert progress.progress().text.endswith(f"{after}lesson 01_softmax; tilewise lab makes your copy of it")
    copy = file.parent / "01_softmax.ipynb"
    copy.write_text("")
    monkeypatch.chdir(ROOT)
    assert progress.progress().text.endswith(f"{after}{copy.resolve()}"), "the whole path where no shorter one is right"
    monkeypatch.chdir(copy.parent)
    assert progress.progress().text.endswith(f"{after}01_softmax.ipynb")
    monkeypatch.setattr(folders, "ROOT", tmp_path.parent.resolve())
    for place in (copy.parent, tmp_path.parent):  # a notebook in work/, the terminal
        monkeypatch.chdir(place)
        assert progress.progress().text.endswith(f"{after}{tmp_path.name}/01_softmax.ipynb")
    monkeypatch.chdir(ROOT)
    assert progress.progress().text.endswith(f"{after}{copy.resolve()}"), "started elsewhere"


def test_the_map_fills_the_nodes_and_ends_well():
    empty = progress.progress().html.count(SIGNS[2])
    for lesson in lessons():
        for exercise in lesson.exercises:
            record(Verdict(exercise, "pass", exercise.points))
        for question in lesson.questions:
            record_answer(question.name, True)
    shown = progress.progress()
    assert empty == 0 and shown.html.count(SIGNS[2]) == len(catalogue.exercises())
    assert "Every exercise is solved." in shown.text and "[ ]" not in shown.text
    first = len(lessons()[0].questions)
    assert f"questions {first} / {first}" in shown.text and "<script" not in shown.html


def test_reading_never_warns(file):
    file.write_bytes(b"\n".join(STRANGE))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read()
