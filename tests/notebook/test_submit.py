"""What is handed in: reading it, whatever it looks like; packing it; and the receipt."""

import hashlib
import io
import json
import os
import warnings
import zipfile

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from rich.console import Console

from autograder.grading import submission
from autograder.grading.submission import (
    MAX_BYTES,
    MOST_NOTES,
    Submission,
    SubmissionError,
    read_files,
    read_one,
    read_submissions,
)
from autograder.notebook import progress
from autograder.notebook.submit import check_files, outlook, pack, zip_bytes
from autograder.shell import terminal
from autograder.spec.catalogue import exercises
from autograder.spec.notebook import SOLVE
from autograder.spec.user_error import UserError

RIGHT = "import numpy as np\n\n\n" + exercises()["log_sum_exp"].source
WRONG = "import numpy as np\n\n\ndef naive_softmax(x):\n    return np.exp(x)\n"


def cell(name, source):
    return new_code_cell(source, metadata={"nbgrader": {"grade_id": SOLVE + name}})


def notebook_text(*cells):
    return nbformat.writes(new_notebook(cells=list(cells)))


def answers(files):
    """(answers, untouched, notes) of a submission of the given files."""
    made = Submission("ada", tuple((name, text.encode() if isinstance(text, str) else text) for name, text in files))
    return made.answers()[0], made.untouched(), made.answers()[1]


def archive(*entries):
    """A zip of (name, content) pairs, or of (ZipInfo, content)."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in entries:
            made.writestr(name, content)
    return buffer.getvalue()


def read_zip(tmp_path, data):
    (tmp_path / "ada.zip").write_bytes(data)
    return read_one(tmp_path / "ada.zip", "ada")


# Reading


def test_answers_starters_and_files_that_cannot_be_read_are_told_apart():
    found, untouched, notes = answers([
        ("a.ipynb", notebook_text(cell("safe_softmax", exercises()["safe_softmax"].starter))),
        ("b.py", RIGHT),
        ("c.ipynb", "no notebook"),
        ("d.py", b"\xff\xfe"),
    ])  # fmt: skip
    assert set(found) == {"log_sum_exp"} and untouched == ["safe_softmax"]
    assert [note.split(" ")[0] for note in notes] == ["c.ipynb", "d.py"]
    assert "UTF-8" in notes[1]


def test_an_answer_found_anywhere_is_not_untouched():
    text = notebook_text(cell("log_sum_exp", exercises()["log_sum_exp"].starter))
    found, untouched, _ = answers([("a.ipynb", text), ("b.py", RIGHT)])
    assert set(found) == {"log_sum_exp"} and untouched == []


def test_a_notebook_of_format_3_is_read():
    code = {"cell_type": "code", "input": ["def naive_softmax(x):\n", "    return x"], "language": "python"}
    worksheet = {"cells": [code | {"metadata": {}, "outputs": [], "collapsed": False}], "metadata": {}}
    old = {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": [worksheet]}
    assert "return x" in answers([("old.ipynb", json.dumps(old))])[0]["naive_softmax"].source


@pytest.mark.parametrize("text", ["", "[]", "null", "{}", '{"cells": 5}', "[" * 10**5, '{"nbformat": 9, "cells": []}'])
def test_what_is_no_notebook_becomes_a_note(text):
    found, _, notes = answers([("x.ipynb", text), ("y.py", RIGHT)])
    assert set(found) == {"log_sum_exp"} and "x.ipynb was left out: it is not a Jupyter notebook" in notes[0]


TWO = notebook_text(
    cell("naive_softmax", "def naive_softmax(x):\n    return x  # é"),
    cell("log_sum_exp", exercises()["log_sum_exp"].source),
)


@pytest.mark.parametrize(
    ("damaged", "whole"),
    [
        (TWO[: TWO.rindex('"source"')], {"naive_softmax"}),  # cut off
        ("{" + TWO.replace("é", "e"), {"naive_softmax", "log_sum_exp"}),
        (TWO.encode().replace("é".encode(), b"\xff"), {"naive_softmax", "log_sum_exp"}),
        (TWO.replace('\n   "source"', '\n<<<<<<< mine\n   "source"', 1), {"log_sum_exp"}),
        (TWO.replace('"nbformat": 4', '"nbformat": "four"'), {"naive_softmax", "log_sum_exp"}),
        (TWO[TWO.index("def") :], {"log_sum_exp"}),
        (TWO[:-3] + "[" * 10**5, {"naive_softmax", "log_sum_exp"}),
    ],
    ids=["cut off", "a brace too many", "not UTF-8", "a merge's mark", "no number", "without its head", "nested"],
)
def test_the_whole_cells_of_a_damaged_notebook_count(damaged, whole):
    found, _, notes = answers([("x.ipynb", damaged)])
    assert set(found) == whole and len(notes) == 1
    assert notes == ["x.ipynb is damaged; only its whole cells were read"]


@pytest.mark.parametrize(
    "text", ['{"source":' * 200_000, '{"id":"' + '{"id":' * 200_000, '{"cell_type": "code"}' * 10**5]
)
def test_a_file_made_to_take_long_is_given_up(text):
    found, _, notes = answers([("x.ipynb", text)])
    assert not found and notes[0].startswith("x.ipynb was left out")


@pytest.mark.parametrize("body", ["-" * 100_000 + "1", "+".join("a" * 100_000), "'\\ud800'", "(" * 100_000])
def test_code_that_breaks_the_compiler_is_left_to_the_child(body):
    text = notebook_text(cell("naive_softmax", f"def naive_softmax(x):\n    return {body}"))
    assert "naive_softmax" in answers([("x.ipynb", text)])[0]


def test_the_hash_is_that_of_names_and_contents_wherever_they_lie(tmp_path):
    files = [("a.py", RIGHT.encode()), ("sub/b.py", WRONG.encode())]
    (tmp_path / "folder" / "sub").mkdir(parents=True)
    for name, data in files:
        (tmp_path / "folder" / name).write_bytes(data)
    folder = read_one(tmp_path / "folder", "ada")
    zipped = read_zip(tmp_path, archive(*reversed(files)))
    assert folder.files == zipped.files and folder.hash == zipped.hash
    one_file = Submission("ada", (("a.py", b"x"),))  # whose hash stays the same from year to year
    assert one_file.hash == "bf03a952b0f3b0cff6507d69ec7498d3d3125a14a3bd9effc2cf0aba9f2a8876"
    others = [(("a.py", b"x"),), (("a.p", b"yx"),), (("b.py", b"x"),), ()]
    assert len({Submission("ada", made).hash for made in others}) == 4


def test_a_zip_cannot_reach_out_of_itself(tmp_path):
    link = zipfile.ZipInfo("link.py")
    link.create_system, link.external_attr = 3, 0o120777 << 16
    evil = [("../up.py", "x = 1"), ("/root.py", "x = 1"), ("a/../../up2.py", "x = 1"), (link, "/etc/passwd")]
    made = read_zip(tmp_path, archive(*evil, ("fine/a.py", RIGHT)))
    assert [name for name, _ in made.files] == ["fine/a.py"]
    assert len(made.notes) == 4 and "out of the archive" in made.notes[0] and "a link" in made.notes[3]
    assert not (tmp_path.parent / "up.py").exists()


def test_a_zip_bomb_stops_at_the_limit(tmp_path):
    made = read_zip(tmp_path, archive(("a.py", b"#" * (MAX_BYTES + 1))))
    assert made.files == () and "more than 200 files or 64 MB" in made.notes[0]
    many = read_zip(tmp_path, archive(*((f"{i}.py", "") for i in range(201))))
    assert many.files == () and "more than 200 files" in many.notes[0]


@pytest.mark.parametrize("data", [b"", b"not a zip", archive(("a.py", RIGHT))[:-30]])
def test_a_broken_zip_is_a_note_and_no_error(tmp_path, data):
    made = read_zip(tmp_path, data)
    assert made.files == () and "ada.zip could not be read: it is not a zip archive" in made.notes[0]


def test_a_file_without_a_name_costs_nothing_else(tmp_path):
    made = read_zip(tmp_path, archive(("zz.py", "x = 1"), ("good.py", RIGHT)).replace(b"zz.py", b"\0z.py"))
    assert [name for name, _ in made.files] == ["good.py"] and "without a name" in made.notes[0]


def test_thousands_of_links_are_a_few_notes(tmp_path):
    link = zipfile.ZipInfo("link.py")
    link.create_system, link.external_attr = 3, 0o120777 << 16
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of names that stand twice
        made = read_zip(tmp_path, archive(*[(link, "x")] * 2000, ("good.py", RIGHT)))
    assert [name for name, _ in made.files] == ["good.py"] and len(made.notes) == MOST_NOTES + 1
    assert made.notes[-1] == f"{2000 - MOST_NOTES} more were left out"


def test_whatever_a_library_raises_costs_one_student_only(tmp_path, monkeypatch):
    monkeypatch.setattr(zipfile.ZipFile, "infolist", lambda self: list.pop([]))
    made = read_zip(tmp_path, archive(("good.py", RIGHT)))
    assert made.files == () and "ada.zip could not be read: IndexError" in made.notes[0]


def test_damaged_contents_of_a_zip_are_a_note(tmp_path):
    data = bytearray(archive(("a.py", RIGHT * 50)))
    data[60:90] = bytes(30)
    assert "a.py in it cannot be unpacked" in read_zip(tmp_path, bytes(data)).notes[0]


def test_a_folder_may_hold_the_zip_that_was_uploaded(tmp_path):
    entry = tmp_path / "Ada Lovelace_1234_file"
    entry.mkdir()
    (entry / "work.zip").write_bytes(archive(("deep/er/a.py", RIGHT)))
    (entry / "broken.zip").write_bytes(b"no zip")
    (made,) = read_submissions(tmp_path)
    assert made.files == (("work.zip/deep/er/a.py", RIGHT.encode()),) and set(made.answers()[0]) == {"log_sum_exp"}
    assert made.notes == ("broken.zip was left out: it is not a zip archive",)


def test_links_and_litter_in_a_folder_are_not_followed(tmp_path):
    secret = tmp_path / "secret.py"
    secret.write_text(RIGHT)
    entry = tmp_path / "class" / "ada"
    (entry / ".ipynb_checkpoints").mkdir(parents=True)
    (entry / ".ipynb_checkpoints" / "a.py").write_text(RIGHT)
    (entry / "._a.py").write_bytes(b"\x00\x05\x16\x07")
    (entry / "linked").symlink_to(tmp_path)
    (entry / "a.py").symlink_to(secret)
    (made,) = read_submissions(tmp_path / "class")
    assert made.files == () and made.notes == ("a.py was left out: it is a link",)


def test_names_of_any_kind_are_read(tmp_path):
    names = ["Åsa Öberg", "李雷", "=cmd()", "new\nline", "a" * 200]
    for name in names:
        (tmp_path / f"{name}.py").write_text(RIGHT)
    raw = os.fsencode(tmp_path) + b"/\xff\xfe.py"
    with open(raw, "w") as file:
        file.write(RIGHT)
    made = read_submissions(tmp_path)
    names[3] = "new\\nline"  # which would break a line of a list
    assert {s.student for s in made} == {*names, "\\xff\\xfe"}
    assert all(len(s.hash) == 64 for s in made)


def test_two_entries_of_one_name_are_two_submissions(tmp_path):
    (tmp_path / "ada.py").write_text(RIGHT)
    (tmp_path / "ada.zip").write_bytes(archive(("a.py", WRONG)))
    assert [set(s.answers()[0]) for s in read_submissions(tmp_path)] == [{"log_sum_exp"}, {"naive_softmax"}]


def test_nothing_to_grade_is_said(tmp_path):
    with pytest.raises(SubmissionError, match="does not exist"):
        read_submissions(tmp_path / "none")
    with pytest.raises(SubmissionError, match="nothing to grade"):
        read_submissions(tmp_path)
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "essay.docx").write_text("x")
    assert read_submissions(tmp_path)[0].notes == ("ada holds no notebook, .py or .cu file",)


# Files that a student names


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("essay.txt", "x", "is not a notebook, .py or .cu file"),
        ("missing.py", None, "No such file or directory"),
        ("broken.ipynb", "{", "save it again"),
        ("other.py", "def something_else(): pass", "tilewise list"),
    ],
)
def test_a_named_file_is_never_left_out_in_silence(tmp_path, name, content, says):
    path = tmp_path / name
    if content is not None:
        path.write_text(content)
    (tmp_path / "fine.py").write_text(RIGHT)
    alone = [path] if name == "other.py" else [tmp_path / "fine.py", path]
    with pytest.raises(UserError) as said:
        read_files(alone)
    assert says in str(said.value) and name in str(said.value)


def test_two_files_of_one_name_are_refused(tmp_path):
    paths = [tmp_path / folder / "a.py" for folder in ("one", "two")]
    for path in paths:
        path.parent.mkdir()
        path.write_text(RIGHT)
    with pytest.raises(UserError, match=r"two of the files are called a\.py"):
        read_files(paths)
    assert len(read_files([paths[0], paths[0]]).files) == 1


# Checking and packing


@pytest.fixture
def files(tmp_path):
    """A notebook with one right answer and one untouched starter, and a module with a wrong answer."""
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


def test_each_card_is_shown_as_soon_as_it_is_known(files):
    said = check_files(files)
    assert "naive_softmax: wrong" in next(said)[0]
    assert progress.read().keys() == {"naive_softmax"}


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
    assert read_one(path, "ada").hash == manifest["hash"]


def test_the_receipt_says_it_all(files, tmp_path):
    path, manifest = pack(files, tmp_path)
    text = printed(terminal.receipt(path, manifest))
    for expected in (
        "a.py", manifest["files"][0]["sha256"][:16], "naive_softmax", "- wrong", "log_sum_exp", "+ right",
        "safe_softmax", ". untouched", manifest["hash"],
        "1 of 2 answers pass the public checks; the official grade uses other inputs.",
    ):  # fmt: skip
        assert expected in text


def test_the_outlook_is_honest():
    right, wrong = {"status": "pass"}, {"status": "partial"}
    assert outlook({"public_checks": [right]}) == "All public checks passed; the official grade uses other inputs."
    assert outlook({"public_checks": [right, wrong]}).startswith("1 of 2 answers")
    assert outlook({"public_checks": []}).endswith("would be 0.")


def test_the_same_files_give_the_same_bytes(tmp_path):
    files = [("b.py", b"2"), ("ä/a.py", b"1")]
    assert zip_bytes(files) == zip_bytes(files[::-1])
    digest = hashlib.sha256(zip_bytes(files)).hexdigest()
    assert digest == "1d47d208242f1e5f95e25b0631ae558e9075d053823b8d23f5fb880b265fc2ad"  # whatever the day or machine
    assert zip_bytes(files) != zip_bytes([("b.py", b"3"), files[1]])


def test_limits_are_those_that_the_messages_name():
    assert (submission.MAX_FILES, submission.MAX_BYTES) == (200, 64 << 20)
