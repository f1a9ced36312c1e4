"""What runs the submissions of a class: threads here, or an executor of the instructor's own, which may do anything."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from typing import Any

from ..spec.user_error import UserError, kind_and_message

Call = tuple[Any, ...]  # a function and its arguments

ROUNDS = 3  # how often a call is handed out before it is given up
GIVEN_UP: list[Executor] = []  # by this process, since nothing came of them: what they run may never end
GOES_WRONG = (Exception, SystemExit)  # in a module or an executor that is not the course's


def maker_of_executors(spec: str) -> Callable[[int], Any]:
    """What makes the executor that `spec` names, when it is told how many workers there are to be.

    "local" means threads: a worker's time goes into its sandbox, which is a separate process, while inputs and oracles
    are computed once for all workers. MODULE:FUNCTION returns any concurrent.futures executor, so that a run can leave
    the machine. Raises UserError if there is none of that name.
    """
    if spec == "local":
        return lambda jobs: ThreadPoolExecutor(jobs, thread_name_prefix="grader")
    module, _, function = spec.partition(":")
    sys.path.insert(0, os.getcwd())
    try:
        found: Callable[[int], Any] = getattr(importlib.import_module(module), function)
    except GOES_WRONG as error:
        raise _failed(spec, error) from error
    return found


def made_by(make: Callable[[int], Any], spec: str, jobs: int) -> Executor:
    """Raises UserError if what `spec` names fails, or makes something else."""
    try:
        made = make(jobs)
    except GOES_WRONG as error:
        raise _failed(spec, error) from error
    if not isinstance(made, Executor):
        raise UserError(f"--executor {spec} made a {type(made).__name__}, not a concurrent.futures executor")
    return made


def _failed(spec: str, error: BaseException) -> UserError:
    return UserError(f"--executor {spec} failed ({kind_and_message(error)}); give local, or MODULE:FUNCTION")


class Lost(Exception):
    """A call has no result that can be used; the message says why, and what to do."""


class _Refused(Lost):
    """By the executor, which may take no more work."""


class _Broken(Lost):
    """The executor is, and all that it had."""


class Workers:
    """An executor, and another of the same making where it breaks or takes no more work.

    make: makes the other one; without it there is none.
    """

    def __init__(self, executor: Executor, make: Callable[[], Executor] | None = None) -> None:
        self.executor, self.make, self.is_silent = executor, make, False

    def outcomes(
        self, calls: Sequence[Call], patience: float, accept: Callable[[int, Any], Any]
    ) -> Iterator[tuple[int, Any]]:
        """Each call's number, and what `accept` makes of it and of its result, or a Lost, as they become known.

        What is lost, which `accept` too may raise, is handed out again, three times in all. Where a call breaks the
        executor, as a worker that dies breaks a pool of processes, all that were under way are lost with it: they are
        handed out again in two halves, each to a new executor, until that call is alone. All that is left is lost if
        nothing comes for `patience` seconds, or if no executor does anything but break.
        """
        waiting = [[*range(len(calls))]] if calls else []
        tries, died_alone, is_any_done = Counter[int](), 0, False
        while waiting:
            group, lost, broken = waiting.pop(), dict[int, Lost](), dict[int, Lost]()
            for i, future in self._handed_out({i: calls[i] for i in group}, patience):
                try:
                    done = accept(i, self._given(future))
                except Lost as error:
                    (broken if isinstance(error, _Broken) else lost)[i] = error
                else:
                    is_any_done = True
                    yield i, done
            tries.update(lost.keys())
            last = {i: error for i, error in lost.items() if tries[i] == ROUNDS or self.is_silent}
            waiting[:0] = [again] if (again := [i for i in lost if i not in last]) else []
            if [*broken] == group and len(group) == 1:
                last |= broken
                died_alone += 1
            elif broken:
                waiting += _halves([*broken])
            if broken or any(isinstance(error, _Refused) for error in lost.values()):
                self._renew()
            yield from last.items()
            if self.is_silent or (died_alone == ROUNDS and not is_any_done):
                yield from ((i, next(iter(last.values()))) for group in waiting for i in group)
                return

    def _handed_out(self, calls: Mapping[int, Call], patience: float) -> Iterator[tuple[int, Future[Any]]]:
        """Hand out the calls; yields each one's number with its future when it is done. Closed early, cancels the rest.

        Of what is done while it is handed out, as by an executor without workers, the caller hears at once.
        """
        running: dict[Future[Any], list[int]] = {}

        def yielding(ready: Collection[Future[Any]]) -> Iterator[tuple[int, Future[Any]]]:
            yield from ((i, future) for future in ready for i in running.pop(future))

        try:
            for i, call in calls.items():
                running.setdefault(self._submit(call), []).append(i)
                yield from yielding([future for future in running if future.done()])
            while running:
                ready, _ = wait(running, patience, FIRST_COMPLETED)
                if not ready:
                    self.is_silent, waited = True, f"{patience / 60:.0f} minutes"
                    GIVEN_UP.append(self.executor)
                    said = Lost(f"the {self.name} gave no answer for {waited}; see what its workers wait for")
                    yield from ((i, _failed_with(said)) for i in [i for many in running.values() for i in many])
                    return
                yield from yielding(ready)
        finally:
            for future in running:
                future.cancel()

    def _submit(self, call: Call) -> Future[Any]:
        try:
            future = self.executor.submit(*call)
        except BrokenExecutor as error:
            return _failed_with(error)
        except GOES_WRONG as error:
            return _failed_with(_Refused(f"the {self.name} did not take it ({kind_and_message(error)})"))
        if isinstance(future, Future):
            return future
        return _failed_with(Lost(f"the {self.name} gave a {type(future).__name__}, not a concurrent.futures.Future"))

    def _given(self, future: Future[Any]) -> Any:
        """Raises Lost for whatever else than a result has come: an exception there ends nothing here."""
        try:
            error = future.exception()
        except CancelledError as cancelled:
            error = cancelled
        if error is None:
            return future.result()
        if isinstance(error, Lost):
            raise error
        said = kind_and_message(error)
        if isinstance(error, BrokenExecutor):
            why = "see whether its workers start, have the course, and have run out of memory"
            raise _Broken(f"the {self.name} broke ({said.rstrip('.')}); {why}")
        if isinstance(error, ImportError):
            raise Lost(f"a worker lacks the course, or what it needs ({said}); install this one there")
        raise Lost(f"the worker was lost ({said})")

    def _renew(self) -> None:
        if self.make is not None:
            self.close()
            with contextlib.suppress(UserError):  # then the old one refuses what is left, and says why
                self.executor = self.make()

    @property
    def name(self) -> str:
        return type(self.executor).__name__

    def close(self) -> None:
        """Wait for nothing: what goes wrong here costs no results."""
        with contextlib.suppress(*GOES_WRONG):
            self.executor.shutdown(wait=False)


def _halves(numbers: list[int]) -> list[list[int]]:
    """Those that stood first last, so that of what is taken from the end they come last: there it was that one died."""
    half = len(numbers) // 2
    return [part for part in (numbers[:half], numbers[half:]) if part]


def _failed_with(error: BaseException) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_exception(error)
    return future
