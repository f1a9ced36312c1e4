"""The official grade: one pure function from a submission to a result. Submitted code runs in a sandboxed child."""

from __future__ import annotations

import platform
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from simt import compiler
from simt.compiler import Library
from simt.errors import CompileError, MissingCompiler
from simt.source import Source

from .backend import has_triton
from .beside import SECONDS
from .compiled import Compiled, Unfinished, assembled_all
from .course import exercise_named, fingerprint, lesson_of, version
from .judge import ENDED, judge
from .mistake import Mistake
from .prepare import Prepared
from .reach import kernel_reaches_for, reaches_for
from .results import SCHEMA_VERSION, exercise_result, seed_id
from .runner.child import NOT_DEFINED
from .runner.compiler import TARGETS
from .runner.observe import Failure, Observation, describe
from .runner.protocol import ProtocolError
from .sandbox import Child, Limits, Sandbox, SandboxError, around, best_level
from .spec import Arguments, Exercise
from .submission import Answer, Submission, helpers_of, modules_for, setup_for
from .verdict import Verdict

ATTEMPTS = 3  # how often a failure of the grader itself is retried

_local = threading.local()  # sandboxes of each worker thread, so that torch is imported once and not for every student


def grade_submission(
    submission: Submission,
    exercise_names: Sequence[str],
    seed: str,
    limits: Limits | None = None,
    level: str | None = None,
) -> dict[str, Any]:
    """Grade one submission on the named exercises with inputs drawn from `seed`: the content of its results.json.

    limits: what submitted code may use. level: "bubblewrap" or "limits"; the best there is by default. Raises nothing:
    a failure of the grader itself gives the status "infra" to the exercises it hit.
    """
    verdicts, notes = verdicts_for(submission, exercise_names, seed, limits, level)
    return result_of(submission, verdicts, notes, seed, level or best_level())


def ungraded(submission: Submission, exercise_names: Sequence[str], seed: str, reason: str) -> dict[str, Any]:
    """The result of a submission that no worker could grade: "infra" everywhere, to be tried again."""
    note = f"the worker was lost ({reason})"
    verdicts = [Verdict(exercise_named(name), "infra", 0.0, note=note) for name in exercise_names]
    return result_of(submission, verdicts, [], seed, "none")


def result_of(
    submission: Submission, verdicts: Sequence[Verdict], notes: Sequence[str], seed: str, level: str
) -> dict[str, Any]:
    """The content of results.json for verdicts that were reached behind a sandbox of this `level`."""
    return {
        "schema": SCHEMA_VERSION,
        "course": {"name": "tilewise", "version": version(), "fingerprint": fingerprint()},
        "student": submission.student,
        "submission": {
            "hash": submission.hash,
            "files": [name for name, _ in sorted(submission.files)],
            "notes": list(notes),
        },
        "seed_id": seed_id(seed),
        "sandbox": level,
        "environment": environment(),
        "points": round(sum(v.points for v in verdicts), 4),
        "max_points": round(sum(v.max_points for v in verdicts), 4),
        "exercises": [exercise_result(v) for v in verdicts],
    }


def verdicts_for(
    submission: Submission,
    exercise_names: Sequence[str],
    seed: str,
    limits: Limits | None = None,
    level: str | None = None,
) -> tuple[list[Verdict], list[str]]:
    """The verdicts on the named exercises, in their order, and notes on what could not be read."""
    answers, notes = submission.answers()
    verdicts: dict[str, Verdict] = {}
    for name in exercise_names:
        exercise = exercise_named(name)
        if name not in answers:
            verdicts[name] = Verdict(exercise, "not_attempted", 0.0)
            continue
        verdicts[name] = _graded(exercise, answers, seed, limits, level)
        helpers = [h for h in helpers_of(name, answers) if h in verdicts and verdicts[h].status != "pass"]
        if helpers and verdicts[name].status not in ("pass", "infra"):
            verdicts[name] = _follow_through(exercise, answers, helpers, seed, limits, level, verdicts[name])
    return list(verdicts.values()), notes


def _follow_through(
    exercise: Exercise, answers: dict[str, Answer], helpers: list[str], seed: str, limits: Limits | None,
    level: str | None, own: Verdict,
) -> Verdict:  # fmt: skip
    """Grade again with the course's versions of the helpers that failed, so that their mistake is not counted twice."""
    file = answers[exercise.name].file
    mended = answers | {h: Answer(exercise_named(h).source, file) for h in helpers}
    again = _graded(exercise, mended, seed, limits, level)
    if again.points <= own.points:
        return own
    again.note = f"graded with the course's {' and '.join(helpers)}, because yours did not pass"
    return again


def _graded(
    exercise: Exercise, answers: dict[str, Answer], seed: str, limits: Limits | None, level: str | None
) -> Verdict:
    reason = ""
    for _ in range(ATTEMPTS):
        try:
            if exercise.backend == "cuda":
                compiler.compiler()  # where there is none, no sandbox has to be waited for
            sandbox = _sandbox(limits or Limits(), level)
            with Session(sandbox, exercise, answers) as session:
                compiled = session.compiled if exercise.compiled else None
                verdict = judge(exercise, answers[exercise.name].source, seed, session.call, compiled)
                return _set_aside(verdict, [source for _, source in session.ran])
        except (MissingCompiler, Mistake, Unfinished) as error:
            # Trying again now would end alike: something is not installed here, or a compiler does not come to an end.
            # Such an answer has broken no budget, since on a busy machine a right one looks the same. Nor does it go
            # unmeasured, for then hanging the compiler would earn what its refusal costs. It waits, without points, for
            # the next run or for a person.
            return Verdict(exercise, "infra", 0.0, note=str(error))
        except SandboxError as error:
            reason = str(error)
            _discard_sandbox()
        except Exception as error:  # a mistake of the checker's: one exercise waits for its repair, the others go on
            reason = f"the grader itself failed ({type(error).__name__}: {error})"
    return Verdict(exercise, "infra", 0.0, note=reason)


def _set_aside(verdict: Verdict, sources: Sequence[str]) -> Verdict:
    """The verdict, or no points for now if the code that earned them could have got at what counts its bytes."""
    reaches = kernel_reaches_for if verdict.exercise.backend == "cuda" else reaches_for
    reached = next(filter(None, map(reaches, sources)), None)
    if verdict.points and reached:
        verdict.status, verdict.points = "flagged", 0.0
        verdict.note = f"the code names {reached}, which no answer needs, so a person will look at it"
    return verdict


class Session:
    """The answers of one lesson in a child, which is replaced when it dies or has to be stopped.

    A cell that does not run costs only the exercises that need it.
    """

    def __init__(self, sandbox: Sandbox, exercise: Exercise, answers: dict[str, Answer]):
        self.sandbox, self.exercise = sandbox, exercise
        names = [h for h in helpers_of(exercise.name, answers) if h in answers] + [exercise.name]
        self.cells = [(name, answers[name].source) for name in names]
        self.ran = tuple(self.cells)
        self.setup = setup_for(exercise, answers[exercise.name])
        self.modules = modules_for(lesson_of(exercise))
        self.libraries: list[tuple[Library, Mapping[str, int]]] = []
        self.broken: Observation | str | None = None  # why the exercise's own cell could not be run to its end
        self.child: Child | None = None

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: Any) -> None:
        self._stop()

    def call(self, prepared: Prepared, metered: bool) -> Observation | str:
        """Call the learner's function on a case: what was seen, or "timeout" or "flagged"."""
        try:
            if self.child is None:
                self._begin()
            if self.child is None:
                assert self.broken is not None
                return self.broken
            seen = self.child.call(self.exercise.name, prepared.arguments, self.exercise.backend, metered)
            if seen.failure and seen.failure.kind == "NeedsTriton" and not has_triton():
                raise Mistake(f"{self.exercise.name} uses Triton here, which is not installed on this machine")
            # A cell that failed only after it had defined the function still counts.
            undefined = seen.failure is not None and seen.failure.kind == NOT_DEFINED
            return self.broken if undefined and self.broken else seen
        except (TimeoutError, EOFError, ProtocolError) as error:
            self._stop()
            return _stopped(error)

    def compiled(self, arguments: Arguments) -> list[Compiled]:
        """What Triton's compiler says of the kernels, in a child of its own. Raises Unfinished.

        It has a time limit of its own: how long a compiler works has nothing to do with how long a call may take.
        """
        sandbox = _sandbox(self.sandbox.limits, self.sandbox.level, compiles=True)
        child = sandbox.child()
        child.deadline = time.monotonic() + SECONDS["compiles"]
        try:
            self._furnish(child)
            for label, source in self.cells:
                child.define(label, source)
            return assembled_all(child.translate(self.exercise.name, arguments), sandbox.level)
        except TimeoutError:
            raise Unfinished("Triton's compiler", SECONDS["compiles"]) from None
        except (EOFError, ProtocolError) as error:
            failure = Failure(type(error).__name__, "the process ended before the compiler gave an answer")
            return [Compiled(self.exercise.name, target, failure=failure) for target in TARGETS]
        finally:
            child.close()

    def _begin(self) -> None:
        """Define the cells in a fresh child; one that has to be stopped is left out of the next child.

        Leaves no child if that one is the exercise's own cell.
        """
        if self.exercise.backend == "cuda":
            return self._begin_with_kernel()
        while self.child is None and self.cells:
            self.child = self.sandbox.child()
            self._furnish(self.child)
            for name, source in self.cells:
                try:
                    failure = self.child.define(name, source)
                except (TimeoutError, EOFError, ProtocolError) as error:
                    self._stop()
                    own = name == self.exercise.name
                    self.broken = _stopped(error) if own else None
                    self.cells = [] if own else [c for c in self.cells if c[0] != name]
                    break
                if failure and name == self.exercise.name:
                    self.broken = Observation(failure=failure)

    def _begin_with_kernel(self) -> None:
        """Compile the kernel behind a wall and hand it to a fresh child. Raises MissingCompiler, Unfinished."""
        if not self.libraries and not self.broken:
            level, text = self.sandbox.level, self.cells[-1][1]
            for defines in self.exercise.builds:
                source = Source(self.exercise.name, text, tuple(defines.items()))
                begin = time.monotonic()
                try:
                    made = compiler.build(
                        source, watched=True, wall=lambda program, folder: around(program, folder, level)
                    )
                except CompileError as error:
                    if time.monotonic() - begin > compiler.SECONDS:  # it was stopped, whatever it would have said
                        raise Unfinished("the C++ compiler", compiler.SECONDS) from None
                    self.broken = Observation(failure=describe(error))
                    return
                self.libraries.append((made, defines))
        if not self.broken:
            self.child = self.sandbox.child()
            self._furnish(self.child)
            beneath = compiler.runtime().read_bytes()
            for library, defines in self.libraries:
                self.child.launches(library, defines, beneath)

    def _furnish(self, child: Child) -> None:
        """What an answer may build on: earlier parts of the course that its lesson imports, and the setup cells."""
        for name, text in self.modules:
            child.provide(name, text)
        child.define("setup", self.setup)

    def _stop(self) -> None:
        if self.child is not None:
            child, self.child = self.child, None
            child.close()


def _stopped(error: Exception) -> Observation | str:
    if isinstance(error, TimeoutError):
        return "timeout"
    if isinstance(error, ProtocolError):
        return "flagged"
    return Observation(failure=Failure(ENDED, "the process ended before it gave an answer"))


def _sandbox(limits: Limits, level: str | None, compiles: bool = False) -> Sandbox:
    """This worker's sandbox, started when first needed; the one with Triton's compiler is another."""
    open_ones: dict[bool, Sandbox] = _local.__dict__.setdefault("sandboxes", {})
    current = open_ones.get(compiles)
    if current is None or current.limits != limits or (level and current.level != level):
        if current is not None:
            current.close()
        open_ones[compiles] = Sandbox(limits, level, compiles)
    return open_ones[compiles]


def _discard_sandbox() -> None:
    for sandbox in _local.__dict__.pop("sandboxes", {}).values():
        sandbox.close()


def environment() -> dict[str, str]:
    """The versions that a result depends on."""
    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "torch": torch.__version__,
        "machine": f"{platform.system()} {platform.machine()}",
        "backend": "gpu" if torch.cuda.is_available() else "cpu",
    }
