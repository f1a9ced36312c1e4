"""The line below a cell: it comes after a second, says where a call is that takes long, and makes room for the card."""

import threading
import time
import tracemalloc
from types import SimpleNamespace

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from autograder.authoring.build import execute
from autograder.backends import function_from
from autograder.judging.prepare import PUBLIC_SEED, prepare
from autograder.judging.verdict import CaseResult
from autograder.notebook.check import verdict_of
from autograder.notebook.live import line
from autograder.notebook.live.line import Line, of_check
from autograder.notebook.live.listener import Listener
from autograder.spec.catalogue import exercise_named

SLOW = """
import time
from autograder.notebook.live import line
from autograder.showing.terminal import told_every
line.told_every = lambda seconds, tell: told_every(seconds / 100, tell)
"""


def test_a_check_says_which_case_it_is_at():
    exercise = exercise_named("flash_full")
    listener = Listener(exercise)
    says = of_check(listener)
    with listener.call(prepare("flash_full", 2, PUBLIC_SEED)):
        assert says(6.4) == f"flash_full: case 3 of {len(exercise.cases)}, 6 s; press I I to stop"
    with listener.call(prepare("flash_full", len(exercise.cases) - 1, PUBLIC_SEED)):
        pass
    assert says(7) == "flash_full: comparing with known mistakes, 7 s; press I I to stop"


def test_what_is_wrong_is_told_while_the_rest_is_still_run(monkeypatch):
    exercise = exercise_named("safe_softmax")
    told: list[str] = []
    listener = Listener(exercise)
    says = of_check(listener)
    wrong = function_from(exercise, "def safe_softmax(x):\n    told.append(says(2))\n    return x", "wrong")
    wrong.__globals__.update(told=told, says=says)
    verdict_of(wrong, listener=listener)
    said = [text for text in told if text][-1]  # nothing is while memory is measured
    assert said.startswith("safe_softmax: case 1 is wrong: y[0, 0] is ") and ". Going on with case " in said
    assert said.endswith(f" of {len(exercise.cases)}, 2 s; press I I to stop")


@pytest.mark.parametrize("status, said", [
    ("fail", "case 3 is wrong: why. "),
    ("error", "case 3 crashed: why. "),
    ("timeout", "case 3 ran out of time: why. "),
])  # fmt: skip
def test_each_way_to_fail_is_told_as_a_sentence(status, said):
    listener = Listener(exercise_named("safe_softmax"))
    listener.wrong(3, CaseResult("key", "a case", status, "why"))
    assert listener.known == f"{said}Going on with "


def test_a_call_without_end_is_told_with_its_line_and_how_to_stop_it(monkeypatch):
    monkeypatch.setattr(line, "LONG", 0.05)
    monkeypatch.setattr(line, "MEASURED", 0.0)
    source = "def safe_softmax(x):\n    while len(x):\n        pass\n    return x"
    exercise = exercise_named("safe_softmax")
    endless = function_from(exercise, source, "endless")
    listener = Listener(exercise)
    found: list[str] = []
    says, ended = of_check(listener), threading.Event()

    def watch():
        while not found and not ended.wait(0.02):
            found.extend(text for text in [says(1)] if "has run for" in text)
        x.clear()

    x = [1]
    thread = threading.Thread(target=watch)
    thread.start()
    with listener.call(prepare("safe_softmax", 0, PUBLIC_SEED)):
        endless(x)
    ended.set()
    thread.join()
    assert f"safe_softmax: case 1 of {len(exercise.cases)} has run for 0 s and is in line " in found[0]
    assert 'in safe_softmax, "while len(x):". Does' in found[0] and "Press I I" in found[0]


def test_while_a_calls_memory_is_measured_nothing_is_said_that_takes_some():
    listener = Listener(exercise_named("safe_softmax"))
    says = of_check(listener)
    tracemalloc.start()
    try:
        listener.since = time.monotonic()
        assert says(2) == ""
        listener.since -= line.MEASURED
        assert says(5) != ""
    finally:
        tracemalloc.stop()


@pytest.fixture
def shown(monkeypatch):
    """What is displayed, and what is put in its place."""
    found = []
    handle = SimpleNamespace(update=lambda what, **_: found.append(("update", what)))
    monkeypatch.setattr(line, "display", lambda what, **_: found.append(("display", what)) or handle)
    return found


def test_the_card_takes_the_place_of_the_line_and_without_one_is_simply_shown(shown):
    place = Line()
    place.clear()
    place.give_way_to("card")
    place.say("one")
    place.say("two")
    place.give_way_to("card")
    kinds = [(kind, getattr(what, "text", what)) for kind, what in shown]
    assert kinds == [("display", "card"), ("display", "one"), ("update", "two"), ("update", "card")]


def test_in_a_notebook_only_the_card_is_left():
    cells = [
        new_code_cell("%load_ext autograder\nimport numpy as np" + SLOW),
        new_code_cell("def naive_softmax(x):\n    time.sleep(0.05)\n    return x"),
        new_code_cell("f = naive_softmax\nnaive_softmax = None"),
        new_code_cell("check(f)"),
    ]
    done = execute(new_notebook(cells=cells)).cells
    (card,) = done[1].outputs
    assert card.output_type == "display_data" and "naive_softmax: wrong" in card.data["text/html"]
    (result,) = done[3].outputs
    assert result.data["text/plain"] == "0.0"


def test_the_card_stands_above_what_its_cell_prints():
    wrong = "print('line\\n' * 10_000)\ndef safe_softmax(x):\n    return x"
    cells = [new_code_cell("%load_ext autograder\nimport numpy as np"), new_code_cell(wrong)]
    card, printed = execute(new_notebook(cells=cells)).cells[1].outputs
    assert "safe_softmax: wrong" in card["data"]["text/html"]
    assert printed["output_type"] == "stream" and printed["text"].startswith("line\n")
