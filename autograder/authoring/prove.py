"""The author's proof: what must be true of every exercise and lesson before it is released.

Each function yields the problems it finds as sentences; no sentence means proved.
"""

from __future__ import annotations

import functools
import inspect
import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ..backends import backend_of, function_from
from ..judging.cases import judge_case
from ..judging.diagnose import mutant_observation, mutate
from ..judging.judge import judge
from ..judging.prepare import PUBLIC_SEED, Prepared, prepare
from ..judging.verdict import FAULTS, Verdict
from ..notebook.check import verdict_of
from ..runner.arrays import Stream
from ..runner.observe import Observation
from ..spec.catalogue import Lesson, lesson_named, lessons
from ..spec.exercise import A_KEY, KEY, REGIMES, Exercise
from ..spec.folders import LESSONS, ROOT
from ..spec.starter import open_holes
from ..spec.user_error import UserError
from .faults import faults

Notebook = Any  # nbformat's, which only the checks of lessons need
SEEDS = [PUBLIC_SEED, *map(str, range(20))]  # the tolerance has to hold over these
FEWEST_MUTANTS, FEWEST_FOR_THE_SMALLEST = 5, 3
LARGEST_SOLVED = 500_000  # bytes
ACCURACY_LOST = "float16"
UNWRITTEN = "TODO"  # what `tilewise new` leaves for the author


def prove(names: Sequence[str] = ()) -> Iterator[str]:
    """All problems of the named lessons (of all, with none named)."""
    for lesson in map(lesson_named, names) if names else lessons():
        if wrong := faults(lesson):
            yield from wrong
            continue
        for exercise in lesson.exercises:
            for problem in exercise_problems(exercise, lesson):
                yield f"{exercise.name}: {problem}"
        for problem in lesson_problems(lesson):
            yield f"{lesson.stem}: {problem}"


def exercise_problems(exercise: Exercise, lesson: Lesson, diagnosed: int = 1) -> Iterator[str]:
    """What is wrong with one exercise. Every mutant must die; every `diagnosed`-th one must also be diagnosed."""
    yield from _form(exercise, lesson)
    yield from _solution(exercise)
    yield from _starter(exercise)
    yield from _trivial_answers(exercise)
    yield from _lower_precision(exercise)
    yield from _mutants(exercise, diagnosed)


def lesson_problems(lesson: Lesson) -> Iterator[str]:
    """What is wrong with a lesson's files."""
    from ..spec import notebook
    from .build import stale, student_notebook

    names = [q.name for q in lesson.questions]
    asked = list(notebook.question_cells(student_notebook(lesson)))
    given = notebook.exercise_names(student_notebook(lesson))
    if given != [e.name for e in lesson.exercises]:
        yield f"its exercise cells are {given}, its exercises {[e.name for e in lesson.exercises]}"
    if sorted(asked) != sorted(names):
        yield f"it asks the questions {asked}, but answers {names}"
    if UNWRITTEN in lesson.source.read_text().replace("`TODO`", ""):
        yield f"its prose still says {UNWRITTEN}"
    for path in stale(lesson):
        yield f"{path.relative_to(ROOT)} is stale; run make build"
    if lesson.solved.exists() and lesson.solved.stat().st_size > LARGEST_SOLVED:
        yield f"{lesson.solved.relative_to(ROOT)} is larger than {LARGEST_SOLVED} bytes"
    for exercise in lesson.exercises:
        if any(_shows(path.read_text(), exercise) for path in LESSONS.glob(f"{lesson.stem}.*")):
            yield f"the solution of {exercise.name} is visible in lessons/"
    for output in notebook.outputs(_executed(student_notebook(lesson))):
        if output.output_type == "error":
            yield f"the untouched notebook raises {output.ename}: {output.evalue}"


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
    if any(UNWRITTEN in text for text in (*exercise.hints, *exercise.without.values(), *names)):
        yield f"still says {UNWRITTEN}"
    documented = inspect.getdoc(exercise.function) or ""
    for parameter in inspect.signature(exercise.function).parameters:
        if parameter not in documented:
            yield f"its docstring does not say what {parameter} is"
    if "Returns" not in documented or "(" not in documented:
        yield "its docstring does not state the shapes it takes and returns"


def _keys(keys: Sequence[str]) -> Iterator[str]:
    for key, count in Counter(keys).items():
        if not KEY.fullmatch(key):
            yield f"the key {key!r} is not {A_KEY}"
        if count > 1:
            yield f"{count} cases have the key {key!r}"


def _solution(exercise: Exercise) -> Iterator[str]:
    for seed in SEEDS:
        verdict = verdict_of(exercise.function, seed)
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
            if verdict_of(_answering(exercise, make)).points:
                yield f"earns points for answering with {label}"


def _answering(exercise: Exercise, make: Callable[..., Any]) -> Callable[..., Any]:
    """A function that knows the right shapes and answers with what `make` gives, whatever the case."""
    wanted = iter([prepare(exercise.name, i, PUBLIC_SEED).expected for i in range(len(exercise.cases))])

    @functools.wraps(exercise.function)
    def answer(**given: Any) -> Any:
        shapes = [e.truth.astype(e.dtype) for e in next(wanted)]
        outputs = make(shapes, next(iter(given.values())))
        if exercise.backend != "numpy":
            import torch

            outputs = [torch.from_numpy(x) if isinstance(x, np.ndarray) else x for x in outputs]
        return tuple(outputs) if len(outputs) > 1 else outputs[0]

    return answer


def _lower_precision(exercise: Exercise) -> Iterator[str]:
    """The solution on inputs rounded to float16, its result rounded likewise, must not pass (whole numbers may).

    What is float16 already is rounded to bfloat16.
    """
    if all(output.exact for output in exercise.outputs):
        return

    @functools.wraps(exercise.function)
    def rounded(**given: Any) -> Any:
        result = exercise.function(**{name: _rounded(value) for name, value in given.items()})
        return tuple(map(_rounded, result)) if isinstance(result, tuple) else _rounded(result)

    if verdict_of(rounded).status == "pass":
        yield "passes with inputs and outputs rounded to a lower precision"


def _rounded(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic) and value.dtype.kind == "f":
        return value.astype(ACCURACY_LOST).astype(value.dtype)
    if isinstance(value, Stream):
        return Stream([_rounded(item) for item in value.again()])
    if isinstance(value, (list, tuple)):
        return type(value)(map(_rounded, value))
    if hasattr(value, "is_floating_point") and value.is_floating_point():
        return (value.bfloat16() if str(value.dtype) == "torch.float16" else value.half()).to(value.dtype)
    return value


def _mutants(exercise: Exercise, diagnosed: int = 1) -> Iterator[str]:
    for number, mutant in enumerate(exercise.mutants):
        try:
            if number % diagnosed and _dies(exercise, number):
                continue
            verdict = _verdict_of_mutant(exercise, number)
        except (UserError, SyntaxError) as error:
            yield f"`{mutant.key}` does not apply: {error}"
            continue
        lost = {case.key for case in verdict.cases if case.status != "pass"}
        metered = {case.key for case in exercise.cases if case.budget} if verdict.over else set()
        if mutant.killed_by not in lost | metered:
            yield f"`{mutant.key}` survives the case `{mutant.killed_by}`"
        elif (
            lost
            and not _named_by_instruments(verdict)
            and (verdict.diagnosis is None or verdict.diagnosis.key != mutant.key)
        ):
            said = f"`{verdict.diagnosis.key}`" if verdict.diagnosis else "nothing"
            yield f"`{mutant.key}` is diagnosed as {said}"


def _dies(exercise: Exercise, number: int) -> bool:
    """Whether the mutant is wrong on the case that it names, which is all that is run."""
    mutant = exercise.mutants[number]
    mutate(exercise, mutant)  # raises where it does not apply
    index = [case.key for case in exercise.cases].index(mutant.killed_by)
    seen = mutant_observation(exercise.name, number, index, PUBLIC_SEED)
    return judge_case(exercise, prepare(exercise.name, index, PUBLIC_SEED), seen).status != "pass"


def _named_by_instruments(verdict: Verdict) -> bool:
    failed = verdict.first_failure
    return failed is not None and failed.failure is not None and failed.failure.kind in FAULTS


def _verdict_of_mutant(exercise: Exercise, number: int) -> Verdict:
    """The verdict from the observations that the diagnosis makes too, so that each mutant runs once."""
    mutant = exercise.mutants[number]
    source = exercise.with_mistake(mutant)
    keys = [case.key for case in exercise.cases]

    def call(prepared: Prepared, metered: bool) -> Observation | str:
        index = keys.index(prepared.case.key)
        if prepared is not prepare(exercise.name, index, PUBLIC_SEED):  # fewer operations of an object
            return backend_of(exercise).call(exercise, mutate(exercise, mutant), prepared.arguments, metered=False)
        return mutant_observation(exercise.name, number, index, PUBLIC_SEED)

    return judge(exercise, source, PUBLIC_SEED, call)


def _shows(text: str, exercise: Exercise) -> bool:
    """Whether two consecutive lines of the solution's body occur in a lesson's file."""
    hidden = set(_code_lines(exercise.source)) - set(_code_lines(exercise.starter))
    body = [line for line in _code_lines(exercise.source) if line in hidden]
    shown = [line.strip().strip('",').removesuffix("\\n").strip() for line in text.splitlines()]
    return not set(itertools.pairwise(body)).isdisjoint(itertools.pairwise(shown))


def _code_lines(source: str) -> list[str]:
    return [line.strip() for line in source.splitlines() if len(line.strip()) > 12]


def _executed(untouched: Notebook) -> Notebook:
    """The notebook after a run that does not stop at an error."""
    from .build import execute

    for cell in untouched.cells:
        cell.metadata.setdefault("tags", []).append("raises-exception")
    return execute(untouched)
