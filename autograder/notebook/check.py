"""check(f): judge a function in this process, with the public seed, and show its card."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import replace
from typing import Any

from ..backends import backend_of
from ..backends.assembly import Compiled
from ..judging.judge import judge
from ..judging.limits.operations import asked_of_source
from ..judging.points import score as scored
from ..judging.prepare import PUBLIC_SEED, Prepared, numbers_in_bfloat16, prepare, prepare_compiled, rounded_to_bfloat16
from ..judging.verdict import Verdict
from ..runner.failure import Kind, describe
from ..runner.observe import Observation
from ..runner.translate import TARGETS
from ..runner.wall.printed import listening
from ..showing import card
from ..showing.markup import esc
from ..spec.catalogue import exercise_of, exercises
from ..spec.code.names import names_in
from ..spec.exercise import Arguments, Exercise
from . import progress, starters
from .live import ahead
from .live.elsewhere import elsewhere
from .live.line import Line, of_check, waiting
from .live.listener import Listener
from .live.printed import as_html, as_text

NOT_RIGHT = ("partial", "fail", "error", "timeout", "memory")


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
            return f"<div>{esc(self, 600)}</div>"
        if self.brief:
            return card.brief(self.verdict)
        return card.html(self.verdict) + as_html(self.verdict)

    def __str__(self) -> str:
        if self.verdict.status == "infra":
            return f"{self.verdict.note}."
        return card.text(self.verdict) + as_text(self.verdict)

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain data, the form of an exercise in results.json."""
        from ..grading.results import exercise_result

        return exercise_result(self.verdict)


def check(function: Callable[..., Any]) -> Score:
    """Check your `function` on every public case and return the points, which display as a card.

    Raises TypeError if it is not a function, and LookupError if no exercise has its name.
    """
    line = Line()
    score = score_of(function, line)
    line.clear()
    return score


def score_of(function: Callable[..., Any], line: Line, session: Container[str] = ()) -> Score:
    """The same, with the line below the cell left to be replaced by the card. session: names in it."""
    listener = Listener(exercise_of("check", function))
    with waiting(of_check(listener), line):
        verdict = verdict_of(function, listener=listener)
    if verdict.cases:
        _hold_to_its_cell(verdict, session)
        _point_at_earlier(verdict)
    progress.record(verdict)
    starters.keep(verdict)
    return Score(verdict)


def _hold_to_its_cell(verdict: Verdict, session: Container[str]) -> None:
    """Count it against an answer that it uses a name of another cell: a grade runs the exercise's cell alone."""
    if lent := elsewhere(verdict.exercise, verdict.source, session):
        verdict.over = [*lent, *verdict.over]
        verdict.status, verdict.points = scored(verdict.exercise, verdict.cases, verdict.over)


def _point_at_earlier(verdict: Verdict) -> None:
    """Say of a wrong answer that it calls an earlier one that is wrong, which may be all that is wrong here.

    The cause is left out then: it would accuse this answer. (A grade runs it again with the course's earlier one.)
    """
    if verdict.first_failure is None:
        return
    before, used = progress.read(), names_in(verdict.source)
    wrong = [n for n in exercises() if n in used - {verdict.name} and n in before and before[n].status in NOT_RIGHT]
    if wrong:
        verdict.note = f"It calls your {' and '.join(wrong)}, not right at the last check: mend that first."
        verdict.diagnosis = None


def verdict_of(
    function: Callable[..., Any], seed: str = PUBLIC_SEED, diagnosed: bool = True, listener: Listener | None = None
) -> Verdict:
    """The verdict on `function` for the exercise of its name, judged in this process. diagnosed: as for `judge`."""
    exercise = exercise_of("check", function)
    backend = backend_of(exercise)
    if why := backend.not_here(exercise):
        return Verdict(exercise, "infra", 0.0, note=why)

    heard = listener or Listener(exercise)
    if not exercise.engine.is_python:
        heard.doing = ahead.DOING
        ahead.wait()

    def drawn() -> tuple[list[Arguments], Arguments | None]:
        cases = [prepare(exercise.name, number, seed).arguments for number in range(len(exercise.cases))]
        again = numbers_in_bfloat16(exercise.name, seed)
        narrow = [rounded_to_bfloat16(exercise.name, number, seed) for number in again]
        launch = prepare_compiled(exercise.name, seed) if exercise.compiled else None
        return [*cases, *narrow], launch

    with backend.checking(exercise, function, drawn) as (begun, report):

        def call(prepared: Prepared, once: bool) -> Observation | str:
            with heard.call(prepared), listening() as prints:
                try:
                    seen = begun(prepared.arguments, once)
                except KeyboardInterrupt as stop:  # the learner wants the card and the line, not our traceback
                    seen = Observation(failure=replace(describe(stop), kind=Kind.INTERRUPTED))
            if isinstance(seen, Observation) and prints.printed.lines:  # else it may have run in a process of its own
                seen.printed = prints.printed
            return seen

        def compiled(arguments: Arguments) -> list[Compiled]:
            heard.doing = f"compiling for {' and '.join(TARGETS)}"
            return report(arguments)

        source = backend.source(exercise, function)
        text = _without_demos(exercise, source)
        verdict = judge(exercise, text, seed, call, compiled, diagnosed, heard.wrong)
    verdict.source = source
    return verdict


def _without_demos(exercise: Exercise, source: str) -> str:
    """The text to be judged: as a grade does, without what is forbidden in lines that the answer does not use."""
    if not asked_of_source(exercise, source):
        return source
    from ..grading.reading.idle import without_idle

    return without_idle(source, "", (), [exercise])[exercise.name][0]
