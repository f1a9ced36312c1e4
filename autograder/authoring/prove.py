"""The author's proof: what must be true of every exercise before it is released. Lessons: `prove_lesson`.

Each function yields the problems it finds as sentences; no sentence means proved.
"""

from __future__ import annotations

import functools
import inspect
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch.distributed as dist

from ..backends import backend_of, function_from
from ..judging.cases import judge_case
from ..judging.diagnosis.mistakes import mutant_observation, mutate
from ..judging.judge import judge
from ..judging.limits.budgets import over_budget
from ..judging.prepare import PUBLIC_SEED, Prepared, prepare
from ..judging.verdict import FAULTS, Verdict
from ..notebook import starters
from ..notebook.check import verdict_of
from ..runner.arrays import changed
from ..runner.observe import Observation
from ..spec.catalogue import Lesson, exercise_named, exercises
from ..spec.exercise import A_KEY, KEY, REGIMES, Exercise
from ..spec.starter import begun_by, open_holes, waiting
from ..spec.user_error import UserError
from .faults import faults
from .proof_cache import keeping, of_exercise

SEEDS = [PUBLIC_SEED, *map(str, range(20))]  # the tolerance has to hold over these
FEWEST_MUTANTS, FEWEST_FOR_THE_SMALLEST = 5, 3
ACCURACY_LOST = "float16"
SOURCES, FILES = "its sources", "its files"  # parts of a lesson that are no exercise


@dataclass(frozen=True)
class Extent:
    """How much is proved: over how many of SEEDS, and every how many-th mutant is told apart from the others, 0: none.

    To tell one apart all others are run.
    """

    seeds: int = len(SEEDS)
    diagnosed: int = 1

    def claim(self, exercise: Exercise) -> str:
        """What a proof of this extent says of the exercise."""
        return f"{exercise.name} is proved over {self.seeds} seeds, mutants diagnosed by steps of {self.diagnosed}"


WHOLE = Extent()
BRIEF = {"numpy": Extent(2, 10), "torch": Extent(1, 10), "ranks": Extent(1, 5)}  # where more is quickly proved


def brief(exercise: Exercise) -> Extent:
    """What the tests try, since the whole takes long."""
    return BRIEF.get(exercise.backend, Extent(1, 0))


def parts(lesson: Lesson) -> list[str]:
    """What of a lesson is proved by itself: each exercise, by its name, and its FILES; its SOURCES alone where these
    hold a fault.
    """
    return [SOURCES] if faults(lesson) else [*(exercise.name for exercise in lesson.exercises), FILES]


def part_problems(lesson: Lesson, part: str) -> Iterator[str]:
    """What is wrong with one of the lesson's `parts`."""
    if part == SOURCES:
        yield from faults(lesson)
    elif part == FILES:
        from . import prove_lesson  # it needs Jupyter, which is not there where only kernels are tried

        yield from (f"{lesson.stem}: {problem}" for problem in prove_lesson.lesson_problems(lesson))
    else:
        exercise = exercise_named(part)
        claims = [extent.claim(exercise) for extent in {WHOLE, brief(exercise)}]
        found = exercise_problems(exercise, lesson)
        yield from (f"{part}: {problem}" for problem in keeping(claims, of_exercise(exercise), found))


def exercise_problems(exercise: Exercise, lesson: Lesson, extent: Extent = WHOLE) -> Iterator[str]:
    """What is wrong with one exercise. Every mutant must die, those of `extent` also be diagnosed."""
    yield from _form(exercise, lesson)
    yield from _solution(exercise, SEEDS[: extent.seeds])
    yield from _starter(exercise)
    yield from _trivial_answers(exercise)
    yield from _lower_precision(exercise)
    yield from _mutants(exercise, extent.diagnosed)


def _form(exercise: Exercise, lesson: Lesson) -> Iterator[str]:
    fewest = FEWEST_FOR_THE_SMALLEST if exercise.points <= 1 else FEWEST_MUTANTS
    names = [case.name for case in exercise.cases]
    if len(exercise.mutants) < fewest:
        yield f"has {len(exercise.mutants)} mutants; needs {fewest}"
    if len(set(names)) != len(names):
        yield "two cases have the same name"
    yield from _keys([case.key for case in exercise.cases])
    covered = {regime for case in exercise.cases for regime in case.regimes}
    for regime, meaning in REGIMES.items():
        if regime not in covered and not exercise.without.get(regime):
            yield f"no case covers {regime!r} ({meaning}), and `without` gives no reason"
    for regime in {*covered, *exercise.without} - REGIMES.keys():
        yield f"{regime!r} is not a regime"
    documented = inspect.getdoc(exercise.function) or ""
    for parameter in inspect.signature(exercise.function).parameters:
        if parameter not in documented:
            yield f"its docstring does not say what {parameter} is"
    if "return" not in documented.lower() or "(" not in documented:
        yield "its docstring does not state the shapes it takes and returns"
    yield from _opening(exercise)


def _opening(exercise: Exercise) -> Iterator[str]:
    """The holes that open with an earlier answer: the exercise comes earlier, and what opens is not an attempt yet."""
    before = list(exercises())[: list(exercises()).index(exercise.name)]
    sources = [source[0] for source in begun_by(exercise.source) if source]
    for name in set(sources).difference(before):
        yield f"a hole begins with {name}, which is not an earlier exercise"
    if not sources or not set(sources) <= set(before):
        return
    answers = {name: exercise_named(name).answer for name in sources}
    opened, _ = starters.begun(exercise, exercise.starter, answers.get)
    if opened is None or waiting(opened, exercise.source):
        yield f"its holes do not open with {' and '.join(sources)}: there are no such holes, or no lines around them"
    elif not exercise.has_hole(opened):
        yield "what it opens with cannot be read, or has no open hole"


def _keys(keys: Sequence[str]) -> Iterator[str]:
    for key, count in Counter(keys).items():
        if not KEY.fullmatch(key):
            yield f"the key {key!r} is not {A_KEY}"
        if count > 1:
            yield f"{count} cases have the key {key!r}"


def _solution(exercise: Exercise, seeds: Sequence[str] = SEEDS) -> Iterator[str]:
    for seed in seeds:
        verdict = verdict_of(exercise.function, seed, diagnosed=False)
        if verdict.status != "pass":
            worst = verdict.first_failure
            why = f"{worst.key}: {worst.message}" if worst else verdict.over[0].message
            yield f"the solution does not pass with seed {seed} ({why})"
            return


def _starter(exercise: Exercise) -> Iterator[str]:
    text = exercise.starter
    verdict = verdict_of(function_from(exercise, text, label="starter"))
    wanted = verdict.status != "pass" if exercise.puzzle else verdict.status == "not_attempted"
    if not wanted or verdict.points or not (exercise.puzzle or exercise.has_hole(text) or open_holes(text)):
        yield f"the starter reads {verdict.status!r} and earns {verdict.points}; it should be 'not_attempted' and 0"


def _trivial_answers(exercise: Exercise) -> Iterator[str]:
    """Zeros, ones, NaN and the first input, in the right shapes: none may earn a point."""

    def constant(value: float) -> Callable[..., Any]:
        return lambda wanted, given: [np.full(w.shape, value).astype(w.dtype) for w in wanted]

    answers: dict[str, Callable[..., Any]] = {
        "zeros": constant(0), "ones": constant(1), "NaN": constant(np.nan), "-inf": constant(-np.inf),
        "the first input": lambda wanted, given: [given] * len(wanted),
    }  # fmt: skip
    for label, make in answers.items():
        with np.errstate(invalid="ignore"):
            if _earns_points(exercise, make):
                yield f"earns points for answering with {label}"


def _earns_points(exercise: Exercise, make: Callable[..., Any]) -> bool:
    """Whether a function earns points that knows the right shapes and answers with what `make` gives, in every case."""

    size, engine = len(exercise.outputs), exercise.engine

    def call(prepared: Prepared, once: bool) -> Observation | str:
        wanted = [e.truth.astype(e.dtype) for e in prepared.expected]

        @functools.wraps(exercise.function)
        def answer(**given: Any) -> Any:  # what it holds is weighed: neither the exercise nor the case
            outputs = engine.as_given(make(wanted, next(iter(given.values()))))
            if engine.has_ranks:
                outputs = outputs[size * dist.get_rank() :][:size]
            return tuple(outputs) if len(outputs) > 1 else outputs[0]

        return backend_of(exercise).call(exercise, answer, prepared.arguments, once)

    first = prepare(exercise.name, 0, PUBLIC_SEED)
    if judge_case(exercise, first, call(first, once=False)).status != "pass":
        return False  # as `points` has it: who misses the first case has none
    return judge(exercise, exercise.source, PUBLIC_SEED, call, diagnosed=False).points > 0


def _lower_precision(exercise: Exercise) -> Iterator[str]:
    """The solution on inputs rounded to float16, its result rounded likewise, must not pass (whole numbers may).

    What is float16 already is rounded to bfloat16.
    """
    if all(output.exact for output in exercise.outputs):
        return

    function = exercise.function

    @functools.wraps(function)
    def rounded(**given: Any) -> Any:
        return changed(function(**changed(given, _rounded)), _rounded)

    if all(is_right(exercise, rounded, index, PUBLIC_SEED) for index in range(len(exercise.cases))):
        yield "passes with inputs and outputs rounded to a lower precision"


def is_right(exercise: Exercise, function: Callable[..., Any], index: int, seed: str) -> bool:
    """Whether the function gives the right values on the case."""
    prepared = prepare(exercise.name, index, seed)
    seen = backend_of(exercise).call(exercise, function, prepared.arguments, once=False)
    return judge_case(exercise, prepared, seen).status == "pass"


def _rounded(value: Any) -> Any:
    """An array, a tensor or a number, in less than its precision."""
    if isinstance(value, np.ndarray | np.generic) and value.dtype.kind == "f":
        return value.astype(ACCURACY_LOST).astype(value.dtype)
    if hasattr(value, "is_floating_point") and value.is_floating_point():
        return (value.bfloat16() if str(value.dtype) == "torch.float16" else value.half()).to(value.dtype)
    return value


def _mutants(exercise: Exercise, diagnosed: int = 1) -> Iterator[str]:
    for number, mutant in enumerate(exercise.mutants):
        try:
            if (not diagnosed or number % diagnosed) and _dies(exercise, number):
                continue
            verdict = _verdict_of_mutant(exercise, number)
        except (UserError, SyntaxError) as error:
            yield f"`{mutant.key}` does not apply: {error}"
            continue
        lost = {case.key for case in verdict.cases if case.status != "pass"}
        bounded = {key for limit in verdict.over for key in limit.cases}
        if mutant.killed_by not in lost | bounded:
            yield f"`{mutant.key}` survives the case `{mutant.killed_by}`"
        elif lost and not _says_itself(verdict) and (verdict.diagnosis is None or verdict.diagnosis.key != mutant.key):
            said = f"`{verdict.diagnosis.key}`" if verdict.diagnosis else "nothing"
            yield f"`{mutant.key}` is diagnosed as {said}"


def _dies(exercise: Exercise, number: int) -> bool:
    """Whether the mutant is wrong, or over a budget, on the case that it names, which is all that is run."""
    mutant = exercise.mutants[number]
    source = exercise.with_mistake(mutant)  # raises where it does not apply
    index = [case.key for case in exercise.cases].index(mutant.killed_by)
    prepared = prepare(exercise.name, index, PUBLIC_SEED)
    seen = mutant_observation(exercise.name, mutant, index, PUBLIC_SEED)
    return judge_case(exercise, prepared, seen).status != "pass" or any(over_budget(exercise, prepared, seen, source))


def _says_itself(verdict: Verdict) -> bool:
    """Whether the first failure is a cause by itself: an instrument's, or right values with something else wrong."""
    failed = verdict.first_failure
    if failed is None or failed.failure is not None:
        return failed is not None and failed.failure is not None and failed.failure.kind in FAULTS
    return bool(failed.comparisons) and all(comparison.ok for comparison in failed.comparisons)


def _verdict_of_mutant(exercise: Exercise, number: int) -> Verdict:
    """The verdict from observations that are kept, so that each mutant runs once."""
    mutant = exercise.mutants[number]
    source = exercise.with_mistake(mutant)
    keys = [case.key for case in exercise.cases]

    def call(prepared: Prepared, once: bool) -> Observation | str:
        index = keys.index(prepared.case.key)
        if prepared is not prepare(exercise.name, index, PUBLIC_SEED):  # fewer operations of an object
            return backend_of(exercise).call(exercise, mutate(exercise, mutant), prepared.arguments, once=False)
        return mutant_observation(exercise.name, mutant, index, PUBLIC_SEED)

    return judge(exercise, source, PUBLIC_SEED, call)
