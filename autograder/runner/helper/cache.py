"""Triton's cache, filled ahead: every version of a kernel that calls of a launcher need, compiled on all cores.

Which versions a call needs is known from the call with nothing launched: Triton hands each version over to be compiled
later (its AsyncCompileMode). Each is compiled in a process forked for it, since Triton compiles mostly in Python, and
the process that launches the kernels finds it in the cache.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from typing import Any, BinaryIO

from ..arrays import as_torch, copy_argument
from ..translate import NoDevice, can_compile

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Later(Exception):
    """What is still being compiled is asked for."""


class Filling(Executor):
    """Takes what is to be compiled for GPUs of one `capability`, such as 90, in the order in which it is needed."""

    def __init__(self, capability: int):
        from triton import AsyncCompileMode

        self.capability = capability
        self.needed: list[int] = []  # after each call: how many versions it and those before it need
        self.begun = 0
        self.waiting: deque[Callable[[], Any]] = deque()
        self.running: dict[int, int] = {}  # process -> number of the version
        self.turns = tempfile.TemporaryFile()  # noqa: SIM115 -- it is there as long as this; locked byte by byte
        self.mode = AsyncCompileMode(self)  # knows what it was handed before, so each version comes once

    def submit(self, work: Callable[[], Any], /, *_: Any, **__: Any) -> Future[Any]:
        """From Triton: a version to compile, without whose kernel a launcher has to do."""
        self.waiting.append(work)
        self._start()
        nothing: Future[Any] = Future()
        nothing.set_exception(Later())
        return nothing

    def begin(self, function: Callable[..., Any], arguments: dict[str, Any]) -> None:
        """Begin with what this call launches. What the call raises will be raised again when it is made."""
        given = {name: as_torch(copy_argument(value)) for name, value in arguments.items()}
        with _noted(self.capability), contextlib.suppress(Exception):
            function(**given)
        self.needed.append(self.begun + len(self.waiting))

    def finish(self, call: int) -> None:
        """Wait until all that this call (from 0) needs is compiled, or has failed to be."""
        while self.begun < self.needed[call] or any(n <= self.needed[call] for n in self.running.values()):
            self._reap(0)
            self._start()

    def _start(self) -> None:
        while self.running and self._reap(os.WNOHANG):
            pass
        while self.waiting and len(self.running) < CORES:
            work = self.waiting.popleft()
            self.begun += 1
            process = os.fork()
            if process == 0:
                _compile(work, self.turns)
            self.running[process] = self.begun

    def _reap(self, options: int) -> bool:
        process, _ = os.waitpid(-1, options)
        return self.running.pop(process, None) is not None


def _compile(work: Callable[[], Any], turns: BinaryIO) -> None:
    try:
        kernel = work()
        with contextlib.suppress(Exception):  # Triton 3.6 compiles C for a launch, too; later ones do without
            from triton.backends.nvidia.driver import CudaLauncher

            _wait_for_turn(turns, repr(kernel.src.signature))
            CudaLauncher(kernel.src, kernel.metadata)
    finally:
        os._exit(0)


def _wait_for_turn(turns: BinaryIO, what: str) -> None:
    """Until this process ends no other gets a turn at the same: the first compiles it, and the others find it."""
    import fcntl  # which not all systems have

    place = int.from_bytes(hashlib.sha256(what.encode()).digest()[:7], "big")
    fcntl.lockf(turns, fcntl.LOCK_EX, 1, place)


@contextlib.contextmanager
def _noted(capability: int) -> Iterator[None]:
    """Within this context a launch compiles, or hands over what is to be compiled, and launches nothing."""
    from triton.runtime import driver
    from triton.runtime.jit import JITFunction

    run = JITFunction.run
    driver.set_active(NoDevice(capability))
    JITFunction.run = functools.partialmethod(_run_later, run)
    try:
        yield
    finally:
        JITFunction.run = run


def _run_later(kernel: Any, run: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    return run(kernel, *args, **(kwargs | {"warmup": True}))


@functools.cache
def filling(capability: int) -> Filling | None:
    """This process's; None where Triton's compiler is missing or has no such mode (which 3.6 and later have)."""
    if not can_compile():
        return None
    try:
        found = Filling(capability)
    except ImportError:
        return None
    found.mode.__enter__()  # for the whole life of this process
    return found
