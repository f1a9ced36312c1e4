"""Triton's cache, filled ahead: every version of a kernel that calls of a launcher need, compiled on all cores.

Which versions a call needs is known from the call with nothing launched: Triton hands each version over to be compiled
later (its AsyncCompileMode). Each is compiled in a process forked for it, since Triton compiles mostly in Python, and
the process that launches the kernels finds it in the cache.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import math
import os
import re
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from types import SimpleNamespace
from typing import Any, NamedTuple

from ..arrays import as_torch, copy_argument
from ..translate import NoDevice, can_compile

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Later(Exception):
    """What is still being compiled is asked for."""


class Work(NamedTuple):
    """For a process of its own. version: its number, from 1. weight: of the next that wait the heaviest comes first."""

    version: int
    weight: float
    do: Callable[[], Any]


class Filling(Executor):
    """Takes what is to be compiled for GPUs of one `capability`, such as 90, in the order in which it is needed."""

    def __init__(self, capability: int):
        from triton import AsyncCompileMode

        self.capability = capability
        self.versions = 0
        self.needed: list[int] = []  # after each call: how many versions it and those before it need
        self.waiting: list[Work] = []
        self.running: dict[int, int] = {}  # process -> the version that it works for
        self.launched: set[str] = set()  # types of arguments with which kernels are launched
        self.mode = AsyncCompileMode(self)  # knows what it was handed before, so each version comes once

    def submit(self, work: Callable[[], Any], /, *_: Any, **__: Any) -> Future[Any]:
        """From Triton: a version to compile, without whose kernel a launcher has to do."""
        self.versions += 1
        source, weight = source_of(work), 0
        if source:
            weight = unrolled(source)
            if launch := self._launch_of(source):
                self.waiting.append(Work(self.versions, math.inf, launch))
        self.waiting.append(Work(self.versions, weight, work))
        self._start()
        nothing: Future[Any] = Future()
        nothing.set_exception(Later())
        return nothing

    def begin(self, function: Callable[..., Any], arguments: dict[str, Any]) -> None:
        """Begin with what this call launches. What the call raises will be raised again when it is made."""
        given = {name: as_torch(copy_argument(value)) for name, value in arguments.items()}
        with _noted(self.capability), contextlib.suppress(Exception):
            function(**given)
        self.needed.append(self.versions)

    def finish(self, call: int) -> None:
        """Wait until all that this call (from 0) needs is compiled, or has failed to be."""
        last = self.needed[call]
        while min((*self.running.values(), *(work.version for work in self.waiting)), default=last + 1) <= last:
            self._reap(0)
            self._start()

    def _launch_of(self, source: Any) -> Callable[[], Any] | None:
        """Compiles the C with which Triton 3.6 launches kernels, once for all whose arguments have the same types, of
        which pointers are one, and descriptors of tensors with as many axes; later versions do without. Of metadata
        it asks here which descriptors are the hardware's: what else it asks ends it in an error, when all is done.
        """
        try:
            from triton.backends.nvidia.driver import CudaLauncher, make_launcher  # noqa: F401 -- tells 3.6 from later ones
        except ImportError:
            return None
        types = re.sub(r"[*<]\w+|\d+(?=[],])", "*", repr(list(source.signature.values())))
        if types in self.launched:
            return None
        self.launched.add(types)
        descriptors = types.count("tensordesc") if self.capability >= 90 else 0
        return functools.partial(CudaLauncher, source, SimpleNamespace(tensordesc_meta=[{}] * descriptors))

    def _start(self) -> None:
        while self.running and self._reap(os.WNOHANG):
            pass
        while self.waiting and len(self.running) < CORES:
            work = max(self.waiting[:CORES], key=lambda work: work.weight)
            self.waiting.remove(work)
            process = os.fork()
            if process == 0:
                _do(work)
            self.running[process] = work.version

    def _reap(self, options: int) -> bool:
        process, _ = os.waitpid(-1, options)
        return self.running.pop(process, None) is not None


def source_of(work: Callable[[], Any]) -> Any:
    """What a version is compiled of: what Triton hands over closes over it. None in a Triton that hands over anything
    else, where versions are compiled in their order, and the C of a launch when it is launched.
    """
    with contextlib.suppress(TypeError):
        return inspect.getclosurevars(work).nonlocals.get("src")
    return None


def unrolled(source: Any) -> int:
    """About how long a version takes to compile: products of tiles are written out, and those of float32 one by one,
    where tensor cores take whole blocks of others.
    """
    sizes = (value for value in source.constants.values() if isinstance(value, int) and value > 1)
    return math.prod(sizes) * (8 if "*fp32" in source.signature.values() else 1)


def _do(work: Work) -> None:
    try:
        work.do()
    finally:
        os._exit(0)


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
