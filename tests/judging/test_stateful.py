"""Objects with a state: driven step by step, held against a model, their failures made short, graded as safely."""

import json
import zlib
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from autograder.authoring import prove
from autograder.backends import backend_of, function_from
from autograder.grading import grade, session
from autograder.grading.grade import grade_submission
from autograder.grading.reading import submission, surroundings
from autograder.grading.reading.files import Files
from autograder.grading.reading.submission import read_answers
from autograder.grading.reading.surroundings import setup_for
from autograder.judging.cases import judge_case, judge_played, judge_value
from autograder.judging.describe import describe_arguments
from autograder.judging.diagnosis.mistakes import mutate
from autograder.judging.points import SHARES
from autograder.judging.prepare import PUBLIC_SEED, prepare, prepare_arguments, prepare_case
from autograder.judging.shrink import shortest
from autograder.notebook.check import verdict_of
from autograder.runner.failure import Failure
from autograder.runner.observe import Observation, observe
from autograder.runner.play import Step
from autograder.showing.diff import against_course
from autograder.spec import catalogue
from autograder.spec.edits import Mutant, Swap
from autograder.spec.exercise import Case, Exercise, Output
from tests.grading.hostile.limits import LIMITS, SHORT, limits_for

# Whole systems, in which coverage takes as long again; tests of their parts cover them.
pytestmark = pytest.mark.no_cover


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
    cases=[Case("plain", "two numbers", plain), Case("refused", "more than fit", many)],
    mutants=[
        Mutant("length-stays", "the length is not moved on", Swap("self.n += len(x)", "self.n = len(x)"), "refused"),
        Mutant("sum-of-more", "one number too many", Swap("[: self.n].sum()", "[: self.n].sum() + 1"), "plain"),
        Mutant(
            "cut-off",
            "what does not fit is cut off",
            Swap('raise TallyFull("full")', "x = x[: len(self.buffer) - self.n]"),
            "refused",
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
    monkeypatch.setitem(catalogue.exercises(), "Tally", EXERCISE)
    lesson, lesson_of = catalogue.lesson_named("attention"), catalogue.lesson_of
    for module in (surroundings, session):
        monkeypatch.setattr(
            module, "lesson_of", lambda exercise: lesson if exercise is EXERCISE else lesson_of(exercise)
        )


def changed(old, new):
    return function_from(EXERCISE, EXERCISE.source.replace(old, new), "changed")


def test_the_course_s_own_passes_and_is_proved():
    verdict = verdict_of(Tally)
    assert verdict.status == "pass" and verdict.points == 2 and against_course(verdict) == []
    for proof in (prove._solution, prove._starter, prove._mutants, prove._trivial_answers):
        assert list(proof(EXERCISE)) == []


def test_the_starter_is_not_attempted():
    starter = function_from(EXERCISE, EXERCISE.starter, "starter")
    assert (
        verdict_of(starter).status == "not_attempted"
        and not backend_of(EXERCISE).attempted(EXERCISE, starter)
        and backend_of(EXERCISE).attempted(EXERCISE, Tally)
    )


def test_a_class_of_which_a_part_is_written_names_what_is_missing():
    written = "return self.buffer[: self.n].sum()"
    half = EXERCISE.starter.replace("raise NotImplementedError", "self.buffer, self.n = torch.zeros(capacity), 0", 1)
    assert half.count("NotImplementedError") == 2 and written not in half
    verdict = verdict_of(function_from(EXERCISE, half, "half"))
    assert (verdict.status, verdict.points) == ("not_attempted", 0)
    assert verdict.note == "A part of append and of total is not written yet."


@pytest.mark.parametrize("nothing", ["...", "pass", "raise NotImplementedError"])
def test_a_hole_is_one_whatever_stands_in_it(nothing):
    half = EXERCISE.source.replace("return self.buffer[: self.n].sum()", nothing)
    assert half != EXERCISE.source
    verdict = verdict_of(function_from(EXERCISE, half, "half"))
    assert (verdict.status, verdict.note) == ("not_attempted", "A part of total is not written yet.")


def test_what_goes_wrong_before_a_hole_is_shown():
    wrong = EXERCISE.source.replace("return self.buffer[: self.n].sum()", "...").replace("self.n += len(x)", "return x")
    assert "append, has returned 1 value" in verdict_of(function_from(EXERCISE, wrong, "wrong")).first_failure.message


def test_a_view_is_judged_as_it_was_when_it_was_returned():
    """A method may return a view of its buffer, which later operations overwrite, and nobody counts the copy."""
    view = EXERCISE.source.replace("return self.buffer[: self.n].sum()", "return self.last()")
    view += """
    def last(self):
        if not hasattr(self, "sums"):
            self.sums = torch.zeros(1)
        self.sums[0] = self.buffer[: self.n].sum()
        return self.sums[0]
"""
    assert verdict_of(function_from(EXERCISE, view, "view")).status == "pass"
    seen = observe(
        function_from(EXERCISE, view, "view"),
        {"init": {"capacity": 10**6}, "steps": [("total", {})] * 9, "errors": ()},
        "torch",
        once=True,
    )
    assert seen.failure is None and 4 * 10**6 <= seen.counts["peak_bytes"] < 5 * 10**6


def test_one_value_in_place_of_several_is_told_how_to_return_them():
    failed = verdict_of(changed("return self.n", "return self.n, 0, 0")).first_failure
    assert failed.message == "operation 1, length, has returned 3 values; it should have returned 1 value"
    want = [SimpleNamespace(truth=np.array(2), output=SimpleNamespace(name="length"))]
    prepared: Any = SimpleNamespace(steps=[("length", {})], returns=[2], expected=want, arguments={"errors": ()})
    (said,) = judge_played([np.array(1)], prepared)
    assert said.message.endswith("has returned 1 value; it should have returned 2 values, as a list or a tuple")


def test_of_many_operations_the_last_are_shown():
    x = np.zeros(3, np.float32)
    steps = [("append", {"x": x})] * 40 + [("total", {})]
    said = describe_arguments({"init": {"capacity": 8}, "steps": steps})
    assert said.startswith("made with capacity=8; 3") and " earlier operations; append(x: (3,) float32); " in said
    assert said.endswith("; total()") and len(said) <= 300
    few = describe_arguments({"init": {"capacity": 8}, "steps": steps[-2:]})
    assert few == "made with capacity=8; append(x: (3,) float32); total()"


def test_a_failure_is_shown_with_the_fewest_operations():
    failed = verdict_of(mutate(EXERCISE, EXERCISE.mutants[0])).first_failure
    assert failed.arguments == "made with capacity=8; append(x: (3,) float32); append(x: (3,) float32); length()"
    assert failed.message == "operation 3, length: length is 3; expected 6"
    verdict = verdict_of(mutate(EXERCISE, EXERCISE.mutants[0]))
    assert verdict.diagnosis.mutant == "the length is not moved on"


def test_an_error_that_should_come_and_does_not():
    failed = verdict_of(changed("if self.n + len(x) > len(self.buffer):", "if False:")).first_failure
    assert failed.failure.step == 3 and failed.message.startswith("RuntimeError in operation 3: ")
    assert failed.message.endswith("; it should have raised TallyFull")
    failed = verdict_of(mutate(EXERCISE, EXERCISE.mutants[2])).first_failure
    assert failed.message == "operation 3, append, has returned nothing; it should have raised TallyFull"


def test_an_error_that_should_not_come():
    failed = verdict_of(changed("> len(self.buffer)", "> 1")).first_failure
    said = "operation 1, append, has raised TallyFull; it should have returned nothing"
    assert failed.message == said + ' (line 13, in append: raise TallyFull("full"))'
    assert failed.arguments == "made with capacity=8; append(x: (2,) float32)"


def test_the_first_step_that_goes_wrong_is_shown_and_not_the_crash_that_follows_from_it():
    """Step 3, which is shown as step 2, is refused where it should not be; the second total, in step 7, crashes."""
    looks = "self.looks = getattr(self, 'looks', 0) + 1\n        assert self.n != 3 or self.looks < 2\n        "
    early = EXERCISE.source.replace("> len(self.buffer)", "> 5").replace("return self.b", f"{looks}return self.b")
    crashes = function_from(EXERCISE, early, "crashes")
    seen = observe(crashes, many(np.random.default_rng(0)) | {"errors": ("TallyFull",)}, "torch")
    assert (seen.failure.kind, seen.failure.step) == ("AssertionError", 7)
    failed = verdict_of(crashes).first_failure
    assert failed.message.startswith(
        "operation 2, append, has raised TallyFull; it should have returned nothing (line "
    )


def test_a_step_that_returns_too_much_or_the_wrong_thing():
    failed = verdict_of(changed("return self.n", "return self.n, 1")).first_failure
    assert "it should have returned 1 value" in failed.message
    failed = verdict_of(changed("self.n += len(x)", "self.n += len(y)")).first_failure
    assert failed.message == "NameError in operation 1: name 'y' is not defined" and failed.failure.function == "append"


def test_the_source_of_a_class_keeps_its_lines():
    lines = backend_of(EXERCISE).source(EXERCISE, Tally).splitlines()
    assert "class Tally:" in lines and lines.index("class Tally:") > 10


META = "class M(type):\n    def __call__(*a, **k):\n        return 7\n"
CLASSES = {
    "right": ("pass", 2, EXERCISE.source),
    "wrong": ("fail", 0, EXERCISE.source.replace("self.n += len(x)", "self.n = len(x)")),
    "a function": ("error", 0, "def Tally(*args, **kwargs):\n    return 1\n"),
    "endless": ("timeout", 0, EXERCISE.source.replace("self.n += len(x)", "while True: pass")),
    "ends": ("error", 0, EXERCISE.source.replace("self.n += len(x)", "import os; os._exit(0)")),
    "a metaclass": ("error", 0, META + EXERCISE.source.replace("Tally:", "Tally(metaclass=M):")),
}


@pytest.mark.parametrize("name", CLASSES)
def test_the_official_grade(name):
    status, points, source = CLASSES[name]
    files = (("tally.py", (MODULE + source).encode()),)
    answers = read_answers(Files("s", files))
    (result,) = grade_submission(answers, ["Tally"], "secret", limits_for(status))["exercises"]
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


def test_what_needs_many_operations_is_shown_with_few():
    """Longer than there are tries: whole methods and halves are left out before single steps."""
    steps: list[Step] = 60 * [added(np.random.default_rng(0), 1), ("total", {}), ("length", {})]
    prepared = prepare_arguments(EXERCISE, EXERCISE.cases[1], {"init": {"capacity": 60}, "steps": steps})
    wrong = changed("return self.n", "return min(self.n, 3)")

    def call(prepared, once):
        return observe(wrong, prepared.arguments, "torch", once)

    found = shortest(EXERCISE, prepared, judge_case(EXERCISE, prepared, call(prepared, False)), call)
    assert found.arguments == "made with capacity=60; " + 4 * "append(x: (1,) float32); " + "length()"
    assert found.message == "operation 5, length: length is 3; expected 4"


def test_shortening_comes_to_an_end(monkeypatch):
    """A slow object, or one that kills its process, must not cost the grader its own time over and over again."""
    whole = verdict_of(mutate(EXERCISE, EXERCISE.mutants[0])).cases[1]
    prepared = prepare("Tally", 1, PUBLIC_SEED)
    calls, now = [], iter(range(0, 1000, 4))
    monkeypatch.setattr("autograder.judging.shrink.time", SimpleNamespace(monotonic=lambda: next(now)))

    def call(prepared, once):
        calls.append(prepared)
        return observe(Tally, prepared.arguments, "torch", once)  # right, which is not what is looked for

    assert shortest(EXERCISE, prepared, whole, call) is whole
    assert len(calls) == 2  # after 4 and 8 of the 10 seconds
    ended = Observation(failure=Failure("ProcessEnded", ""))
    assert shortest(EXERCISE, prepared, whole, lambda *given: calls.append(given) or ended) is whole
    assert len(calls) == 3


# Hostile answers to the course's own exercises, behind the wall. What they share with functions stands in hostile.py.

LOOK = """
def look():
    import gc, importlib, sys
    course = {n: m for n, m in sys.modules.items() if n.startswith(("autograder", "kernels"))}
    found = [n for n, m in course.items() if getattr(m, "__file__", None)]  # others are folders without a file
    for name in ("kernels.kv_cache", "autograder.exercises.kv_cache", "autograder.judging.prepare"):
        try:
            found.append(importlib.import_module(name).__name__)
        except (ImportError, OSError):  # out of sight, or behind the wall
            pass
    found += [type(x).__name__ for x in gc.get_objects() if type(x).__name__ in ("Tokens", "Prepared", "Expected")]
    frame = sys._getframe()
    while frame:
        found += [name for name in frame.f_locals if name in ("expected", "truth", "oracle", "prepared", "seed")]
        frame = frame.f_back
    return found or "nothing"
"""
LIES = "__eq__ = __le__ = __float__ = lambda *a: True"
PATCH = """self.length = 0
        for name in ("equal", "allclose", "isclose"):
            setattr(torch, name, lambda *a, **k: True)
        torch.testing.assert_close = lambda *a, **k: None
        torch.Tensor.__sub__ = lambda a, b: torch.zeros(())
"""
BEGIN, STOP = "self.length = 0\n", "stop = self.length + k.shape[2]\n"
READ = "return self.k[:, :, : self.length], self.v[:, :, : self.length]"
COUNTS = "return torch.tensor(self.holders)"
ENDED = "the process ended before it gave an answer"
CASES = len(catalogue.exercise_named("KVCache").cases)


@dataclass(frozen=True)
class Hostile:
    """The course's answer with edits (old, new), and with the lines `before` in front of it."""

    name: str
    status: str
    passed: int  # cases
    said: str  # stands in the message of the case that is shown
    edits: list[tuple[str, str]]
    before: str = ""
    exercise: str = "KVCache"


TABLE = [
    Hostile(
        "looks", "error", 0, "RuntimeError in operation 1: nothing", [(STOP, "raise RuntimeError(look())\n")], LOOK
    ),
    # What is returned.
    Hostile(
        "lying tensor",
        "error",
        0,
        "contents returned an object of type Liar; expected tensors or numbers",
        [(READ, "return self.k.as_subclass(Liar), self.v.as_subclass(Liar)")],
        f"class Liar(torch.Tensor):\n    {LIES}",
    ),
    Hostile(
        "lying object",
        "error",
        0,
        "in operation 1: counts returned an object of type Liar",
        [(COUNTS, "return Liar()")],
        f"class Liar:\n    {LIES}\n    shape, __array__ = (4,), lambda *a: 1 / 0",
        "BlockAllocator",
    ),
    Hostile(
        "claims to be torch's",
        "error",
        0,
        "of type Tensor; expected a torch tensor",
        [(COUNTS, "return Tensor_()")],
        "Tensor_ = type('Tensor', (), {'__module__': 'torch', 'shape': (4,), '__array__': lambda *a: 1 / 0})",
        "BlockAllocator",
    ),
    Hostile("generator", "error", 0, "contents returned an object of type generator", [(READ, "yield from (self.k,)")]),
    Hostile("huge list", "error", 0, "contents returned 1000000 values", [(READ, "return [0] * 1_000_000")]),
    Hostile(
        "huge tensor",
        "memory",
        0,
        "more than there is",
        [(READ, "return self.k[0, 0, 0, 0].expand(1 << 40), self.v")],
    ),
    # What is raised.
    Hostile(
        "refuses what fits",
        "fail",
        0,
        "operation 1, append, has raised CacheFull; it should have returned nothing",
        [("if stop > self.k.shape[2]:", "if True:")],
    ),
    Hostile(
        "own error of that name",
        "flagged",
        CASES,
        "",
        [("raise CacheFull(", "raise type('CacheFull', (OSError,), {})(")],
    ),
    Hostile(
        "no exception", "error", 0, "Rude in operation 1", [(STOP, "raise Rude\n")], "class Rude(BaseException): pass"
    ),
    Hostile(
        "error that cannot be marked",
        "error",
        0,
        "Shut: (the exception's own message could not be read)",
        [(STOP, "raise Shut\n")],
        "class Shut(Exception):\n    def __setattr__(self, *a): raise self\n    __str__ = __setattr__",
    ),
    Hostile("leaves", "error", 0, "SystemExit in operation 1: 0", [(STOP, "raise SystemExit(0)\n")]),
    Hostile(
        "ends its process in the third case",
        "flagged",
        CASES - 1,
        ENDED,
        [(STOP, STOP + "        if self.k.shape[2] == 12: os._exit(0)\n")],
        "import os",
    ),
    # What takes time or memory.
    Hostile(
        "endless in the third case",
        "partial",
        2,
        "did not finish in time",
        [(STOP, STOP + "        while self.k.shape[2] == 12: pass\n")],
    ),
    Hostile(
        "keeps everything",
        "memory",
        0,
        "more than there is",
        [(STOP, STOP + "        while True: KEPT.append(torch.ones(1 << 22))\n")],
        "KEPT = []",
    ),
    # What is kept from one case to the next.
    Hostile(
        "right once",
        "fail",
        2,
        "has returned 1 value; it should have returned 2 values",
        [(BEGIN, "MADE.append(self)\n        self.length = 0\n"), (READ, f"return ({READ[7:]})[len(MADE) > 2 :]")],
        "MADE = []",
    ),
    Hostile(
        "wrong in the third case, whatever that is",
        "partial",
        CASES - 1,
        "has returned 1 value; it should have returned 2 values",
        [(BEGIN, "MADE.append(self)\n        self.length = 0\n"), (READ, f"return ({READ[7:]})[len(MADE) == 6 :]")],
        "MADE = []",
    ),
    # What is done to torch.
    Hostile("patches torch, right", "flagged", CASES, "", [(BEGIN, PATCH)]),
    Hostile(
        "patches torch, wrong",
        "fail",
        0,
        "is 0; expected",
        [(BEGIN, PATCH), (READ, READ.replace("self.k[", "0 * self.k.abs()["))],
    ),
    Hostile(  # each new process does one call
        "takes torch from the runner",
        "flagged",
        (CASES + 1) // 2,
        ENDED,
        [(BEGIN, BEGIN + "        torch.from_numpy = None\n")],
    ),
]


def real(name):
    if name not in catalogue.exercises():
        pytest.skip("Triton is not installed on this machine")
    return catalogue.exercise_named(name)


def graded(name, source, limits=LIMITS):
    """The verdict on a module that begins with the setup of its lesson."""
    setup = setup_for(real(name))
    files = (("mine.py", f"{setup}\n\n\n{source}".encode()),)
    ((verdict,), _) = grade.verdicts_for(read_answers(Files("s", files)), [name], "secret", limits)
    return verdict


@pytest.mark.parametrize("hostile", TABLE, ids=lambda h: h.name)
def test_a_hostile_object_gets_what_it_deserves(hostile):
    exercise = real(hostile.exercise)
    source = exercise.source
    for old, new in hostile.edits:
        assert source.count(old) == 1
        source = source.replace(old, new)
    limits = SHORT if "endless" in hostile.name else LIMITS
    verdict = graded(exercise.name, f"{hostile.before}\n\n\n{source}", limits)
    assert (verdict.status, verdict.passed) == (hostile.status, hostile.passed), verdict
    most = {"pass": exercise.points, "partial": exercise.points * SHARES.wrong}.get(hostile.status, 0)
    assert verdict.points <= most and bool(verdict.points) == bool(most)
    said = verdict.first_failure.message if verdict.first_failure else ""
    assert hostile.said in said and "\n" not in said and len(said) <= 220


def recalled(name):
    """A class that computes nothing: it answers the public cases, one after another, from memory."""
    recorded = []
    for index in range(len(real(name).cases)):
        prepared, answers, at = prepare(name, index, PUBLIC_SEED), [], 0
        for count in prepared.returns:
            code = int(prepared.expected[at].truth)
            error = prepared.arguments["errors"][-1 - code] if code < 0 else ""
            values = [want.truth.astype(want.dtype) for want in prepared.expected[at + 1 : at + 1 + count]]
            answers.append([error, [(value.dtype.name, value.shape, value.tolist()) for value in values]])
            at += 1 + count
        recorded.append(zlib.compress(json.dumps(answers).encode()))
    # A second object is driven in turns with the first, but where memory is metered.
    made = [index for index, case in enumerate(real(name).cases) for _ in range(1 if case.budget else 2)]
    return f"""import json, zlib

RECORDED = [json.loads(zlib.decompress(answers)) for answers in {recorded!r}]
MADE = []


def tensor(dtype, shape, numbers):
    return torch.tensor(numbers, dtype=getattr(torch, dtype)).reshape(shape)


class {name}:
    def __init__(self, **given):
        self.case, self.step = {made}[len(MADE) % {len(made)}], -1
        MADE.append(self)

    def answer(self, **given):
        self.step += 1
        error, values = RECORDED[self.case][self.step]
        if error:
            raise type(error, (Exception,), {{}})
        return [tensor(*value) for value in values]

    def __getattr__(self, method):
        return self.answer
"""


WITH_METHODS = [exercise.name for exercise in catalogue.exercises().values() if exercise.methods]


@pytest.mark.parametrize("name", ["KVCache", "BlockAllocator"])
def test_what_is_remembered_of_the_public_cases_earns_nothing(name, monkeypatch):
    """Already the first case, without which there are no points, has other answers under another seed: of all classes
    the next test says so, and these two go the whole way.
    """
    monkeypatch.setattr(submission, "MAX_SOURCE", 1 << 20)
    alone = function_from(real(name), recalled(name), "recalled")
    if name != "KVCache":  # which asks for views of its own memory, and nothing remembered is one
        assert {case.status for case in verdict_of(alone).cases} == {"pass"}
    verdict = graded(name, recalled(name))
    assert (verdict.status, verdict.passed, verdict.points) == ("fail", 0, 0), verdict


@pytest.mark.parametrize("name", WITH_METHODS)
def test_every_case_has_other_answers_under_another_seed(name, monkeypatch):
    for runs in ("FEW_RUNS", "MANY_RUNS"):  # which make a bound exact; here answers lie far outside of any
        monkeypatch.setattr(f"autograder.judging.prepare.{runs}", 1)
    for case in real(name).cases:
        public, other = (prepare_case(real(name), case, seed) for seed in (PUBLIC_SEED, "secret"))
        remembered = [want.truth.astype(want.dtype) for want in public.expected]
        assert not all(comparison.ok for comparison in judge_value(remembered, other)), case.key
