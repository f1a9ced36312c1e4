"""Files of every form are read, left out with a note, or fell a process that nothing depends on."""

import ast
import io
import json
import os
import time
import warnings
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell

from autograder.grading.classroom import grade_class
from autograder.grading.executors import Workers
from autograder.grading.grade import grade_submission
from autograder.grading.reading import limited
from autograder.grading.reading.files import MAX_BYTES, MOST_NOTES, Files, SubmissionError, files_of, passed_over
from autograder.grading.reading.limited import read_submissions, reader
from autograder.grading.reading.submission import MAX_SOURCES, read_answers
from autograder.runner.wall.home import remove
from autograder.spec.catalogue import exercises
from tests.grading.files import RIGHT, WRONG, cell, notebook_text


def answers(files):
    """(answers, untouched, notes) of a submission of the given files."""
    made = read_answers(
        Files("ada", tuple((name, text.encode() if isinstance(text, str) else text) for name, text in files))
    )
    return made.answers, made.untouched, made.notes


def archive(*entries):
    """A zip of (name, content) pairs, or of (ZipInfo, content)."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in entries:
            made.writestr(name, content)
    return buffer.getvalue()


def read_zip(tmp_path, data):
    (tmp_path / "ada.zip").write_bytes(data)
    return files_of(tmp_path / "ada.zip", "ada")


def test_answers_starters_and_files_that_cannot_be_read_are_told_apart():
    found, untouched, notes = answers([
        ("a.ipynb", notebook_text(cell("safe_softmax", exercises()["safe_softmax"].starter))),
        ("b.py", RIGHT),
        ("c.ipynb", "no notebook"),
        ("d.py", b"\xff\xfe"),
    ])  # fmt: skip
    assert set(found) == {"log_sum_exp"} and untouched == ("safe_softmax",)
    assert [note.split(" ")[0] for note in notes] == ["c.ipynb", "d.py"]
    assert "UTF-8" in notes[1]


def test_an_answer_found_anywhere_is_not_untouched():
    text = notebook_text(cell("log_sum_exp", exercises()["log_sum_exp"].starter))
    found, untouched, _ = answers([("a.ipynb", text), ("b.py", RIGHT)])
    assert set(found) == {"log_sum_exp"} and untouched == ()


def test_a_notebook_of_format_3_is_read():
    code = {"cell_type": "code", "input": ["def naive_softmax(x):\n", "    return x"], "language": "python"}
    worksheet = {"cells": [code | {"metadata": {}, "outputs": [], "collapsed": False}], "metadata": {}}
    old = {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": [worksheet]}
    assert "return x" in answers([("old.ipynb", json.dumps(old))])[0]["naive_softmax"].source


@pytest.mark.parametrize("text", ["[]", "null", "{}", '{"cells": 5}', "[" * 10**5, '{"nbformat": 9, "cells": []}'])
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
        (TWO[TWO.index("def") :], {"log_sum_exp"}),
        (TWO[:-3] + "[" * 10**5, {"naive_softmax", "log_sum_exp"}),
    ],
    ids=["cut off", "a brace too many", "not UTF-8", "a merge's mark", "without its head", "nested"],
)
def test_the_whole_cells_of_a_damaged_notebook_count(damaged, whole):
    found, _, notes = answers([("x.ipynb", damaged)])
    assert set(found) == whole and len(notes) == 1
    lost = f", so {', '.join({'naive_softmax', 'log_sum_exp'} - whole)} was not" if len(whole) < 2 else ""
    assert notes == (f"x.ipynb is damaged; only its whole cells were read{lost}",)


@pytest.mark.parametrize("head", ['"nbformat": "four"', '"nbformat": 3'])
def test_a_whole_file_that_is_no_notebook_is_not_called_damaged(head):
    found, _, notes = answers([("x.ipynb", TWO.replace('"nbformat": 4', head))])
    assert set(found) == {"naive_softmax", "log_sum_exp"}
    assert notes == ("x.ipynb is no notebook as Jupyter writes them; only its whole cells were read",)


@pytest.mark.parametrize("text", [
    '{"source":' * 200_000,
    '{"id":"' + '{"id":' * 200_000,
    '{"cell_type": "code"}' * 10**5,
    '{"cell_type": "code", "source": "' * 200_000,  # of each error the lines before it are counted
    '{"cell_type": "code", "source": "x = 1"}' * 200_000,
])  # fmt: skip
def test_a_file_made_to_take_long_is_given_up(text):
    began = time.process_time()
    found, _, notes = answers([("x.ipynb", text)])
    assert not found and notes[0].startswith("x.ipynb was left out")
    assert time.process_time() - began < 15


@pytest.mark.parametrize("body", ["-" * 90_000 + "1", "+".join("a" * 45_000), "'\\ud800'", "(" * 90_000])
def test_code_that_breaks_the_compiler_is_left_to_the_child(body):
    text = notebook_text(cell("naive_softmax", f"def naive_softmax(x):\n    return {body}"))
    assert "naive_softmax" in answers([("x.ipynb", text)])[0]


def test_the_hash_is_that_of_names_and_contents_wherever_they_lie(tmp_path):
    files = [("a.py", RIGHT.encode()), ("sub/b.py", WRONG.encode())]
    (tmp_path / "folder" / "sub").mkdir(parents=True)
    for name, data in files:
        (tmp_path / "folder" / name).write_bytes(data)
    folder = files_of(tmp_path / "folder", "ada")
    zipped = read_zip(tmp_path, archive(*reversed(files)))
    assert folder.files == zipped.files and folder.hash == zipped.hash
    one_file = Files("ada", (("a.py", b"x"),))  # whose hash stays the same from year to year
    assert one_file.hash == "bf03a952b0f3b0cff6507d69ec7498d3d3125a14a3bd9effc2cf0aba9f2a8876"
    others = [(("a.py", b"x"),), (("a.p", b"yx"),), (("b.py", b"x"),), ()]
    assert len({Files("ada", made).hash for made in others}) == 4


def test_a_zip_cannot_reach_out_of_itself(tmp_path):
    link = zipfile.ZipInfo("link.py")
    link.create_system, link.external_attr = 3, 0o120777 << 16
    evil = [("../up.py", "x = 1"), ("/../up3.py", "x = 1"), ("a/../../up2.py", "x = 1"), (link, "/etc/passwd")]
    made = read_zip(tmp_path, archive(*evil, ("fine/a.py", RIGHT)))
    assert [name for name, _ in made.files] == ["fine/a.py"]
    assert len(made.notes) == 4 and "a link" in made.notes[0] and "out of the archive" in made.notes[3]
    assert not (tmp_path.parent / "up.py").exists()


def test_a_zip_bomb_stops_at_the_limit_and_costs_no_other_file(tmp_path):
    made = read_zip(tmp_path, archive(("a.py", b"#" * (MAX_BYTES + 1)), ("b.py", RIGHT)))
    assert [name for name, _ in made.files] == ["b.py"]
    assert made.notes[0].startswith("a.py was left out: it has 65 MB, and at most 64 are read")
    both = read_zip(tmp_path, archive(("a.py", b"#" * MAX_BYTES), ("b.py", RIGHT)))
    assert [name for name, _ in both.files] == ["a.py"]
    assert both.notes == ("b.py was left out: with it all files together would have more than 64 MB",)
    many = read_zip(tmp_path, archive(*((f"{i}.py", "") for i in range(201))))
    assert len(many.files) == 200
    assert many.notes == ("99.py was left out: 200 files were read before it, and no more are",)


@pytest.mark.parametrize("zipped", [True, False])
def test_a_notebook_is_read_before_what_others_wrote(tmp_path, zipped):
    answer = notebook_text(cell("log_sum_exp", RIGHT))
    libraries = [(f"env/lib/site-packages/m{i}.py", "") for i in range(300)]
    entries = [*((f"a/deep/m{i}.py", "") for i in range(300)), *libraries, ("work/01_softmax.ipynb", answer)]
    entries.append(("b.py", RIGHT))
    if zipped:
        made = read_zip(tmp_path, archive(*entries))
    else:
        for name, content in entries:
            (tmp_path / "ada" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "ada" / name).write_text(content)
        made = files_of(tmp_path / "ada", "ada")
    assert {"work/01_softmax.ipynb", "b.py"} < {name for name, _ in made.files}
    said = "and 101 more files were left out: 200 files were read before it, and no more are"
    assert len(made.notes) == 1 and made.notes[0].endswith(said)


def test_an_archive_of_another_kind_is_told_of(tmp_path):
    (tmp_path / "ada.rar").write_bytes(b"Rar!")
    (tmp_path / "bob").mkdir()
    (tmp_path / "bob" / "work.tar.gz").write_bytes(b"")
    found = {one.student: one.notes for one in read_submissions(tmp_path)}
    said = "was left out: it is an archive of a kind that is not opened; pack a zip"
    assert found == {"ada": (f"ada.rar {said}",), "bob": (f"work.tar.gz {said}",)}
    assert read_zip(tmp_path, archive(("work.7z", b""))).notes == (f"work.7z {said}",)


BROKEN = "def safe_softmax(x):\n    return (x +\n"
PARTS = {
    "a function": (f"import numpy as np\n{BROKEN}\n\n@staticmethod\n# it is right\n{RIGHT}", 3, {"safe_softmax"}),
    "a line": (f"load_ext autograder\n{RIGHT}", 1, set()),
    "tabs": (f"{RIGHT}\ndef safe_softmax(x):\n    y = x\n\treturn y\n", 0, {"safe_softmax"}),
    "behind an open text": (f'{RIGHT}\n"""\ndef safe_softmax(x):\n    return x\n', 0, {"safe_softmax"}),
    "a branch": (f"if True:\n    x = 1\nelse\n    x = 2\n{RIGHT}", 3, set()),
}


@pytest.mark.parametrize(("text", "line", "broken"), PARTS.values(), ids=list(PARTS))
def test_a_mistake_of_syntax_costs_no_other_function_of_a_file(text, line, broken):
    found, _, notes = answers([("a.py", text)])
    assert found.keys() == {"log_sum_exp"} | broken and len(notes) == 1
    assert notes[0].startswith(f"a.py: line {line or ''}") and "is no Python (" in notes[0]
    ast.parse(found["log_sum_exp"].source)
    assert found["log_sum_exp"].source.count("\n") == text.count("\n")  # so that lines keep their numbers
    for name in broken - {"log_sum_exp"}:
        with pytest.raises(SyntaxError):
            ast.parse(found[name].source)


CUT = archive(("a.py", RIGHT))[:-30]


@pytest.mark.parametrize(
    ("data", "is_said"),
    [(b"", "not a zip archive"), (b"not a zip", "not a zip archive"), (CUT, "a zip archive that was cut off")],
)
def test_a_broken_zip_is_a_note_and_no_error(tmp_path, data, is_said):
    made = read_zip(tmp_path, data)
    assert made.files == () and f"ada.zip could not be read: it is {is_said}" in made.notes[0]


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
    data = bytearray(archive(("a.py", RIGHT * 50), ("b.py", RIGHT)))
    data[60:90] = bytes(30)
    made = read_zip(tmp_path, bytes(data))
    assert "a.py was left out: it cannot be unpacked" in made.notes[0]
    assert [name for name, _ in made.files] == ["b.py"], "and costs no other file"


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_unpacks_without_an_end_is_left_out(tmp_path, method):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as made:
        made.writestr(zipfile.ZipInfo("a.py"), RIGHT, compress_type=method)
        made.writestr("b.py", RIGHT)
    read = read_zip(tmp_path, data.getvalue())
    assert [name for name, _ in read.files] == ["b.py"] and "a.py was left out: it is packed otherwise" in read.notes[0]


def test_a_damaged_entry_that_claims_much_takes_no_room(tmp_path):
    data = bytearray(archive(("a.py", RIGHT), ("b.py", RIGHT)))
    at = data.index(b"PK\x01\x02")  # of what the directory says of a.py: its packed and its true size
    data[at + 24 : at + 28] = (60 << 20).to_bytes(4, "little")
    read = read_zip(tmp_path, bytes(data))
    assert [name for name, _ in read.files][-1:] == ["b.py"] and "all files together" not in "".join(read.notes)


@pytest.mark.parametrize(
    "kind, method, said",
    [
        (zipfile.ZipExtFile, "read", "a.py was left out: it cannot be unpacked (MemoryError)"),
        (zipfile.ZipFile, "infolist", "ada.zip could not be read: MemoryError"),
    ],
)
def test_an_exception_without_a_message_is_named(tmp_path, monkeypatch, kind, method, said):
    """As of memory, which a dictionary of 4 GB, LZMA's largest, brings about."""
    monkeypatch.setattr(kind, method, Mock(side_effect=MemoryError))
    assert read_zip(tmp_path, archive(("a.py", RIGHT))).notes == (said,)


def test_a_folder_may_hold_the_zip_that_was_uploaded(tmp_path):
    entry = tmp_path / "Ada Lovelace_1234_file"
    entry.mkdir()
    (entry / "work.zip").write_bytes(archive(("deep/er/a.py", RIGHT)))
    (entry / "broken.zip").write_bytes(b"no zip")
    (made,) = read_submissions(tmp_path)
    assert made.files == ("work.zip/deep/er/a.py",) and set(made.answers) == {"log_sum_exp"}
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


def test_a_link_in_the_class_folder_is_nobodys_entry(tmp_path):
    (tmp_path / "ada.py").write_text(RIGHT)
    (tmp_path / "bob.py").symlink_to(tmp_path / "ada.py")
    assert [s.student for s in read_submissions(tmp_path)] == ["ada"] and passed_over(tmp_path) == ["bob.py"]
    assert [s.student for s in read_submissions(tmp_path / "bob.py")] == ["bob"]  # who names it means it


@pytest.mark.parametrize("name", ["ada.py", "ada.zip", "ada"])
def test_what_this_machine_cannot_read_waits_and_costs_nothing(tmp_path, name):
    made = reader().read(tmp_path / name, "ada")  # listed, and gone when it is its turn
    assert made.unread == f"{name} cannot be read here: No such file or directory" and not made.notes
    result = grade_submission(made, ["log_sum_exp"], seed="s")
    assert [(e["status"], e["note"]) for e in result["exercises"]] == [("infra", made.unread)]


@pytest.mark.parametrize(("folder", "times"), [("d", 1100), ("d" * 250, 20), ("d" * 100, 38)])
def test_folders_in_folders_without_end_cost_what_lies_in_them(tmp_path, monkeypatch, folder, times):
    """More than os.walk can call itself; more than a path may have; and that with the name of the file only."""
    (tmp_path / "a.py").write_text(exercises()["safe_softmax"].source)
    monkeypatch.chdir(tmp_path)
    for _ in range(times):
        os.mkdir(folder)
        os.chdir(folder)
    Path("x" * 250 + ".py").write_text(exercises()["log_sum_exp"].source)
    made = read_answers(files_of(tmp_path, "ada"))
    assert set(made.answers) == {"safe_softmax"} and not made.unread
    (note,) = made.notes
    assert note.startswith(f"what lies deepest in {folder} was left out: it lies in more than 100 folders, or its path")
    os.chdir(tmp_path)
    remove(str(tmp_path / folder))  # deeper than what pytest would do it with


def test_what_was_not_read_is_graded_anew(tmp_path):
    (tmp_path / "ada").mkdir()
    given, out = read_submissions(tmp_path), tmp_path / "out"
    graded = partial(grade_class, exercise_names=["log_sum_exp"], seed="s", out=out)
    with ThreadPoolExecutor(1) as pool:
        assert [r["exercises"][0]["status"] for r in graded(given, workers=Workers(pool))] == ["not_attempted"]
        gone = [replace(given[0], unread="ada cannot be read here")]
        assert [r["exercises"][0]["status"] for r in graded(gone, workers=Workers(pool))] == ["infra"]


def test_a_zip_whose_paths_begin_at_the_root_is_read(tmp_path):
    (tmp_path / "ada.zip").write_bytes(archive(("/Users/ada/a.py", RIGHT)))
    assert read_submissions(tmp_path)[0].files == ("Users/ada/a.py",)


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
    assert [set(s.answers) for s in read_submissions(tmp_path)] == [{"log_sum_exp"}, {"naive_softmax"}]


def test_nothing_to_grade_is_said(tmp_path):
    with pytest.raises(SubmissionError, match="does not exist"):
        read_submissions(tmp_path / "none")
    (tmp_path / "essay.docx").write_text("x")
    with pytest.raises(SubmissionError, match="none of what can be graded; give a folder"):
        read_submissions(tmp_path / "essay.docx")
    with pytest.raises(SubmissionError, match="nothing to grade"):
        read_submissions(tmp_path)
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "essay.docx").write_text("x")
    assert read_submissions(tmp_path)[0].notes == ("ada holds no notebook, .py or .cu file",)


# What is made to fell whoever reads it


def hostile_class(folder, name, data):
    folder.mkdir()
    (folder / "ada.py").write_text(RIGHT)
    (folder / name).write_bytes(data)
    (folder / "zoe.py").write_text(WRONG)
    ada, eve, zoe = read_submissions(folder)
    assert set(ada.answers) == {"log_sum_exp"} and set(zoe.answers) == {"naive_softmax"}
    return eve


OBJECTS = b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [' + b"{}," * 20_000_000 + b"{}]}"


@pytest.mark.parametrize("data", [OBJECTS, b"[[],[" * 12_000_000], ids=["a notebook", "a list"])
def test_a_file_that_takes_memory_costs_its_author_only(tmp_path, data):
    eve = hostile_class(tmp_path / "class", "eve.ipynb", data)
    assert not eve.answers and "eve.ipynb" in eve.notes[0] and len(eve.notes) == 1


def test_a_file_that_takes_time_costs_its_author_only(tmp_path, monkeypatch):
    """Whatever part of reading or screening it is made for: here there is much of it. Others have all their time."""
    read = limited.Reader.read

    def in_less_time(reader, entry, student, lesson=""):
        with monkeypatch.context() as patch:
            patch.setattr(limited, "SECONDS", 0.3 if student == "eve" else limited.SECONDS)
            return read(reader, entry, student, lesson)

    monkeypatch.setattr(limited.Reader, "read", in_less_time)
    slow = "    " + "x=x+1;" * 15_000
    names = [name for name, exercise in exercises().items() if exercise.backend != "cuda"][:20]
    cells = [cell(name, f"def {name}(x):\n{slow}") for name in names]
    eve = hostile_class(tmp_path / "class", "eve.ipynb", notebook_text(*cells).encode())
    assert eve.notes == ("eve.ipynb could not be read: that takes longer than 0.3 seconds",)


def test_a_process_that_was_killed_is_started_again(tmp_path):
    (tmp_path / "ada.py").write_text(RIGHT)
    read_submissions(tmp_path)
    reader().process.kill()
    assert set(read_submissions(tmp_path)[0].answers) == {"log_sum_exp"}


def test_more_than_a_course_of_answers_is_left_out():
    whole = "import numpy as np\n\n\ndef naive_softmax(x):\n    return x\n" + "#" * 90_000
    files = tuple((f"{n}.py", f"{whole}{n}".encode()) for n in range(30))
    made = read_answers(Files("ada", files))
    assert set(made.answers) == {"naive_softmax"}
    assert made.notes[-1] == f"29.py was left out: all answers together are longer than {MAX_SOURCES:,} characters"


def test_texts_that_cannot_be_encoded_are_passed_on(tmp_path):
    text = notebook_text(cell("naive_softmax", "def naive_softmax(x):\n    return '\\ud800'"))
    (tmp_path / "ada.ipynb").write_text(text.replace("\\\\ud800", "\\ud800"))
    assert "\ud800" in read_submissions(tmp_path)[0].answers["naive_softmax"].source


# What innocent people hand in


def test_suffixes_are_as_windows_writes_them(tmp_path):
    (tmp_path / "ada.PY").write_text(RIGHT)
    (tmp_path / "bob.Zip").write_bytes(archive(("ANSWER.PY", RIGHT)))
    (tmp_path / "eve.IPYNB").write_text(notebook_text(cell("log_sum_exp", exercises()["log_sum_exp"].source)))
    assert [set(s.answers) for s in read_submissions(tmp_path)] == [{"log_sum_exp"}] * 3


@pytest.mark.parametrize(
    "change", [lambda t: t.replace("\n", "\r"), lambda t: t.replace("\n", "\r\n"), lambda t: "\ufeff" + t]
)
def test_lines_may_end_as_anywhere(change):
    (answer,) = answers([("a.py", change(RIGHT).encode())])[0].values()
    assert answer.source == RIGHT


@pytest.mark.parametrize("coding", ["rot13", "zip", "hex", "punycode"])
def test_an_encoding_that_is_none_of_text_is_said(coding):
    notes = answers([("a.py", f"# -*- coding: {coding} -*-\n{RIGHT}")])[2]
    said = f"it says that its encoding is {coding}, and is no text in that; save it as UTF-8 without that line"
    assert notes == (f"a.py was left out: {said}",)


def test_a_name_in_other_letters_is_the_one_that_python_takes_it_for():
    assert set(answers([("a.py", RIGHT.replace("def log_sum_exp", "def log_\N{LATIN SMALL LETTER LONG S}um_exp"))])[0])


def test_of_a_lambda_in_an_exercise_s_place_is_said_how_to_define_it():
    by_lambda = "relu_cost = lambda n, itemsize: (n, 2 * n * itemsize)"
    said = "relu_cost in {} is not graded: define it by `def relu_cost`, not by a lambda"
    assert answers([("a.py", by_lambda)])[2] == (said.format("a.py"),)
    annotated = by_lambda.replace(" =", ": Callable[[int, int], tuple[int, int]] =")
    assert answers([("a.py", RIGHT), ("b.py", annotated)])[2] == (said.format("b.py"),)
    cells = notebook_text(new_code_cell(by_lambda))
    assert answers([("a.ipynb", cells)])[2] == (said.format("a.ipynb"),)
    assert answers([("a.py", f"{by_lambda}\ndef relu_cost(n, itemsize):\n    return n, 0")])[2] == ()
    assert answers([("a.py", f"{RIGHT}\n    relu_cost = lambda n: n\nrelu = lambda x: x")])[2] == ()


def test_of_an_answer_under_another_name_or_below_an_if_is_said_how_to_define_it():
    under = "def mine(n, itemsize):\n    return n, 0\nrelu_cost = mine"
    said = "relu_cost in {} is not graded: define it by `def relu_cost`, not by another function"
    assert answers([("a.py", under)])[2] == (said.format("a.py"),)
    assert answers([("a.py", under.replace("\n", "\r\n"))])[2] == (said.format("a.py"),)
    assert answers([("a.py", under.replace("= mine", "= partial(mine, itemsize=4)"))])[2] == (said.format("a.py"),)
    assert answers([("a.py", RIGHT), ("a.ipynb", notebook_text(new_code_cell(under)))])[2] == (said.format("a.ipynb"),)
    assert answers([("a.py", RIGHT), ("b.py", "relu_cost = None\nrelu_cost = 3\nmine = relu_cost")])[2] == ()

    below = "if True:\n    def relu_cost(n, itemsize):\n        return n, 0"
    said = "relu_cost in {} is not graded: define it at the left margin, not below an `if`, a `try` or the like"
    assert answers([("a.py", below)])[2] == (said.format("a.py"),)
    assert answers([("a.py", RIGHT), ("a.ipynb", notebook_text(new_code_cell(below)))])[2] == (said.format("a.ipynb"),)
    method = "class Costs:\n    def relu_cost(self, n):\n        return n, 0"
    inside = "def other(n):\n    def relu_cost(n):\n        return n, 0\n    return relu_cost(n)"
    variable = "cost = relu_cost = 4\nrelu_cost = max(cost, 3)\nprint(\nrelu_cost)"
    for honest in (method, inside, variable):
        assert answers([("a.py", RIGHT), ("b.py", honest)])[2] == ()


def test_of_a_cell_that_holds_no_code_any_more_is_said_how_to_make_it_one():
    said = "log_sum_exp in a.ipynb is not graded: its cell is no code cell; in JupyterLab select it, and press Esc, Y"
    assert answers([("a.ipynb", notebook_text(new_raw_cell(RIGHT)))])[2] == (said,)
    assert answers([("a.ipynb", notebook_text(new_markdown_cell(RIGHT), new_code_cell(RIGHT)))])[2] == ()
    shown = new_markdown_cell(f"```\n{RIGHT}\n```")
    assert answers([("a.py", "x = 1"), ("a.ipynb", notebook_text(shown))])[2] == (
        "a.ipynb, a.py: no exercise of the course is in there",
    )


def test_what_asks_the_course_between_two_answers_is_no_part_of_them():
    merged = f"{RIGHT}\ncheck(log_sum_exp)\nhint(log_sum_exp, 2)\n\ndef relu_cost(n, itemsize):\n    return n, 0\n"
    found = answers([("a.ipynb", notebook_text(new_code_cell(merged)))])[0]
    assert "check(" not in found["relu_cost"].source and found["relu_cost"].source.count("\n") == merged.count("\n")
    own = f"def check(f): return f\n{RIGHT}\ncheck(log_sum_exp)"
    assert "check(log_sum_exp)" in answers([("a.py", own)])[0]["log_sum_exp"].source


def test_files_in_which_nothing_is_recognised_are_said():
    notes = answers([("b.py", "def softmx(x): ..."), ("a.py", "x = (")])[2]
    assert notes == ("a.py, b.py: no exercise of the course is in there",)
    assert answers([("a.py", RIGHT), ("b.py", "x = 1")])[2] == ()  # of a student's own beside them


def test_an_encoding_that_is_declared_is_used():
    text = f"# -*- coding: latin-1 -*-\n# caf\xe9\n{RIGHT}"
    assert set(answers([("a.py", text.encode("latin-1"))])[0]) == {"log_sum_exp"}
    assert answers([("a.py", RIGHT.encode("utf-16"))])[2] == (
        "a.py was left out: it is not UTF-8 text; save it as that",
    )
    assert answers([("a.ipynb", b"")])[2] == ("a.ipynb was left out: it is empty",)


def test_a_kernels_comments_may_be_in_any_encoding():
    kernel = exercises()["scale_vector"].source
    found, _, notes = answers([("a.cu", f"// gr\xf6\xdfer\r\n{kernel}".encode("latin-1"))])
    assert found["scale_vector"].source == f"// gr\xf6\xdfer\n{kernel}" and notes == ()
    assert answers([("a.cu", kernel.encode("utf-16"))])[2] == (
        "a.cu was left out: it is not UTF-8 text; save it as that",
    )


def test_which_of_two_versions_counts_is_said():
    other = RIGHT + "# again\n"
    found, _, notes = answers([("a.py", RIGHT), ("b.py", other), ("c.py", RIGHT)])
    assert found["log_sum_exp"].file == "a.py" and notes == ("log_sum_exp in b.py not read: what a.py says counts",)


def test_a_helper_of_that_name_in_another_lessons_notebook_gives_way():
    own = notebook_text(cell("log_sum_exp", RIGHT))
    helper = notebook_text(new_code_cell("def log_sum_exp(*drawn):\n    return drawn"))
    for other in ("00_notes.ipynb", "27_continuous_batching.ipynb"):
        found, _, notes = answers([(other, helper), ("01_softmax.ipynb", own)])
        assert found["log_sum_exp"].file == "01_softmax.ipynb"
        assert notes == (f"log_sum_exp in {other} not read: what 01_softmax.ipynb says counts",)


def test_an_answer_written_below_an_untouched_cell_counts():
    starter, right = exercises()["log_sum_exp"].starter, exercises()["log_sum_exp"].source
    text = notebook_text(cell("log_sum_exp", starter), new_code_cell(right))
    assert answers([("a.ipynb", text)])[0]["log_sum_exp"].source == right


def test_an_environment_beside_the_notebook_is_not_looked_at(tmp_path):
    library = tmp_path / "ada" / ".venv" / "lib"
    library.mkdir(parents=True)
    for i in range(300):
        (library / f"{i}.py").write_text(RIGHT)
    (tmp_path / "ada" / "mine.py").write_text(RIGHT)
    (made,) = read_submissions(tmp_path)
    assert made.files == ("mine.py",) and not made.notes


def test_one_file_that_cannot_be_read_costs_no_other(tmp_path):
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "mine.py").write_text(RIGHT)
    os.mkfifo(tmp_path / "ada" / "pipe.py")
    with open(tmp_path / "ada" / "large.ipynb", "wb") as file:
        file.truncate(MAX_BYTES + (1 << 20))
    (tmp_path / "ada" / "inner.zip").write_bytes(archive(("outer/deep.zip", archive(("a.py", RIGHT)))))
    (made,) = read_submissions(tmp_path)
    assert set(made.answers) == {"log_sum_exp"} and [note.split(" was left out: ")[1][:30] for note in made.notes] == [
        "it has 65 MB, and at most 64 a", "it is a zip in a zip, which is", "it is not a regular file"
    ]  # fmt: skip


def test_what_is_nobody_s_entry_is_named(tmp_path):
    (tmp_path / "__MACOSX").mkdir()
    for name in ("ada.py", "bob.docx", ".hidden.py", "eve.pages", "__MACOSX/._ada.py"):
        (tmp_path / name).write_text(RIGHT)
    others = [".hidden.py", "__MACOSX", "bob.docx", "eve.pages"]
    assert passed_over(tmp_path) == others and passed_over(tmp_path / "ada.py") == []
    assert [submission.student for submission in read_submissions(tmp_path)] == ["ada"]


def test_an_entry_is_read_as_what_it_is_and_not_as_what_it_is_called(tmp_path):
    (tmp_path / "ada.zip").mkdir()
    (tmp_path / "ada.zip" / "a.py").write_text(RIGHT)
    os.mkfifo(tmp_path / "bob.zip")
    ada, bob = read_submissions(tmp_path)
    assert (ada.student, set(ada.answers), ada.unread, ada.notes) == ("ada.zip", {"log_sum_exp"}, "", ())
    assert bob.notes == ("bob.zip was left out: it is not a regular file",) and not bob.unread


def test_an_empty_file_is_called_that_whatever_its_kind(tmp_path):
    for name in ("a.ipynb", "a.py", "a.cu"):
        assert read_answers(Files("ada", ((name, b" \n"),))).notes == (f"{name} was left out: it is empty",)


def test_a_file_that_is_twice_in_a_zip_is_said(tmp_path):
    with pytest.warns(UserWarning, match="Duplicate name"):
        data = archive(("a.py", RIGHT), ("a.py", WRONG), ("b.py", RIGHT), ("b.py", RIGHT))
    made = read_zip(tmp_path, data)
    assert dict(made.files)["a.py"] == WRONG.encode()
    assert made.notes == ("a.py is in there more than once; the last one counts",)


def test_two_entries_of_one_name_are_told_apart(tmp_path):
    (tmp_path / "ann.py").write_text(RIGHT)
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "a.py").write_text(WRONG)
    first, second = read_submissions(tmp_path)
    assert (first.student, second.student) == ("ann", "ann+")
    assert second.notes == ("this is ann.py; another entry is called ann too",)
