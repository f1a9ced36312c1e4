"""Checking at every save: only what the save changed is checked again, and nothing that a file may be ends it."""

import os
import threading
from types import SimpleNamespace

import pytest

from autograder.notebook import watch
from autograder.notebook.watch import check_at_every_save
from autograder.spec.catalogue import exercise_named
from autograder.spec.user_error import UserError
from tests.grading.files import cell, notebook_text

SAFE = exercise_named("safe_softmax").source
LOG = exercise_named("log_sum_exp").source
WRONG = "def safe_softmax(x):\n    return x"


@pytest.fixture
def saves(tmp_path, monkeypatch):
    """Let a file go through the given contents, one when the answers to the one before have been taken."""
    monkeypatch.setenv("TILEWISE_WORK", str(tmp_path))

    def contents(*texts, name="answers.ipynb"):
        path = tmp_path / name
        waiting = iter(texts)

        def save():
            text = next(waiting, None)
            if text is None:
                raise KeyboardInterrupt
            if text == "":
                path.unlink()
                return
            half = tmp_path / "half"
            half.write_text(text)
            os.replace(half, path)  # as an editor does that never leaves half a file

        monkeypatch.setattr("time.sleep", lambda seconds: save())
        save()
        found = []
        with pytest.raises(KeyboardInterrupt):
            for said, right in check_at_every_save([path]):
                found.append((said.strip().splitlines()[0], right))
        return found

    return contents


@pytest.fixture
def during(tmp_path, monkeypatch):
    """Write files while cards are shown, and stop where a save would be waited for: what was said, first words only."""
    monkeypatch.setenv("TILEWISE_WORK", str(tmp_path))

    def watched(path, writes):
        def stop(seconds):
            raise KeyboardInterrupt

        monkeypatch.setattr(watch, "time", SimpleNamespace(sleep=stop))
        found = []
        with pytest.raises(KeyboardInterrupt):
            for said, _ in check_at_every_save([path]):
                found.append(said.strip().splitlines()[0])
                for file, text in writes.pop(found[-1].split(":")[0], {}).items():
                    (tmp_path / file).write_text(text)
        return [said.split(":")[0] for said in found]

    return watched


def of(*sources):
    names = ("safe_softmax", "log_sum_exp")
    return notebook_text(*(cell(name, source) for name, source in zip(names, sources, strict=True)))


def test_a_file_that_has_gone_is_said_once(saves, monkeypatch):
    monkeypatch.setattr(watch, "GONE", 1)
    found = saves(of(SAFE, LOG), "", of(WRONG, LOG))
    assert ("answers.ipynb is not there any more; it is checked again when it is.", False) in found
    assert found[-1][0].startswith("safe_softmax: wrong")


def test_only_what_a_save_changed_is_checked_again(saves):
    found = saves(of(SAFE, LOG), of(SAFE, LOG) + " ", of(WRONG, LOG))
    cards = [(said.split(":")[0], right) for said, right in found]
    assert cards == [
        ("safe_softmax", True),
        ("log_sum_exp", True),
        ("Saved; checking safe_softmax ...", True),
        ("safe_softmax", False),
    ]


def test_of_a_module_only_what_uses_the_changed_lines_is_checked_again(saves):
    module = f"import numpy as np\n\n\n{SAFE}\n\n{LOG}"
    changed = module.replace("    m = x.max", "    x = x + 0\n    m = x.max", 1)
    found = saves(module, changed, f"{changed}\ny = 1\n", name="answers.py")
    assert [said.split(":")[0] for said, _ in found] == [
        "safe_softmax",
        "log_sum_exp",
        "Saved; checking safe_softmax ...",
        "safe_softmax",
        "Saved; checking safe_softmax, log_sum_exp ...",
        "safe_softmax",
        "log_sum_exp",
    ]


def test_a_save_comes_before_what_is_not_begun(tmp_path, during):
    """Of two answers the first is changed while its card is shown: the stale second one is not checked."""
    path = tmp_path / "a.ipynb"
    path.write_text(of(WRONG, LOG))
    assert during(path, {"safe_softmax": {"a.ipynb": of(SAFE, LOG)}}) == [
        "safe_softmax",
        "Saved; checking safe_softmax, log_sum_exp ...",
        "safe_softmax",
        "log_sum_exp",
    ]


def test_a_save_ends_a_check_that_would_not_end(tmp_path, during):
    endless = tmp_path / "endless.py"
    endless.write_text("def safe_softmax(x):\n    while True:\n        pass\n")
    save = threading.Timer(2, endless.write_text, ["import numpy as np\n" + SAFE])
    save.start()
    assert during(endless, {}) == ["Saved; checking safe_softmax ...", "safe_softmax"]


def test_a_kernel_beside_the_notebook_is_watched_and_a_note_is_said_once(tmp_path, during):
    (tmp_path / "block_softmax.cu").write_text(exercise_named("block_softmax").starter)
    path = tmp_path / "16_cuda_softmax.ipynb"
    own = cell("block_softmax", "%cuda block_softmax")
    path.write_text(notebook_text(own, cell("log_sum_exp", "%cuda log_sum_exp")))
    saved = {"Not attempted": {"block_softmax.cu": exercise_named("block_softmax").source}}
    said = during(path, saved)
    assert said[-2:] == ["Saved; checking block_softmax ...", "block_softmax"]
    note = "log_sum_exp.cu, from which 16_cuda_softmax.ipynb takes log_sum_exp, is not there."
    assert said.count(note) == 1 and said[0] == note


def test_a_file_that_breaks_is_said_and_the_next_save_is_checked(saves):
    found = saves(of(WRONG, LOG), "{", "", of(SAFE, LOG))
    broken = [said for said, right in found if "is damaged" in said and not right]
    assert len(broken) == 1 and found[-1][1] and found[-1][0].startswith("safe_softmax: right")


def test_a_file_that_is_mended_without_another_answer_is_said(saves):
    found = saves(of(SAFE, LOG), "{", of(SAFE, LOG))
    assert found[-1] == ("Saved; it can be read again, and no answer is another one.", True)


def test_a_mistake_of_syntax_is_shown_once_for_all_answers_of_a_module(saves):
    broken = f"{SAFE}\n\n'''\n{LOG}\n\ndef naive_softmax(x):\n    return x"
    twice = broken.replace("(x):\n    return x", "(x):\n    return -x")
    found = saves(broken, twice, name="answers.py")
    assert [(said.split(":")[0], right) for said, right in found if "Saved" not in said] == [
        ("answers.py", True),  # what stands beside the mistake is read
        ("naive_softmax", False),
        ("safe_softmax", True),
        ("Stopped by the same mistake of syntax", False),
        ("naive_softmax", False),
        ("Stopped by the same mistake of syntax", False),
    ]
    assert found[3][0].endswith(": log_sum_exp.")


def test_an_answer_is_checked_again_with_a_helper_that_it_calls(saves):
    calls = "def log_sum_exp(x):\n    safe_softmax(x)\n" + LOG.partition("\n")[2]
    found = saves(of(SAFE, calls), of(SAFE + "\n", calls))
    assert found[2][0] == "Saved; checking safe_softmax, log_sum_exp ..."


def test_a_file_that_cannot_be_used_at_first_is_an_error(tmp_path):
    with pytest.raises(UserError):
        next(check_at_every_save([tmp_path / "none.ipynb"]))
