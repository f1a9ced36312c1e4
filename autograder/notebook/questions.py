"""check_answer(name, value): is a predicted number right? It says too large or too small, never the answer."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from ..showing.markup import AMBER, GREEN, GREY, Shown, clip, esc, frame, heading, plain, prose, word
from ..spec.catalogue import lessons
from ..spec.exercise import Question
from ..spec.user_error import did_you_mean
from . import progress

EXAMPLE = 'check_answer("overflow_at", 100)'  # how it is used
PERCENT = ("percent", "%")


def check_answer(name: str, value: Any) -> Shown:
    """Compare `value`, the number you predict, with the answer to the question called `name`.

    Raises LookupError if there is no such question. A `value` of None means not answered yet.
    """
    question = question_named(name)
    if value is None:
        return _shown(question, "not answered yet", "Replace None by your number.", GREY)
    number = _as_number(value)
    if number is None:
        return _shown(question, "not a number", f"The answer is one number; got {_short(value)}.", GREY)
    if not math.isfinite(number):
        return _shown(question, "not a finite number", f"The answer is finite; got {_short(value)}.", GREY)
    right = is_right(question, number)
    progress.record_answer(question.name, right)
    if right:
        return _shown(question, "right", question.why, GREEN)
    return _shown(question, "not yet", how_far(question, number), AMBER)


def question_named(name: str) -> Question:
    """The question called `name`. Raises LookupError that names the closest ones, and TypeError for what is no name."""
    if not isinstance(name, str):
        said = "check_answer() takes the question's name first, in quotes"
        raise TypeError(f"{said}, as in {EXAMPLE}; got {_short(name)}")
    if name in questions():
        return questions()[name]
    raise LookupError(f"there is no question {name!r}{did_you_mean(name, questions())}")


@cache
def questions() -> dict[str, Question]:
    """Every question by name, in the order of the course."""
    return {question.name: question for lesson in lessons() for question in lesson.questions}


def is_right(question: Question, value: float) -> bool:
    """Whether it is within the question's relative tolerance, or equal up to float64 rounding."""
    return math.isclose(value, question.answer.value, rel_tol=max(question.answer.rel, 1e-12))


def how_far(question: Question, value: float) -> str:
    """Says too large or too small, and by roughly what factor: too coarse to derive the answer from."""
    direction = "too large" if value > question.answer.value else "too small"
    if value * question.answer.value <= 0:
        sign = ", and has the wrong sign" if value and question.answer.value else ""
        return f"It is {direction}{sign}."
    factor = max(value / question.answer.value, question.answer.value / value)
    if factor < 1.25:
        return f"It is a little {direction}."
    if factor < 2:
        return f"It is {direction}, by less than a factor of 2."
    tens = 10 ** math.floor(math.log10(factor))
    low = next((digit for digit in (5, 2) if factor >= digit * tens), 1)
    high = {1: 2, 2: 5, 5: 10}[low]
    unit = _asked_unit(question.answer.unit, factor)
    return f"It is {direction}, by a factor between {low * tens:,} and {high * tens:,}.{unit}"


def _asked_unit(unit: str, factor: float) -> str:
    """Asks for the unit where it may be the mistake; a share given for a percentage, or the reverse, is off by 100."""
    is_share = unit.startswith("of the ")
    if not unit or unit.startswith("times") or factor <= (50 if is_share or unit in PERCENT else 300):
        return ""
    return " Is your number a share, from 0 to 1?" if is_share else f" Is your number in {unit}?"


def _as_number(value: Any) -> float | None:
    """A float from a number of any library, infinite if it is too large for one; None from anything else.

    What else includes text, True, NaN and complex numbers.
    """
    try:
        value = value.item() if hasattr(value, "item") else value  # numpy and torch: one element
        is_number = hasattr(value, "__float__") and not isinstance(value, bool)
        number = float(value) if is_number else math.nan
    except OverflowError:
        return math.inf
    except (ValueError, RuntimeError, TypeError):
        return None
    return None if math.isnan(number) else number


def _short(value: Any) -> str:
    return clip(repr(value), 60)


def _shown(question: Question, state: str, said: str, accent: str) -> Shown:
    head = heading(word(state, accent), esc(question.ask, 600))
    return Shown(
        f"{question.name}: {state}\n{plain(said, 1000)}",
        frame(accent, head, prose(said, 1000), label=f"{question.name}: {state}"),
    )
