"""The answers of one lesson in a confined child."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from simt import compiler
from simt.compiler import Library
from simt.errors import CompileError, CompilerTooSlow
from simt.source import Source

from ..backends import assembly
from ..backends.assembly import Compiled, Unfinished, assembled_all
from ..judging.prepare import Prepared
from ..processes.child_link import Child, Limits
from ..processes.helpers import SECONDS
from ..processes.sandbox import Sandbox
from ..processes.wall import around, best_level
from ..runner.failure import Failure, Kind, describe
from ..runner.no_triton import NeedsTriton
from ..runner.observe import Observation
from ..runner.protocol import ProtocolError, TooLarge
from ..runner.translate import TARGETS
from ..spec.catalogue import lesson_of
from ..spec.exercise import Arguments, Exercise
from ..spec.interpreter import has_triton
from ..spec.user_error import UserError
from .reading.submission import Answer
from .reading.surroundings import modules_for, texts_for

GRADIENTS = ("autograd", ".backward(")  # what code names that has torch differentiate
SMALL = 1 << 20  # bytes that every answer may have, and sixteen times what is expected

_local = threading.local()  # the sandboxes of each worker thread, so that torch is imported once and not per student


@dataclass
class Allowance:
    """What a submission may use, and how long its calls took: of the exercise at hand, and of all of them.

    ended: whether it may use nothing any more.
    """

    limits: Limits
    here: float = 0.0
    in_all: float = 0.0
    ended: bool = False
    child: Child | None = None

    def end(self) -> None:
        """From another thread: what runs is stopped, and nothing more is run; what is said of it means nothing."""
        self.ended = True
        if self.child:
            self.child.hang_up()

    def started(self, child: Child) -> Child:
        """The child that runs the submission from here on."""
        self.child = child
        if self.ended:  # meanwhile
            child.hang_up()
        return child

    @property
    def is_used_up(self) -> bool:
        too_long = self.here > self.limits.exercise_seconds or self.in_all > self.limits.submission_seconds
        return too_long or self.ended

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        begin, most = time.monotonic(), self.limits.seconds_now
        try:
            yield
        finally:
            took = min(time.monotonic() - begin, most)  # what is more is ours: we were stopped, or got no processor
            self.here, self.in_all = self.here + took, self.in_all + took


class Session:
    """The answers of one lesson in a child process, which is replaced when it dies or has to be stopped.

    A cell that does not run costs only the exercises that need it.
    """

    def __init__(self, sandbox: Sandbox, exercise: Exercise, answers: dict[str, Answer], allowance: Allowance):
        """allowance: that of the submission."""
        self.sandbox, self.exercise = sandbox, exercise
        self.allowance = allowance
        allowance.here = 0.0
        self.texts = texts_for(exercise, answers)
        self.cells = [*self.texts.ran]
        self.modules = modules_for(lesson_of(exercise), self.texts.imports)
        self.libraries: list[tuple[tuple[Library, Library], Mapping[str, int]]] = []
        self.broken: Observation | str | None = None  # why the exercise's own cell did not run to its end
        self.child: Child | None = None

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: Any) -> None:
        self._stop()

    def call(self, prepared: Prepared, once: bool) -> Observation | str:
        """Call the learner's function on a case: what was seen, or one of STOPPED."""
        try:
            if self.allowance.ended:
                return "out of time"
            if self.child is None:
                self._begin()
            if self.child is None:
                assert self.broken is not None
                return self.broken
            if self.allowance.is_used_up:
                return "out of time"
            with self.allowance.running():
                exercise, reply = self.exercise, SMALL + 16 * 8 * sum(e.truth.size for e in prepared.expected)
                seen = self.child.call(
                    exercise.name, prepared.arguments, exercise.backend, once, exercise.spied,
                    exercise.is_counted, reply,
                )  # fmt: skip
            if seen.failure and seen.failure.kind == NeedsTriton.__name__ and not has_triton():
                raise UserError(f"{self.exercise.name} uses Triton here, which is not installed on this machine")
            if seen.failure and seen.failure.kind == Kind.TIMEOUT:  # what it had begun stands half-way
                self._stop()
            # A cell counts of which only what the function does not need has failed.
            undefined = seen.failure is not None and seen.failure.kind in (Kind.NOT_DEFINED, NameError.__name__)
            return self.broken if undefined and self.broken else seen
        except (TimeoutError, EOFError, ProtocolError) as error:
            self._stop()
            return _stopped(error)

    def compiled(self, arguments: Arguments) -> list[Compiled]:
        """What Triton's compiler says of the kernels, in a child of its own. Raises Unfinished.

        It has its own time limit: how long a compiler works has nothing to do with how long a call may take.
        """
        sandbox = worker_sandbox(self.sandbox.level, compiles=True)
        child = self.allowance.started(sandbox.child(self.allowance.limits))
        child.deadline = time.monotonic() + SECONDS["compiles"]
        try:
            self._furnish(child)
            for label, source in self.cells:
                child.define(label, source)
            return assembled_all(child.translate(self.exercise.name, arguments), sandbox.level)
        except TimeoutError:
            failure = None
        except (EOFError, ProtocolError) as error:
            said = "the process ended before the compiler gave an answer: it may have aborted"
            failure = Failure(type(error).__name__, f"{said}, as over a block pointer in a while loop, or noinline")
        finally:
            worked = child.close()
        if not failure and worked >= assembly.SECONDS_OF_PROCESSOR:
            failure = Failure(TimeoutError.__name__, assembly.too_much("Triton's compiler"))
        if not failure:
            raise Unfinished("Triton's compiler", SECONDS["compiles"])
        return [Compiled(self.exercise.name, target, failure=failure) for target in TARGETS]

    def _begin(self) -> None:
        """Define the cells in a fresh child; a cell that has to be stopped is left out of the next child.

        Leaves no child if that is the exercise's own cell.
        """
        if not self.exercise.engine.is_python:
            return self._begin_with_kernel()
        while self.child is None and self.cells:
            differentiates = any(word in source for _, source in self.cells for word in GRADIENTS)
            self.child = self.allowance.started(self.sandbox.child(self.allowance.limits, differentiates))
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
        """Compile the kernel behind a wall and pass it to a fresh child. Raises MissingCompiler, Unfinished."""
        if not self.libraries and not self.broken:
            level, text = self.sandbox.level, self.cells[-1][1]
            for defines in self.exercise.builds:
                source = Source(self.exercise.name, text, tuple(defines.items()))
                try:
                    made = _built(source, level, True), _built(source, level, False)  # the first may have no end
                except CompilerTooSlow:
                    raise Unfinished("the C++ compiler", compiler.PATIENCE * compiler.SECONDS) from None
                except CompileError as error:
                    self.broken = Observation(failure=describe(error))
                    return
                self.libraries.append((made, defines))
        if not self.broken:
            self.child = self.allowance.started(self.sandbox.child(self.allowance.limits))
            self._furnish(self.child)
            beneath = compiler.runtime().read_bytes()
            for libraries, defines in self.libraries:
                self.child.launches(libraries, defines, beneath)

    def _furnish(self, child: Child) -> None:
        """Provide what an answer may build on: modules of the course that its lesson imports, and the setup cells."""
        for name, text in self.modules:
            child.provide(name, text)
        for label, source in self.texts.setup:
            child.define(label, source)

    def _stop(self) -> None:
        if self.child is not None:
            child, self.child = self.child, None
            child.close()


def _built(source: Source, level: str, watched: bool) -> Library:
    return compiler.build(source, watched, wall=lambda program, folder: around(program, folder, level))


def _stopped(error: Exception) -> Observation | str:
    if isinstance(error, TimeoutError):
        return "timeout"
    if isinstance(error, TooLarge):
        return Observation(failure=Failure(Kind.TOO_LARGE, f"{error} came back, many times what is expected"))
    if isinstance(error, ProtocolError):
        return "flagged"
    return Observation(failure=Failure(Kind.ENDED, "the process ended before it gave an answer"))


def worker_sandbox(level: str | None, compiles: bool = False) -> Sandbox:
    """This worker's sandbox, started when first needed; the one with Triton's compiler is separate."""
    open_ones: dict[tuple[str, bool], Sandbox] = _local.__dict__.setdefault("sandboxes", {})
    kind = level or best_level(), compiles
    if kind not in open_ones:
        open_ones[kind] = Sandbox(*kind)
    return open_ones[kind]


def discard_sandbox() -> None:
    for sandbox in _local.__dict__.pop("sandboxes", {}).values():
        sandbox.close()
