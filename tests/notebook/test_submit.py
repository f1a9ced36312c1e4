"""What a student hands in: named, checked and packed, and the receipt."""

import hashlib
import io
import json
import os
import zipfile

import nbformat
import pytest
from rich.console import Console

from autograder.grading.reading.files import MAX_BYTES, MAX_FILES, files_of
from autograder.grading.reading.submission import MAX_SOURCE, read_files
from autograder.notebook import progress, starters
from autograder.notebook.submit import UNSAVED, check_files, outlook, pack, remarks, zip_bytes
from autograder.notebook.workspace import prepare
from autograder.shell import tables
from autograder.spec.catalogue import exercises, lesson_named
from autograder.spec.user_error import UserError
from tests.grading.files import RIGHT, WRONG, cell, notebook_text

# Files that a student names


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("essay.txt", "x", "is not a notebook, .py or .cu file"),
        ("missing.py", None, "No such file or directory"),
        ("broken.ipynb", '{"cells": [', "is damaged: its end is missing, or more; if it is your copy of a lesson"),
        ("empty.ipynb", "", "is empty; if it is your copy of a lesson, `tilewise lab` keeps it aside"),
        ("other.ipynb", '{"cells": 1}', "is not a Jupyter notebook; open it in JupyterLab and save it again"),
        ("other.py", "def something_else(): pass", "tilewise list"),
        ("lambda.py", "naive_softmax = lambda x: x", "define it by `def naive_softmax`, not by a lambda"),
        ("long.py", f"{RIGHT}\n#{'x' * MAX_SOURCE}", "was left out: it is longer than 100,000 characters"),
    ],
)
def test_a_named_file_is_never_left_out_in_silence(tmp_path, name, content, says):
    path = tmp_path / name
    if content is not None:
        path.write_text(content)
    (tmp_path / "fine.py").write_text(RIGHT)
    alone = [path] if name in ("other.py", "lambda.py", "long.py") else [tmp_path / "fine.py", path]
    with pytest.raises(UserError) as said:
        read_files(alone)
    assert says in str(said.value) and name in str(said.value)


def test_what_is_no_regular_file_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "a.py")
    with pytest.raises(UserError, match=r"a\.py is not a regular file; name a notebook"):
        read_files([tmp_path / "a.py"])


def test_two_files_of_one_name_are_refused(tmp_path):
    paths = [tmp_path / folder / "a.py" for folder in ("one", "two")]
    for path in paths:
        path.parent.mkdir()
        path.write_text(RIGHT)
    with pytest.raises(UserError, match=r"two of the files are called a\.py"):
        read_files(paths)
    assert len(read_files([paths[0], paths[0]])[1].files) == 1


# Checking and packing


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Of a learner: a notebook with one right answer and one untouched starter, and a module with a wrong answer."""
    monkeypatch.setenv("TILEWISE_WORK", str(tmp_path))
    (tmp_path / "b.ipynb").write_text(
        notebook_text(
            cell("log_sum_exp", exercises()["log_sum_exp"].source),
            cell("safe_softmax", exercises()["safe_softmax"].starter),
        )
    )
    (tmp_path / "a.py").write_text(WRONG)
    return [tmp_path / "b.ipynb", tmp_path / "a.py"]


def printed(what):
    page = io.StringIO()
    Console(width=120, file=page).print(what)
    return page.getvalue()


def test_check_prints_a_card_each_and_notes_the_progress(files):
    said, right = zip(*check_files(files))
    assert "naive_softmax: wrong" in said[0] and "not divided by their sum" in said[0]
    assert "log_sum_exp: right" in said[1]
    assert said[2:] == ("Not attempted: safe_softmax.",) and right == (False, True, True)
    assert {name: entry.status for name, entry in progress.read().items()} == {
        "naive_softmax": "fail",
        "safe_softmax": "not_attempted",
        "log_sum_exp": "pass",
    }
    assert starters.passed("naive_softmax") is None and "log_sum_exp" in str(starters.passed("log_sum_exp"))


def test_each_card_is_shown_as_soon_as_it_is_known(files):
    said = check_files(files)
    assert "naive_softmax: wrong" in next(said)[0]
    assert progress.read().keys() == {"naive_softmax"}


def test_a_function_that_is_misspelt_is_named_beside_answers(tmp_path):
    path = tmp_path / "a.py"
    path.write_text("def safe_sofmax(x):\n    return x\n" + WRONG + "\n\ndef log_sum_exp(x):\n    ...\n")
    said = [text for text, _ in check_files([path])]
    assert said[0] == "safe_sofmax is no exercise; did you mean safe_softmax?"
    assert said[2].startswith("naive_softmax: wrong") and said[3].startswith("log_sum_exp: not attempted")
    assert "A part of log_sum_exp is not written yet." in said[3]


@pytest.mark.parametrize("line", ["files = !ls", "a, files =%time 3", "!ls", "%time"])
def test_a_line_that_only_jupyter_reads_is_left_out_and_told_of_where_it_is_used(tmp_path, line):
    path = tmp_path / "a.py"
    path.write_text(f"{line}\n{WRONG}")
    (_, (said, _)) = check_files([path])
    assert "naive_softmax: wrong" in said and "Jupyter" not in said
    path.write_text(f"{line}\n{WRONG}".replace("return", "return files,"))
    (_, (said, _)) = check_files([path])
    assert "NameError" in said and ("files is from a line that only Jupyter reads" in said) is ("files" in line)


def test_a_cell_that_was_split_is_told_wherever_the_notebook_is_read(tmp_path):
    path = tmp_path / "01_softmax.ipynb"
    path.write_text(notebook_text(cell("log_sum_exp", RIGHT), cell("other", "x = 3")))
    assert "was split in two" not in " ".join(said for said, _ in check_files([path]))
    head, tail = RIGHT[: RIGHT.rindex("    return")], RIGHT[RIGHT.rindex("    return") :]
    path.write_text(notebook_text(cell("log_sum_exp", head), cell("log_sum_exp", tail)))
    assert next(check_files([path]))[0].startswith("The cell of log_sum_exp in 01_softmax.ipynb was split in two")
    assert any("was split in two" in said for said in remarks([path], pack([path], tmp_path)[1]))


def test_what_an_answer_prints_comes_below_its_card_and_is_little(tmp_path):
    """As in a notebook; and what a file prints when it is read is shown nowhere."""
    path = tmp_path / "a.py"
    path.write_text(
        "print('at the top')\n" + WRONG.replace("):\n", "):\n    for i in range(3000): print('line', i)\n", 1)
    )
    (_, (said, _)) = check_files([path], ["naive_softmax"])
    card, _, printed = said.partition("What the answer printed in case 1 (the first 20 of 3,000 lines):")
    assert card.startswith("naive_softmax: wrong") and "line 0" not in card and "at the top" not in said
    assert [line.strip() for line in printed.strip().splitlines()] == [f"line {i}" for i in range(20)]


def test_a_loose_file_is_checked_and_is_no_progress(files, monkeypatch, tmp_path):
    """A kernel of one's own may have an exercise's name, in a folder of its own."""
    monkeypatch.setenv("TILEWISE_WORK", str(tmp_path / "work"))
    said = [text for text, _ in check_files(files[:1])]
    assert said[0] == f"Not in {tmp_path / 'work'}, so not counted in your progress: b.ipynb."
    assert "log_sum_exp: right" in said[1]
    assert progress.read() == {} and starters.passed("log_sum_exp") is None


def test_a_zip_holds_the_files_and_tells_what_was_recognised(files, tmp_path):
    path, manifest = pack(files, tmp_path / "out")
    assert path.parent == tmp_path / "out" and manifest["hash"].startswith(path.stem.removeprefix("tilewise-"))
    with zipfile.ZipFile(path) as made:
        assert made.namelist() == ["a.py", "b.ipynb", "manifest.json"]
        assert json.loads(made.read("manifest.json")) == manifest
        assert made.read("a.py") == files[1].read_bytes()
    assert [(f["name"], f["bytes"]) for f in manifest["files"]] == [(f.name, f.stat().st_size) for f in files[::-1]]
    assert [(e["exercise"], e["status"]) for e in manifest["public_checks"]] == [
        ("naive_softmax", "fail"),
        ("log_sum_exp", "pass"),
    ]
    assert manifest["untouched"] == ["safe_softmax"]
    assert files_of(path, "ada").hash == manifest["hash"]


def test_the_receipt_says_it_all(files, tmp_path):
    path, manifest = pack(files, tmp_path)
    manifest["public_checks"][0]["note"] = "shift is not in the answer."
    text = printed(tables.receipt(path, manifest))
    for expected in (
        "a.py", manifest["files"][0]["sha256"][:16], "naive_softmax", "- wrong", "log_sum_exp", "+ right",
        "safe_softmax", ". untouched", manifest["hash"], "naive_softmax: shift is not in the answer.",
        "1 of 2 answers pass the public checks; the official grade uses other inputs.",
    ):  # fmt: skip
        assert expected in text


@pytest.mark.parametrize("kept, file, folder, told", [
    (RIGHT, "a.ipynb", ".", True),
    (None, "a.ipynb", ".", False),
    (WRONG, "a.ipynb", ".", False),  # what is kept is what fails here
    (RIGHT, "a.ipynb", "work", False),  # what is kept belongs to other files
    (RIGHT, "a.py", ".", False),  # which no notebook's memory is ahead of
])  # fmt: skip
def test_an_answer_that_has_passed_and_is_not_saved_is_told(tmp_path, monkeypatch, kept, file, folder, told):
    monkeypatch.setenv("TILEWISE_WORK", str(tmp_path / folder))
    path = tmp_path / file
    path.write_text(notebook_text(cell("naive_softmax", WRONG)) if file == "a.ipynb" else WRONG)
    before = pack([path], tmp_path)
    if kept:
        (tmp_path / folder / starters.PASSED).mkdir(parents=True)
        (tmp_path / folder / starters.PASSED / "naive_softmax.txt").write_text(kept)
    assert remarks([path], before[1]) == [UNSAVED.format("naive_softmax")] * told
    assert pack([path], tmp_path) == before, "what is handed in does not depend on it"


def test_a_starter_in_the_file_is_told_of_the_answer_that_is_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("TILEWISE_WORK", str(tmp_path))
    path = tmp_path / "a.ipynb"
    path.write_text(notebook_text(cell("naive_softmax", exercises()["naive_softmax"].starter)))
    (tmp_path / starters.PASSED).mkdir()
    assert remarks([path], pack([path], tmp_path)[1]) == []
    (tmp_path / starters.PASSED / "naive_softmax.txt").write_text(RIGHT)
    assert remarks([path], pack([path], tmp_path)[1]) == [UNSAVED.format("naive_softmax")]
    assert [said for said, _ in check_files([path])][-1] == UNSAVED.format("naive_softmax")


def test_a_right_answer_is_not_told_of_an_older_one(tmp_path, monkeypatch):
    monkeypatch.setenv("TILEWISE_WORK", str(tmp_path))
    path = tmp_path / "a.ipynb"
    path.write_text(notebook_text(cell("log_sum_exp", RIGHT)))
    (tmp_path / starters.PASSED).mkdir()
    (tmp_path / starters.PASSED / "log_sum_exp.txt").write_text(f"# older\n{RIGHT}")
    assert remarks([path], pack([path], tmp_path)[1]) == []


def test_a_misspelt_name_is_told_of_what_is_handed_in_too(tmp_path):
    path = tmp_path / "a.py"
    path.write_text(f"{RIGHT}\n\ndef safe_softmx(x):\n    return x\n")
    assert remarks([path], pack([path], tmp_path)[1]) == ["safe_softmx is no exercise; did you mean safe_softmax?"]


def test_the_outlook_is_honest():
    right, wrong = {"status": "pass"}, {"status": "partial"}

    def said(*checks, untouched=()):
        return outlook({"public_checks": checks, "untouched": untouched})

    assert said(right) == "All public checks passed; the official grade uses other inputs."
    assert said(right, wrong).startswith("1 of 2 answers")
    assert said().endswith("would be 0.")
    half = said(right, untouched=["safe_softmax", "log_sum_exp"])
    assert "2 exercises of these files are untouched" in half and "All public checks passed" not in half


def test_the_same_files_give_the_same_bytes(tmp_path):
    files = [("b.py", b"2"), ("ä/a.py", b"1")]
    assert zip_bytes(files) == zip_bytes(files[::-1])
    digest = hashlib.sha256(zip_bytes(files)).hexdigest()
    assert digest == "1d47d208242f1e5f95e25b0631ae558e9075d053823b8d23f5fb880b265fc2ad"  # whatever the day or machine
    assert zip_bytes(files) != zip_bytes([("b.py", b"3"), files[1]])


def test_limits_are_those_that_the_messages_name():
    assert (MAX_FILES, MAX_BYTES) == (200, 64 << 20)


def test_a_check_says_which_of_two_answers_counts(tmp_path):
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text(RIGHT + "\n" * (name == "b.py"))
    said = [card for card, _ in check_files([tmp_path / "a.py", tmp_path / "b.py"])]
    assert said[0] == "log_sum_exp in b.py not read: what a.py says counts."


@pytest.mark.parametrize("own", [True, False], ids=["in the exercise's cell", "in another cell"])
def test_a_kernel_beside_the_notebook_is_checked_and_packed(tmp_path, monkeypatch, own):
    """%cuda NAME in a cell takes the answer from NAME.cu."""
    monkeypatch.setenv("TILEWISE_WORK", str(tmp_path))
    named = cell("block_softmax", "%cuda block_softmax")
    if not own:
        named.metadata = {}
    starter = [] if own else [cell("block_softmax", exercises()["block_softmax"].starter)]
    path = tmp_path / "16_cuda_softmax.ipynb"
    path.write_text(notebook_text(*starter, named))
    if own:
        assert [card for card, _ in check_files([path])] == [
            "block_softmax.cu, from which 16_cuda_softmax.ipynb takes block_softmax, is not there.",
            "Not attempted: block_softmax.",
        ]
    (tmp_path / "block_softmax.cu").write_text(exercises()["block_softmax"].source)
    ((card, right),) = check_files([path])
    assert right and card.startswith("block_softmax: right")
    _, manifest = pack([path], tmp_path)
    assert [file["name"] for file in manifest["files"]] == ["16_cuda_softmax.ipynb", "block_softmax.cu"]


def test_a_changed_setup_cell_is_said_to_count_in_the_notebook_only(tmp_path, monkeypatch):
    monkeypatch.setenv("TILEWISE_WORK", str(tmp_path))
    lesson = lesson_named("softmax")
    [*prepare([lesson])]
    copy = tmp_path / lesson.notebook.name
    assert not any("setup cell" in said for said, _ in check_files([copy]))
    made = nbformat.read(copy, 4)
    next(c for c in made.cells if "setup" in c.metadata.get("tags", [])).source += "\nmine = 3"
    nbformat.write(made, copy)
    assert next(check_files([copy]))[0].startswith("The setup cell of 01_softmax.ipynb has been changed.")
