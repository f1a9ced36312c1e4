"""check(f): judge a function in this process, with the public seed, and show its card."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..backends import backend_of
from ..judging.judge import judge
from ..judging.prepare import PUBLIC_SEED, Prepared
from ..judging.verdict import Verdict
from ..runner.observe import Observation
from ..showing import card
from ..showing.markup import esc
from ..spec.catalogue import exercise_of
from ..spec.index import not_here
from . import progress


class Score(float):
    """The points of a check: a number for nbgrader (text/plain), a card for the learner (text/html), text for print."""

    verdict: Verdict
    brief: bool  # whether the whole card has just been shown

    def __new__(cls, verdict: Verdict, brief: bool = False) -> Score:
        score = super().__new__(cls, verdict.points)
        score.verdict, score.brief = verdict, brief
        return score

    def _repr_html_(self) -> str:
        if self.verdict.status == "infra":
            return f"<div>{esc(self)}</div>"
        return card.brief(self.verdict) if self.brief else card.html(self.verdict)

    def __str__(self) -> str:
        return f"{self.verdict.note}." if self.verdict.status == "infra" else card.text(self.verdict)

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain data, the form of an exercise in results.json."""
        from ..grading.results import exercise_result

        return exercise_result(self.verdict)


def check(function: Callable[..., Any]) -> Score:
    """Check your `function` on every public case and return the points, which display as a card.

    Raises TypeError if it is not a function, and LookupError if no exercise has its name.
    """
    score = Score(verdict_of(function))
    progress.record(score.verdict)
    return score


def verdict_of(function: Callable[..., Any], seed: str = PUBLIC_SEED, diagnosed: bool = True) -> Verdict:
    """The verdict on `function` for the exercise of its name, judged in this process. diagnosed: as for `judge`."""
    exercise = exercise_of("check", function)
    if not_here(exercise):
        return Verdict(exercise, "infra", 0.0, note=not_here(exercise))

    backend = backend_of(exercise)

    def call(prepared: Prepared, once: bool) -> Observation | str:
        try:
            return backend.check_call(exercise, function, prepared.arguments, once)
        except KeyboardInterrupt:  # the learner pressed stop and wants the card, not our traceback
            return "interrupted"

    source = backend.source(exercise, function)
    compiled = functools.partial(backend.compiled, exercise, function)
    return judge(exercise, source, seed, call, compiled, diagnosed)
