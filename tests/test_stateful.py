"""Objects with a state: driven step by step, held against a model, their failures made short, graded as safely."""

import json

import numpy as np
import pytest
import torch

from autograder import course, grade, prove, submission
from autograder.checker import source_of, verdict_of
from autograder.diff import against_course
from autograder.extension import attempted
from autograder.grade import grade_submission
from autograder.judge import shortest
from autograder.mutants import function_from, mutate
from autograder.prepare import PUBLIC_SEED, prepare
from autograder.spec import Case, Exercise, Mutant, Output
from autograder.submission import Submission


class TallyFull(RuntimeError):
    """The tally has no room."""


class Tally:
    """Numbers that add up. capacity: how many. Returns (n,) nothing."""

    def __init__(self, capacity):
        ### BEGIN SOLUTION
        self.buffer, self.n = torch.zeros(capacity), 0
        ### END SOLUTION

    def append(self, x):
        """Add the numbers x (n,). Raises TallyFull, and changes nothing, if they do not fit."""
        ### BEGIN SOLUTION
        if self.n + len(x) > len(self.buffer):
            raise TallyFull("full")
        self.buffer[self.n : self.n + len(x)] = x
        self.n += len(x)
        ### END SOLUTION

    def total(self):
        """Their sum ()."""
        ### BEGIN SOLUTION
        return self.buffer[: self.n].sum()
        ### END SOLUTION

    def length(self):
        """How many there are."""
        return self.n


class Model:
    def __init__(self, capacity):
        self.capacity, self.numbers = capacity, torch.zeros(0)

    def append(self, x):
        if len(self.numbers) + len(x) > self.capacity:
            raise TallyFull
        self.numbers = torch.cat([self.numbers.to(x.dtype), x])

    def total(self):
        return self.numbers.sum()

    def length(self):
        return len(self.numbers)


def added(rng, n):
    return "append", {"x": rng.standard_normal(n).astype(np.float32)}


def plain(rng):
    return {"init": {"capacity": 8}, "steps": [added(rng, 2), ("total", {})]}


def many(rng):
    steps = [added(rng, 3), ("total", {}), added(rng, 3), ("length", {}), added(rng, 4), ("length", {}), ("total", {})]
    return {"init": {"capacity": 8}, "steps": steps}


EXERCISE = Exercise(
    Tally,
    Model,
    cases=[Case("two numbers", plain), Case("more than fit", many)],
    mutants=[
        Mutant("the length is not moved on", "self.n += len(x)", "self.n = len(x)", "more than fit"),
        Mutant("one number too many is summed", "[: self.n].sum()", "[: self.n].sum() + 1", "two numbers"),
        Mutant(
            "what does not fit is cut off",
            'raise TallyFull("full")',
            "x = x[: len(self.buffer) - self.n]",
            "more than fit",
        ),
    ],
    hints=["a", "b", "c"],
    outputs=(),
    points=2,
    backend="torch",
    methods={"append": (), "total": (Output("sum"),), "length": (Output("length", "int64", exact=True),)},
    errors=("TallyFull",),
)
MODULE = "import torch\n\n\nclass TallyFull(RuntimeError):\n    pass\n\n\n"


@pytest.fixture(autouse=True)
def _in_the_course(monkeypatch):
    monkeypatch.setitem(course.exercises(), "Tally", EXERCISE)
    lesson = course.lesson_named("attention")
    for module in (submission, grade):
        monkeypatch.setattr(module, "lesson_of", lambda exercise: lesson)
    submission._starters.cache_clear()
    yield
    submission._starters.cache_clear()


def changed(old, new):
    return function_from(EXERCISE, EXERCISE.source.replace(old, new), "changed")


def test_the_course_s_own_passes_and_is_proved():
    verdict = verdict_of(Tally)
    assert verdict.status == "pass" and verdict.points == 2 and against_course(verdict) == []
    for proof in (prove._solution, prove._starter, prove._mutants, prove._trivial_answers):
        assert list(proof(EXERCISE)) == []


def test_the_starter_is_not_attempted():
    starter = function_from(EXERCISE, EXERCISE.starter, "starter")
    assert verdict_of(starter).status == "not_attempted" and not attempted(starter) and attempted(Tally)


def test_a_failure_is_shown_with_the_fewest_operations():
    failed = verdict_of(mutate(EXERCISE, EXERCISE.mutants[0])).first_failure
    assert failed.arguments == "made with capacity=8; append(x: (3,) float32); append(x: (3,) float32); length()"
    assert failed.message == "length of step 3, length is 3; expected 6"
    verdict = verdict_of(mutate(EXERCISE, EXERCISE.mutants[0]))
    assert verdict.diagnosis.mutant == "the length is not moved on"


def test_an_error_that_should_come_and_does_not():
    failed = verdict_of(changed("if self.n + len(x) > len(self.buffer):", "if False:")).first_failure
    assert failed.failure.step == 3 and failed.message.startswith("RuntimeError in step 3: ")
    failed = verdict_of(mutate(EXERCISE, EXERCISE.mutants[2])).first_failure
    assert failed.message == "step 3, append, has returned nothing; it should have raised TallyFull"


def test_an_error_that_should_not_come():
    failed = verdict_of(changed("> len(self.buffer)", "> 1")).first_failure
    assert failed.message == "step 1, append, has raised TallyFull; it should have returned nothing"
    assert failed.arguments == "made with capacity=8; append(x: (2,) float32)"


def test_a_step_that_returns_too_much_or_the_wrong_thing():
    failed = verdict_of(changed("return self.n", "return self.n, 1")).first_failure
    assert "it should have returned 1 value" in failed.message
    failed = verdict_of(changed("self.n += len(x)", "self.n += len(y)")).first_failure
    assert failed.message == "NameError in step 1: name 'y' is not defined" and failed.failure.function == "append"


def test_the_source_of_a_class_keeps_its_lines():
    lines = source_of(Tally).splitlines()
    assert "class Tally:" in lines and lines.index("class Tally:") > 10


META = "class M(type):\n    def __call__(*a, **k):\n        return 7\n"
CLASSES = {
    "right": ("pass", 2, EXERCISE.source),
    "wrong": ("partial", 1, EXERCISE.source.replace("self.n += len(x)", "self.n = len(x)")),
    "a function": ("fail", 0, "def Tally(*args, **kwargs):\n    return 1\n"),
    "endless": ("timeout", 0, EXERCISE.source.replace("self.n += len(x)", "while True: pass")),
    "ends": ("error", 0, EXERCISE.source.replace("self.n += len(x)", "import os; os._exit(0)")),
    "a metaclass": ("error", 0, META + EXERCISE.source.replace("Tally:", "Tally(metaclass=M):")),
}


@pytest.mark.parametrize("name", CLASSES)
def test_the_official_grade(name):
    status, points, source = CLASSES[name]
    files = (("tally.py", (MODULE + source).encode()),)
    result = grade_submission(Submission("s", files), ["Tally"], "secret")["exercises"][0]
    assert (result["status"], result["points"]) == (status, points), json.dumps(result)[:1500]


def test_a_step_that_the_model_cannot_do_without_stays(monkeypatch):
    def needs_the_first(self, x):
        if not len(self.numbers) and len(x) == 3 and self.capacity == 8 and not hasattr(self, "begun"):
            self.begun = True
        self.numbers = torch.cat([self.numbers.to(x.dtype), x])

    def length(self):
        return {True: len(self.numbers)}[hasattr(self, "begun")]  # a KeyError without the first step

    monkeypatch.setattr(Model, "append", needs_the_first)
    monkeypatch.setattr(Model, "length", length)
    failed = verdict_of(changed("return self.n", "return self.n + 1")).first_failure
    assert failed.arguments == "made with capacity=8; append(x: (3,) float32); length()"


def test_a_try_that_runs_out_of_time_is_the_last():
    """An object that hangs only on the shorter sequences must not cost the grader a limit for each of them."""
    whole = verdict_of(mutate(EXERCISE, EXERCISE.mutants[0])).cases[1]
    calls = []
    prepared = prepare("Tally", 1, PUBLIC_SEED)
    assert shortest(EXERCISE, prepared, whole, lambda *given: calls.append(given) or "timeout") is whole
    assert len(calls) == 1
