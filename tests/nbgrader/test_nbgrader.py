"""The real nbgrader with its gradebook, exchange and pages, on one lesson and a class of hostile students."""

import contextlib
import copy
import csv
import json
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import nbformat
import pytest
from nbconvert.filters.markdown_mistune import markdown2html_mistune as markdown2html
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader.api import Gradebook
from nbgrader.apps import AutogradeApp, NbGraderAPI
from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeFactory
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.plugins import CsvExportPlugin
from nbgrader.utils import compute_checksum, determine_grade
from traitlets.config import Config
from traitlets.config.loader import JSONFileConfigLoader, PyFileConfigLoader

from autograder.authoring import build
from autograder.grading import grade
from autograder.grading.classroom import SEED
from autograder.grading.reading.files import Files
from autograder.grading.reading.submission import read_answers
from autograder.judging.prepare import prepare
from autograder.judging.verdict import Verdict
from autograder.nbgrader import preprocessors
from autograder.nbgrader.course import OURS, YOURS, init
from autograder.nbgrader.rebuild import read_or_empty, rebuild
from autograder.processes.child_link import Limits, SandboxError
from autograder.spec.catalogue import exercise_named, lesson_named
from autograder.spec.folders import LESSONS, ROOT
from autograder.spec.notebook import as_text, grade_id, question, read
from autograder.spec.user_error import UserError
from tests.grading.hostile.answers import BY_NAME, EXERCISES, LESSON, NOTEBOOK, SECRET_OF_ANOTHER, SOLVED, TABLE

# Whole systems, in which coverage takes as long again; tests of their parts cover them.
pytestmark = [pytest.mark.timeout(900), pytest.mark.no_cover]
SECRET = "what only the instructor knows"
LIMITS = Limits(seconds=3.0, memory=256 << 20)
STEM = LESSON.stem
RELEASED = build.student_notebook(LESSON)
# What an answer's code does meets the same grader in test_hostile; here is who meets nbgrader, its files and its book.
BY_CODE_ALONE = {
    "nan", "negative", "syntax_error", "floods", "changes_inputs", "deep_source", "endless_source", "lying_array",
    "lying_object", "pickle", "patches_numpy", "patches_runner", "imports_solution", "imports_by_name", "endless",
    "endless_define", "allocates", "forks", "exits", "exits_at_define", "interrupts", "overflows_stack", "huge_output",
    "many_outputs", "endless_sizes", "leaks_by_a_size", "lies_about_its_format", "cells_in_a_table", "hides_its_error",
    "garbage_to_socket", "right_stderr", "in_a_module", "redefines_check", "fake_report", "forged_answers",
}  # fmt: skip
CLASS = [hostile for hostile in TABLE if hostile.name not in BY_CODE_ALONE]


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course in which every student of the table has handed in and nbgrader's own command has graded them all."""
    root = tmp_path_factory.mktemp("class")
    home, course = root / "home", root / "course"
    home.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        init(course, [LESSON], seed=SECRET)
        with open(course / YOURS, "a") as settings:
            settings.write(f"\nc.Exchange.root = {str(root / 'exchange')!r}\nc.Exchange.timezone = 'UTC'\n")
            settings.write(f"c.GradeOutside.seconds = {LIMITS.seconds}\nc.GradeOutside.memory = {LIMITS.memory}\n")
        assert api(course).generate_assignment(STEM)["success"]
        for hostile in CLASS:
            hand_in(course, hostile.name, hostile.handed_in(course))
        hand_in(course, "right", {"mine/notes.txt": SECRET_OF_ANOTHER.encode()})
        nbgrader(course, "autograde", STEM)
        yield course


def nbgrader(course, *command):
    """Run nbgrader as an instructor whose environment is not activated; what it said."""
    environment = os.environ | {"PATH": os.defpath, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *command], cwd=course, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


def hand_in(course, student, files):
    for name, content in files.items():
        path = course / "submitted" / student / STEM / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def settings(course):
    """The course's settings as nbgrader reads them: the instructor's, then ours."""
    config = Config()
    config.merge(PyFileConfigLoader(YOURS, path=str(course)).load_config())
    config.merge(JSONFileConfigLoader(OURS, path=str(course)).load_config())
    return config


def api(course):
    return NbGraderAPI(config=settings(course))


def submission_in_book(course, student):
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        found = book.find_submission(STEM, student)
        grades = {g.name: (g.auto_score, g.manual_score) for n in found.notebooks for g in n.grades}
        return found.score, found.needs_manual_grade, grades


def result(course, student):
    return json.loads((course / "autograded" / student / STEM / "results.json").read_text())


def graded_notebook(course, student):
    return nbformat.read(course / "autograded" / student / STEM / NOTEBOOK, as_version=4)


def feedback(course, student):
    assert api(course).generate_feedback(STEM, student_id=student, force=True)["success"]
    return (course / "feedback" / student / STEM / f"{STEM}.html").read_text()


# The course


def test_init_keeps_the_seed_from_others(course):
    assert stat.S_IMODE((course / SEED).stat().st_mode) == 0o600
    for path in course.rglob("*"):
        if path.is_file() and path.name != SEED and not path.is_relative_to(course / "submitted"):
            assert SECRET.encode() not in path.read_bytes(), path


def test_init_refuses_to_lose_anything(course, tmp_path):
    before = {path: path.read_bytes() for path in course.rglob("*") if path.is_file()}
    with pytest.raises(UserError, match=f"already holds {STEM}; nothing was written"):
        init(course, [LESSON])
    with pytest.raises(UserError, match="has a seed already"):
        init(course, [LESSON], seed="another")
    assert {path: path.read_bytes() for path in course.rglob("*") if path.is_file()} == before
    (tmp_path / YOURS).write_text("c = get_config()\n")
    with pytest.raises(UserError, match="not Tilewise's"):
        init(tmp_path, [LESSON])
    assert [p.name for p in tmp_path.iterdir()] == [YOURS]


@pytest.mark.parametrize("folder", [LESSONS, LESSONS / "course", ROOT, ROOT.parent])
def test_init_stays_away_from_the_lessons(folder):
    with pytest.raises(UserError, match="belongs to Tilewise itself"):
        init(folder, [LESSON])


def test_a_new_course_gets_a_seed_of_its_own(tmp_path):
    for name in "ab":
        assert STEM in init(tmp_path / name, [LESSON])
    seeds = {(tmp_path / name / SEED).read_text() for name in "ab"}
    assert len(seeds) == 2 and all(len(seed) > 30 for seed in seeds)


def test_many_lessons_are_one_line(tmp_path):
    several = [lesson_named(topic) for topic in ("softmax", "online_softmax", "attention")]
    assert " holds 3 lessons, 01_softmax to 03_attention. Go there," in init(tmp_path / "course", several)


def test_nbgrader_releases_the_student_notebook(course):
    released = nbformat.read(course / "release" / STEM / NOTEBOOK, as_version=4)
    seen, given = (
        [(c.cell_type, c.id, c.source, c.metadata.get("nbgrader", {}).get("grade_id")) for c in made.cells]
        for made in (released, RELEASED)
    )
    text = "".join(cell[2] for cell in seen)
    assert "](../26_language_model/26_language_model.ipynb)" in text, "where nbgrader puts that lesson"
    assert [(*a, re.sub(r"\]\(\.\./\d\d_\w+/", "](", b), c) for *a, b, c in seen] == given


def test_nbgrader_takes_our_metadata(course):
    for step in ("source/", "release/", "autograded/right/"):
        notebook = nbformat.read(course / f"{step}{STEM}" / NOTEBOOK, as_version=4)
        nbformat.validate(notebook)
        MetadataValidator().validate_nb(notebook)


def test_a_mistake_in_the_instructors_settings_does_not_unlock_the_kernel(course, tmp_path, monkeypatch):
    (tmp_path / OURS).write_bytes((course / OURS).read_bytes())
    (tmp_path / YOURS).write_text("c = get_config(\n")
    monkeypatch.chdir(tmp_path)
    app = AutogradeApp()
    app.initialize([])
    steps = [*app.config.Autograde.sanitize_preprocessors, *app.config.Autograde.autograde_preprocessors]
    assert [s.rsplit(".", 1)[1] for s in steps][:3] == ["RebuildNotebook", "CheckCellMetadata", "GradeOutside"]
    assert not any("Execute" in step for step in steps)


# The class


@pytest.mark.parametrize("hostile", CLASS, ids=lambda h: h.name)
def test_every_student_gets_the_honest_score(course, hostile):
    found = result(course, hostile.name)
    assert {e["exercise"]: (e["status"], e["points"]) for e in found["exercises"]} == hostile.outcome
    assert hostile.said in json.dumps(found) and hostile.notes in " ".join(found["submission"]["notes"])
    score, needs_a_person, grades = submission_in_book(course, hostile.name)
    assert score == pytest.approx(hostile.points) == found["points"]
    assert needs_a_person == any(status == "flagged" for status, _ in hostile.outcome.values())
    assert grades == {f"check-{name}": (points, None) for name, (_, points) in hostile.outcome.items()}


@pytest.mark.parametrize("hostile", CLASS, ids=lambda h: h.name)
def test_the_graded_notebook_is_the_released_one(course, hostile):
    graded = graded_notebook(course, hostile.name)
    nbformat.validate(graded)
    cells = [c for c in graded.cells if c.id != "handed-in"]
    released = nbformat.read(course / "release" / STEM / NOTEBOOK, as_version=4)
    assert [(c.id, c.metadata) for c in cells] == [(c.id, c.metadata) for c in released.cells]
    for cell, original in zip(cells, released.cells, strict=True):
        assert cell.source == original.source or grade_id(cell).startswith("solve-") or question(cell)
        if cell.cell_type == "code":
            assert len(cell.outputs) == grade_id(cell).startswith("check-")
    assert (len(cells) < len(graded.cells)) == bool(hostile.notes)


def test_the_students_left_nothing_behind(course):
    found = {path.name for path in course.iterdir()}
    assert not found & {"pickled", "written"}
    assert found >= {"gradebook.db", "seed", "source", "release", "submitted", "autograded"}


def test_the_gradebook_says_what_grade_says(course):
    for name in ("right", "naive", "shows_inputs"):
        files = tuple(sorted(BY_NAME[name].handed_in(course).items()))
        ours = grade.grade_submission(read_answers(Files(name, files)), EXERCISES, SECRET, LIMITS)
        theirs = result(course, name)
        for of_one in (ours, theirs):
            of_one["submission"].pop("hash"), of_one["submission"].pop("files")
        assert theirs == ours


def test_an_untouched_cell_is_no_response_and_an_answer_is_one(course):
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        comments = [book.find_comment("solve-safe_softmax", STEM, STEM, name) for name in ("untouched", "naive")]
        assert [comment.auto_comment for comment in comments] == ["No response.", None]


def test_check_cells_show_the_card_and_say_it_in_text_too(course):
    cell = next(c for c in graded_notebook(course, "naive").cells if c.source == "check(safe_softmax)")
    data = cell.outputs[0].data
    assert float(data["text/plain"]) == BY_NAME["naive"].outcome["safe_softmax"][1]
    assert 'class="tilewise' in data["text/html"] and "is subtracted before exp is taken" in data["text/html"]
    plain = " ".join(data["text/markdown"].split())
    assert "safe_softmax: wrong" in plain and "is subtracted before exp is taken" in plain


@pytest.mark.parametrize("student", ["naive", "shows_inputs", "reads_files", "fake_outputs"])
def test_feedback_shows_cards_and_no_secret(course, student):
    page = feedback(course, student)
    assert page.count('class="tilewise') == len(EXERCISES)
    assert str(course) not in json.dumps(result(course, student))
    for secret in (SECRET, SECRET_OF_ANOTHER, "steal()"):
        assert secret not in page
    shown = set(re.findall(r"\d+\.\d{4,}", page))
    inputs = [prepare("safe_softmax", i, SECRET).arguments["x"] for i in range(9)]
    drawn = {f"{abs(x):.9g}"[:8] for array in inputs for x in array.ravel().tolist() if x and abs(x) < 1e30}
    assert not {number[:8] for number in shown} & drawn


def test_grading_again_gives_the_same(course):
    def everything(student):
        files = [course / "autograded" / student / STEM / name for name in (NOTEBOOK, "results.json")]
        return [path.read_bytes() for path in files], submission_in_book(course, student)

    for student in ("right", "naive", "changed_cells"):
        before = everything(student)
        assert api(course).autograde(STEM, student, force=True)["success"]
        assert everything(student) == before


def test_grades_are_exported(course, tmp_path):
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        CsvExportPlugin(to=str(tmp_path / "grades.csv")).export(book)
    with open(tmp_path / "grades.csv") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    for hostile in CLASS:
        assert float(rows[hostile.name]["score"]) == pytest.approx(hostile.points)
        assert float(rows[hostile.name]["max_score"]) == 5


# The exchange


def test_submissions_come_through_the_exchange_and_may_come_again(course, tmp_path, monkeypatch):
    config = settings(course)
    (tmp_path / "exchange").mkdir(mode=0o777)
    (tmp_path / "exchange").chmod(0o777)
    config.Exchange.root, config.Exchange.cache = str(tmp_path / "exchange"), str(tmp_path / "cache")
    (tmp_path / "alice").mkdir()
    monkeypatch.chdir(tmp_path / "alice")

    def exchange(step, **options):
        folder = CourseDirectory(config=config, assignment_id=STEM, **options)
        made = getattr(ExchangeFactory(config=config), step)(
            coursedir=folder, authenticator=Authenticator(config=config), config=config
        )
        if step == "Collect":
            made.update = True
        made.start()

    def score_of(notebook):
        time.sleep(1 - time.time() % 1)  # nbgrader tells submissions apart by the second
        Path(STEM, NOTEBOOK).write_bytes(notebook)
        exchange("Submit", student_id="alice")
        exchange("Collect")
        answer = NbGraderAPI(config=config).autograde(STEM, "alice", force=False)
        assert answer["success"], answer["log"]
        return submission_in_book(course, "alice")[0]

    exchange("ReleaseAssignment")
    exchange("FetchAssignment")
    assert score_of(Path(STEM, NOTEBOOK).read_bytes()) == 0
    assert score_of(BY_NAME["naive"].handed_in()[NOTEBOOK]) == pytest.approx(BY_NAME["naive"].points)
    assert score_of(BY_NAME["right"].handed_in()[NOTEBOOK]) == 5
    # A link to the instructor's own notebook is not collected.
    inbound = next((tmp_path / "exchange" / "tilewise" / "inbound").iterdir())
    forged = inbound.with_name(f"mallory+{STEM}+2030-01-01 00:00:00 UTC+x")
    forged.mkdir()
    (forged / NOTEBOOK).symlink_to(course / "source" / STEM / NOTEBOOK)
    (forged / "module.py").symlink_to(ROOT / "kernels" / "softmax.py")
    (forged / "timestamp.txt").write_text("2030-01-01 00:00:00 UTC")
    exchange("Collect")
    assert [path.name for path in (course / "submitted" / "mallory" / STEM).iterdir()] == ["timestamp.txt"]


# The adapter's own corners


def rebuilt(data, *files):
    """The notebook `data` rebuilt, and the notes on it."""
    text = data if isinstance(data, bytes) else json.dumps(data).encode()
    submission = read_answers(Files("somebody", ((NOTEBOOK, text), *files)))
    return rebuild(copy.deepcopy(RELEASED), read_or_empty(text), submission, STEM)


HOSTILE_VALUES = [None, True, -1, 1e9, "", "solve-naive_softmax", "<script>steal()</script>", [], {}, ["x"], {"x": 1}]


FIELDS = ["grade", "solution", "locked", "task", "points", "schema_version", "cell_type", "checksum"]


@pytest.mark.parametrize("field", FIELDS)
def test_no_field_of_the_metadata_matters(field):
    right, no_notes = rebuilt(SOLVED)
    assert not no_notes
    for value in HOSTILE_VALUES:
        data = copy.deepcopy(SOLVED)
        for cell in data["cells"]:
            if "nbgrader" in cell["metadata"]:
                cell["metadata"]["nbgrader"][field] = value
        again, _ = rebuilt(data)
        assert [c for c in again.cells if c.id != "handed-in"] == right.cells, value


def test_nobody_is_said_to_have_changed_what_a_release_did():
    """An instructor mended a sentence, gave other points or added a cell after the student had fetched the notebook."""
    for change in (
        lambda cell: cell.update(source="an older sentence"),
        lambda cell: cell.metadata.nbgrader.update(points=9),
    ):
        older = read(json.dumps(SOLVED))
        cell = next(c for c in older.cells if grade_id(c).startswith("check-"))
        change(cell)
        _, (accused,) = rebuilt(older)
        assert "was changed" in accused
        cell.metadata.nbgrader.checksum = compute_checksum(cell)
        _, (said,) = rebuilt(older)
        assert "another release's, perhaps an older one's" in said and "was changed" not in said
        older.cells.remove(cell)
        _, (missing,) = rebuilt(older)
        assert "was not there; it is as released" in missing


def test_an_answer_that_is_kept_is_not_said_to_be_as_released():
    """Of a cell with an answer, only what nbgrader notes about it is as released again."""
    edited = read(json.dumps(SOLVED))
    marked = [c for c in edited.cells if grade_id(c) in ("solve-safe_softmax", "check-safe_softmax")]
    for cell in marked:
        cell.metadata.nbgrader.update(points=9)
    again, said = rebuilt(edited)
    assert sorted(said) == [
        "the cell check-safe_softmax was changed; it is as released now",
        "the cell solve-safe_softmax was changed; it is as released now, but for its answer",
    ]
    assert marked[0].source in [c.source for c in again.cells]


def test_an_answer_in_a_cell_of_ones_own_is_not_said_to_be_missing():
    pasted = read(json.dumps(SOLVED))
    cell = next(c for c in pasted.cells if grade_id(c) == "solve-safe_softmax")
    del cell.metadata["nbgrader"]
    again, (said,) = rebuilt(pasted)
    assert said == "the cell solve-safe_softmax was not there; its answer was found elsewhere"
    assert next(c for c in again.cells if grade_id(c) == "solve-safe_softmax").source == cell.source


def test_a_notebook_of_another_name_is_said_not_to_count(course):
    starter = json.dumps(RELEASED).encode()
    hand_in(course, "twice", {NOTEBOOK: starter, "copy.ipynb": json.dumps(SOLVED).encode()})
    assert api(course).autograde(STEM, "twice")["success"]
    said = f"copy.ipynb was not read: only {NOTEBOOK} counts"
    assert result(course, "twice")["submission"]["notes"] == [said] and said in feedback(course, "twice")


def test_an_empty_seed_is_none(course):
    hand_in(course, "seedless", BY_NAME["right"].handed_in())
    kept = (course / SEED).read_bytes()
    (course / SEED).write_text("\n")
    answer = api(course).autograde(STEM, "seedless")
    (course / SEED).write_bytes(kept)
    assert not answer["success"] and "is empty" in answer["log"]


@pytest.mark.parametrize("value", HOSTILE_VALUES)
def test_no_other_metadata_matters_either(value):
    right, _ = rebuilt(SOLVED)
    for change in (
        lambda cell: cell["metadata"].update(tags=value, tilewise=value, jupyter=value, collapsed=value),
        lambda cell: cell.update(id=value, outputs=value, execution_count=value, attachments=value),
        lambda cell: "nbgrader" in cell["metadata"] and cell["metadata"].update(nbgrader=value),
    ):
        data = copy.deepcopy(SOLVED)
        for cell in data["cells"]:
            if "question" not in cell["metadata"].get("tilewise", {}):
                change(cell)
        again, notes = rebuilt(data)
        cells = [c for c in again.cells if c.id != "handed-in"]
        assert [(c.id, c.metadata) for c in cells] == [(c.id, c.metadata) for c in right.cells]
        assert cells == right.cells or "was left out" in notes[0] or "is no notebook as Jupyter writes them" in notes[0]


def test_notes_are_shown_as_text_whatever_a_file_is_called():
    again, notes = rebuilt(SOLVED, ("<img src=x>.ipynb", b""), ("<img src=x>.py", b"\xff"))
    assert len(notes) == 2 and "<img" not in again.cells[0].source and "&lt;img" in again.cells[0].source
    again, notes = rebuilt(SOLVED, ("a\n\n# b ![c](http://d) {{7*7}}.ipynb", b""))
    shown = markdown2html(again.cells[0].source)
    assert (
        len(notes) == 1 and "a # b ![c](http://d) {{7*7}}.ipynb" in shown and "<h1" not in shown and "<img" not in shown
    )


def test_predicted_numbers_and_written_answers_are_kept():
    released = build.student_notebook(LESSON)
    about = {"grade": True, "solution": True, "locked": False, "task": False, "points": 1, "schema_version": 3}
    written = {"nbgrader": about | {"grade_id": "why"}}
    released.cells.append(new_markdown_cell("YOUR ANSWER HERE", metadata=written))
    data = json.loads(nbformat.writes(released))
    data["cells"][-1]["source"] = "Because exp overflows."
    asked = next(c for c in data["cells"] if "check_answer" in c["source"][0])
    asked["source"] = 'check_answer("overflow_at", 42)'
    text = json.dumps(data).encode()
    again, notes = rebuild(released, read_or_empty(text), read_answers(Files("somebody", ((NOTEBOOK, text),))), STEM)
    assert again.cells[-1].source == "Because exp overflows." and not notes
    assert asked["source"] in [c.source for c in again.cells]


def test_a_module_is_shown_where_its_answer_belongs():
    data = json.loads(as_text(build.student_notebook(LESSON)))
    again, _ = rebuilt(data, ("mine.py", b"def safe_softmax(x):\n    return x\n"))
    cell = next(c for c in again.cells if grade_id(c) == "solve-safe_softmax")
    assert "return x" in cell.source


def test_the_instructor_may_weigh_exercises():
    exercise = exercise_named("safe_softmax")
    for points, given, expected in ((10, 1.0, 5.0), (2, 2.0, 2.0), (0, 2.0, 0.0), (3, 0.0, 0.0)):
        cell = new_code_cell(metadata={"nbgrader": {"grade": True, "points": points}})
        cell.outputs = [preprocessors.check_output(cell, Verdict(exercise, "partial", given))]
        cell.metadata.nbgrader |= {"solution": False}
        assert determine_grade(cell) == (expected, points)
    other = preprocessors.check_output(cell, None)
    assert other.data["text/plain"] == "0.0" and "by hand" in other.data["text/html"]


def test_what_the_grader_fails_at_is_no_grade(course, monkeypatch):
    hand_in(course, "unlucky", BY_NAME["right"].handed_in())

    def broken(*_):
        raise SandboxError("no wall today")

    with monkeypatch.context() as patch:
        patch.setattr(grade, "worker_sandbox", broken)
        answer = api(course).autograde(STEM, "unlucky")
    assert not answer["success"] and "unlucky was not graded, grade again: no wall today" in answer["log"]
    assert "Traceback" not in answer["log"]
    assert not (course / "autograded" / "unlucky").exists() or not (course / "autograded" / "unlucky" / STEM).exists()
    assert api(course).autograde(STEM, "unlucky")["success"]
    assert submission_in_book(course, "unlucky")[0] == 5


def test_what_is_set_aside_for_a_person_is_listed_to_be_graded_by_hand(course):
    source = exercise_named("naive_softmax").source
    hand_in(course, "aside", {NOTEBOOK: b"{}", "a.py": f"import ctypes\n{source}\nnaive_softmax.c = ctypes".encode()})
    assert api(course).autograde(STEM, "aside")["success"]
    score, by_hand, grades = submission_in_book(course, "aside")
    assert (score, by_hand, grades["check-naive_softmax"]) == (0, True, (0, None))
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        asked = {
            g.name for n in book.find_submission(STEM, "aside").notebooks for g in n.grades if g.needs_manual_grade
        }
    assert asked == {"check-naive_softmax"}


def test_what_a_killed_run_left_half_done_is_graded_again(course, monkeypatch):
    hand_in(course, "killed", BY_NAME["right"].handed_in())
    made = course / "autograded" / "killed" / STEM / NOTEBOOK

    def killed(*_):
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(preprocessors, "verdicts_for", killed)
        assert not api(course).autograde(STEM, "killed", force=False)["success"]
    for left in (made.read_text(), "{", ""):
        made.unlink()
        if left:
            made.write_text(left)
        answer = api(course).autograde(STEM, "killed", force=False)
        assert answer["success"] and "left half-done by a run that was killed" in answer["log"]
        assert submission_in_book(course, "killed")[0] == result(course, "killed")["points"] == 5
    assert "Skipping existing" in api(course).autograde(STEM, "killed", force=False)["log"]


def test_ctrl_c_is_one_sentence_and_the_same_command_goes_on(course, start):
    hand_in(course, "stopped", BY_NAME["right"].handed_in())
    not_ignored = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    program = f"{not_ignored}; from nbgrader.apps.nbgraderapp import main; main()"
    command = [sys.executable, "-c", program, "autograde", STEM, "--student", "stopped"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    process = start(command, cwd=course, env=environment, stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        if "Autograding" in line:
            break
    process.send_signal(signal.SIGINT)
    said = process.stderr.read()
    process.stderr.close()
    assert process.wait() != 0 and "Traceback" not in said and "KeyboardInterrupt" not in said, said
    assert said.endswith("Stopped. What is graded is kept; the same command goes on from here.\n"), said
    assert api(course).autograde(STEM, "stopped", force=False)["success"]
    assert submission_in_book(course, "stopped")[0] == 5


def test_a_release_that_nobody_has_generated_is_one_sentence(course):
    path = course / "submitted" / "early" / "02_online_softmax" / "02_online_softmax.ipynb"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"{}")
    answer = api(course).autograde("02_online_softmax", "early")
    assert not answer["success"] and "No assignment with ID '02_online_softmax'" in answer["log"]
    assert "Traceback" not in answer["log"]


@pytest.mark.parametrize("to", ["../../right/{0}/{0}.ipynb", "/etc/passwd", "/nowhere"])
def test_a_link_that_was_put_there_by_hand_is_not_followed(course, to):
    folder = course / "submitted" / "linked" / STEM
    folder.mkdir(parents=True, exist_ok=True)
    (folder / NOTEBOOK).unlink(missing_ok=True)
    (folder / NOTEBOOK).symlink_to(to.format(STEM))
    answer = api(course).autograde(STEM, "linked")
    assert answer["success"] and f"{NOTEBOOK} was left out: it is a link" in answer["log"], answer["log"]
    assert submission_in_book(course, "linked")[0] == 0


def test_a_file_that_cannot_be_copied_is_named_in_a_sentence(course):
    hand_in(course, "lost", BY_NAME["right"].handed_in())
    (lost := course / "submitted" / "lost" / STEM / "notes.txt").symlink_to("/nowhere")
    answer = api(course).autograde(STEM, "lost")
    lost.unlink()
    assert not answer["success"] and f"{lost} cannot be copied (No such file or directory)" in answer["log"]
    assert "Traceback" not in answer["log"]


def test_a_time_that_is_none_is_one_sentence(course):
    hand_in(course, "timeless", BY_NAME["right"].handed_in() | {"timestamp.txt": b"\xff"})
    answer = api(course).autograde(STEM, "timeless")
    assert not answer["success"] and "its timestamp.txt holds no time" in answer["log"]
    assert "Traceback" not in answer["log"]


def test_a_notebook_that_was_renamed_is_one_sentence(course):
    hand_in(course, "renamed", {"mine.ipynb": json.dumps(SOLVED).encode()})
    answer = api(course).autograde(STEM, "renamed")
    shutil.rmtree(course / "submitted" / "renamed")
    assert not answer["success"] and "no notebook has the name of the released one" in answer["log"]
    assert "generate_assignment" not in answer["log"] and "Traceback" not in answer["log"]


def test_a_student_s_first_grade_comes_without_warnings_of_the_database(course):
    hand_in(course, "quiet", BY_NAME["right"].handed_in())
    assert "SAWarning" not in nbgrader(course, "autograde", STEM, "--student", "quiet")


def test_an_instructor_may_insist_on_the_sandbox(course, monkeypatch):
    hand_in(course, "careful", BY_NAME["right"].handed_in())
    monkeypatch.setattr(preprocessors, "best_level", lambda: "limits")
    config = settings(course)
    config.GradeOutside.require_sandbox = True
    answer = NbGraderAPI(config=config).autograde(STEM, "careful")
    assert not answer["success"] and "no bubblewrap sandbox" in answer["log"]
    assert submission_in_book(course, "careful")[2]["check-safe_softmax"] == (None, None)


def test_a_missing_release_or_seed_is_said_in_a_sentence(course):
    hand_in(course, "early", BY_NAME["right"].handed_in())
    for path, said in (
        (course / "release" / STEM / NOTEBOOK, f"run `nbgrader generate_assignment {STEM}` first"),
        (course / SEED, "secret seed"),
    ):
        path.rename(path.with_suffix(".away"))
        answer = api(course).autograde(STEM, "early")
        path.with_suffix(".away").rename(path)
        assert not answer["success"] and said in answer["log"]


def free_port():
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_formgrader_shows_the_class(course, start):
    port = free_port()
    command = [sys.executable, "-m", "jupyter_server", "--allow-root", "--IdentityProvider.token=", f"--port={port}"]
    command += ["--ServerApp.jpserver_extensions={'nbgrader.server_extensions.formgrader': True}", "--no-browser"]
    command += ["--ServerApp.port_retries=0", "--ServerApp.disable_check_xsrf=True"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    start(command, cwd=course, env=environment, stderr=subprocess.DEVNULL)
    base = f"http://127.0.0.1:{port}/formgrader/"

    def page(path, data=None):
        with urllib.request.urlopen(base + path, data, timeout=60) as answer:
            return answer.read().decode()

    for _ in range(200):
        with contextlib.suppress(OSError):
            page("manage_assignments")
            break
        time.sleep(0.2)
    for path in ("manage_assignments", "gradebook", f"gradebook/{STEM}/{STEM}", f"manage_submissions/{STEM}"):
        assert "formgrader" in page(path)
    submissions = json.loads(page(f"api/submitted_notebooks/{STEM}/{STEM}"))
    naive = next(s for s in submissions if s["student"] == "naive")
    assert naive["score"] == pytest.approx(BY_NAME["naive"].points)
    shown = page(f"submissions/{naive['id']}")
    assert shown.count('class="tilewise') == len(EXERCISES) and "is subtracted before exp is taken" in shown
    written = (course / "autograded" / "naive" / STEM / "results.json").stat().st_mtime_ns
    assert json.loads(page(f"api/submission/{STEM}/naive/autograde", b""))["success"]
    assert (course / "autograded" / "naive" / STEM / "results.json").stat().st_mtime_ns > written
    assert submission_in_book(course, "naive")[0] == pytest.approx(BY_NAME["naive"].points)
