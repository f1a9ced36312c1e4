"""check_answer(name, value): is a predicted number right? It says too large or too small, never the answer."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

from ..showing.markup import AMBER, GREEN, GREY, Shown, clip, esc, frame, heading, plain, prose, word
from ..spec.catalogue import lessons
from ..spec.exercise import Question
from ..spec.user_error import did_you_mean
from . import progress


def check_answer(name: str, value: Any) -> Shown:
    """Compare `value`, the number you predict, with the answer to the question called `name`.

    Raises LookupError if there is no such question. A `value` of None means not answered yet.
    """
    question = question_named(name)
    if value is None:
        return _shown(question, "not answered yet", "Replace None by your number.", GREY)
    number = _as_number(value)
    if number is None:
        return _shown(question, "not a number", f"The answer is one number; got {clip(repr(value), 60)}.", GREY)
    right = is_right(question, number)
    progress.record_answer(question.name, right)
    if right:
        return _shown(question, "right", question.why, GREEN)
    return _shown(question, "not yet", how_far(question, number), AMBER)


def question_named(name: str) -> Question:
    """The question called `name`. Raises LookupError that names the closest ones."""
    questions = {q.name: q for lesson in lessons() for q in lesson.questions}
    if name in questions:
        return questions[name]
    raise LookupError(f"there is no question {name!r}{did_you_mean(str(name), questions)}")


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
    unit = f" Is your number in {question.answer.unit}?" if question.answer.unit and factor > 300 else ""
    tens = 10 ** math.floor(math.log10(factor))
    low = next((digit for digit in (5, 2) if factor >= digit * tens), 1)
    high = {1: 2, 2: 5, 5: 10}[low]
    return f"It is {direction}, by a factor between {low * tens:,} and {high * tens:,}.{unit}"


def _as_number(value: Any) -> float | None:
    """A finite float from a Python, numpy or torch number; None from anything else (text and True included)."""
    try:
        value = value.item() if hasattr(value, "item") else value  # numpy and torch: one element
        number = float(value) if isinstance(value, Real) and not isinstance(value, bool) else math.nan
    except (ValueError, RuntimeError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _shown(question: Question, state: str, said: str, accent: str) -> Shown:
    head = heading(word(state, accent), esc(question.ask, 600))
    return Shown(
        f"{question.name}: {state}\n{plain(said, 1000)}",
        frame(accent, head, prose(said, 1000), label=f"{question.name}: {state}"),
    )
