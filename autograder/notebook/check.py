"""check(f): judge a function in this process, with the public seed, and show its card."""

from __future__ import annotations

import functools
import inspect
import linecache
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ..backends.assembly import compile_here
from ..backends.cuda import CudaFunction, compile_for_gpus
from ..backends.observed import observed
from ..judging.judge import judge
from ..judging.prepare import PUBLIC_SEED, Prepared
from ..judging.verdict import Verdict
from ..processes.helpers import gpu_call, runs_cuda
from ..processes.portable import python_function
from ..runner.observe import Observation
from ..showing import card
from ..showing.markup import esc
from ..spec.catalogue import exercise_named, exercise_of, not_here
from ..spec.exercise import Arguments, Exercise
from . import progress as journal


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
    """Check your `function` on every public case and return the points, which show themselves as a card.

    Raises TypeError if it is not a function, and LookupError if no exercise has its name.
    """
    score = Score(verdict_of(function))
    journal.record(score.verdict)
    return score


def verdict_of(function: Callable[..., Any], seed: str = PUBLIC_SEED) -> Verdict:
    """The verdict on `function` for the exercise of its name, judged in this process."""
    exercise = exercise_of("check", function)
    if not_here(exercise):
        return Verdict(exercise, "infra", 0.0, note=not_here(exercise))

    def call(prepared: Prepared, metered: bool) -> Observation | str:
        try:
            seen = observed(exercise, function, prepared.arguments, metered)
            if exercise.backend != "cuda" or not runs_cuda() or not _is_kernel(exercise, function):
                return seen
            assert isinstance(seen, Observation)
            return _on_gpu(seen, exercise, source_of(function), prepared.arguments)
        except KeyboardInterrupt:  # the learner pressed stop: they want the card, not our traceback
            return "interrupted"

    source = source_of(function, [kernel.__name__ for kernel in exercise.kernels])
    if exercise.backend == "cuda":
        return judge(exercise, source, seed, call, lambda arguments: compile_for_gpus(exercise, source))
    return judge(exercise, source, seed, call, functools.partial(compile_here, function))


def _is_kernel(exercise: Exercise, function: Callable[..., Any]) -> bool:
    return isinstance(function, CudaFunction) or function is exercise.function


def _on_gpu(seen: Observation, exercise: Exercise, text: str, arguments: Arguments) -> Observation | str:
    """What a GPU makes of a CUDA kernel that did nothing wrong before the instruments (or had none to face)."""
    if seen.failure and seen.failure.kind != "MissingCompiler":
        return seen
    other = gpu_call(exercise.name, exercise.function.__module__, text, arguments)
    if isinstance(other, Observation):
        other.counts, other.lines = seen.counts, seen.lines
    return other


def source_of(function: Callable[..., Any], kernels: Sequence[str] = ()) -> str:
    """The learner's code with its own line numbers: the whole cell, or, in a module, the function and its kernels."""
    try:
        if exercise_named(function.__name__).backend == "cuda":
            return getattr(function, "text", exercise_named(function.__name__).source)
        inner: Any = inspect.unwrap(function)
        methods = vars(inner).values() if isinstance(inner, type) else [inner]
        filename = next(method for method in methods if inspect.isfunction(method)).__code__.co_filename
        if not Path(filename).exists():
            return "".join(linecache.getlines(filename))
        text: list[str] = []
        parts = [python_function(inner.__globals__.get(name)) for name in kernels]
        for lines, first in sorted((inspect.getsourcelines(f) for f in (*parts, inner) if f), key=lambda part: part[1]):
            text += [""] * (first - 1 - len(text)) + textwrap.dedent("".join(lines)).splitlines()
        return "\n".join(text)
    except (OSError, TypeError, AttributeError, StopIteration):
        return ""
