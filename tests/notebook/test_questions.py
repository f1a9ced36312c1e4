"""A predicted number: right, too large, too small, not a number, or not there yet."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import torch

from autograder.notebook import progress
from autograder.notebook.questions import check_answer, how_far, is_right
from autograder.spec.catalogue import lessons
from autograder.spec.exercise import Quantity, Question

BYTES = Question("bytes", "How many bytes?", answer=Quantity(-2048.0, "bytes", rel=0.01), why="Because.")
SHARE = Question("share", "What percentage?", answer=Quantity(6.25, "percent", rel=0.01), why="Because.")
SLOTS = Question("slots", "What share of the slots?", answer=Quantity(0.0625, "of the slots"), why="Because.")
TIMES = Question("times", "How many times?", answer=Quantity(700.0, "times"), why="Because.")
QUESTION = next(q for q in lessons()[0].questions)


@pytest.fixture(autouse=True)
def _own_progress(tmp_path, monkeypatch):
    monkeypatch.setenv("TILEWISE_WORK", str(tmp_path))


def status() -> str | None:
    entry = progress.read().get(QUESTION.name)
    return entry.status if entry else None


def test_every_question_takes_its_answer_and_no_other():
    for question in (q for lesson in lessons() for q in lesson.questions):
        assert is_right(question, question.answer.value), question.name
        assert not is_right(question, question.answer.value * 2 + 1), question.name
        assert str(check_answer(question.name, question.answer.value)).startswith(f"{question.name}: right\n")


@pytest.mark.parametrize("kind", [int, float, Decimal, Fraction, np.float32, np.int64, np.array, torch.tensor])
def test_a_number_of_any_library_is_a_number(kind):
    shown = check_answer(QUESTION.name, kind(int(QUESTION.answer.value)))
    assert "right" in str(shown) and QUESTION.why[:30] in str(shown) and status() == "right"


def test_none_is_not_answered_yet_and_is_not_recorded():
    shown = check_answer(QUESTION.name, None)
    assert "not answered yet" in str(shown) and "Replace None by your number." in shown._repr_html_()
    assert status() is None


@pytest.mark.parametrize(
    "value", ["89", "<script>", [1, 2], np.zeros(3), torch.zeros(2), True, 1j, float("nan"), print]
)
def test_what_is_no_number_gets_one_sentence(value):
    shown = check_answer(QUESTION.name, value)
    assert "The answer is one number; got" in str(shown) and "<script" not in shown.html and status() is None


@pytest.mark.parametrize("value", [float("inf"), -np.inf, 10**400, torch.tensor(torch.inf)])
def test_an_infinite_number_is_a_number_and_no_answer(value):
    shown = str(check_answer(QUESTION.name, value))
    assert "not a finite number" in shown and "not a number" not in shown and status() is None


@pytest.mark.parametrize(
    ("factor", "said"),
    [
        (1.1, "a little too large"),
        (0.9, "a little too small"),
        (1.9, "too large, by less than a factor of 2"),
        (0.3, "too small, by a factor between 2 and 5"),
        (1 / 6.28, "too small, by a factor between 5 and 10."),
        (8, "too large, by a factor between 5 and 10."),
        (12, "too large, by a factor between 10 and 20."),
        (1 / 1024, "too small, by a factor between 1,000 and 2,000."),
    ],
)
def test_a_wrong_number_learns_the_direction_and_the_order(factor, said):
    shown = str(check_answer(QUESTION.name, QUESTION.answer.value * factor))
    assert said in shown and status() == "wrong"
    assert f"{QUESTION.answer.value:g}" not in shown and QUESTION.why not in shown, "the answer is not told"


def test_the_unit_is_asked_for_where_it_may_be_the_mistake():
    assert "Is your number in bytes?" in how_far(BYTES, -2.048)
    assert "Is your number in percent?" in how_far(SHARE, 0.0625) and "percent" not in how_far(SHARE, 0.625)
    assert "unit" not in how_far(BYTES, -3000) and "in bytes" not in how_far(BYTES, -3000)
    assert how_far(SLOTS, 6.25).endswith(" Is your number a share, from 0 to 1?") and "share" not in how_far(SLOTS, 0.6)
    assert how_far(TIMES, 5).endswith(" and 200.") and how_far(TIMES, 1).endswith(" and 1,000."), "it has no unit"


def test_direction_and_sign_of_negative_and_zero():
    assert "too small" in how_far(BYTES, -4000) and "too large" in how_far(BYTES, -1000)
    assert how_far(BYTES, 5) == "It is too large, and has the wrong sign."
    assert how_far(BYTES, 0) == "It is too large."
    assert "too large" in how_far(BYTES, 0) and "sign" not in how_far(BYTES, 0)
    assert is_right(BYTES, -2050) and not is_right(BYTES, 2048)


def test_a_question_that_is_not_there_names_the_closest():
    with pytest.raises(LookupError, match=f"did you mean {QUESTION.name}"):
        check_answer(QUESTION.name + "x", 1)
