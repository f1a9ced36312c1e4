"""Helper processes of a notebook: whether Triton interprets or compiles is decided for good when it is imported.

One that compiles serves the compile check. On a machine with a GPU, one that interprets serves the traffic meter, and
one launches all kernels, since a kernel with a bad access ends the process's use of the GPU, and one that never ends
blocks the process. Each imports torch and Triton once, and forks a process for whoever asks; the one that launches is
kept while it works. They run the learner's own code on the learner's own machine, so nothing confines them.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib.util
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from simt.errors import Fault

from ..runner.failure import Failure, Kind
from ..runner.observe import Observation
from ..runner.protocol import ProtocolError
from ..spec.exercise import Arguments
from ..spec.interpreter import has_triton
from .child_link import Child, Limits, serving

# Seconds for one answer, by what the process does. An official grade gives the compiler as long.
SECONDS = {"interprets": 60, "compiles": 60, "launches": 20}
SERVE = (
    "import os, socket, sys; sys.path[:] = sys.argv[3:]; from autograder.runner import child; "
    "from autograder.runner.helper import forks; sock = socket.socket(fileno=os.dup(0)); child.end_with(sock); "
    "child.silence(); forks.warm_up(*sys.argv[1:3]); forks.serve(sock, child.serve_alone)"
)
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

Answer = TypeVar("Answer")
Cells = Sequence[tuple[str, str]]  # see `portable.closure`


@dataclass
class Helper:
    """A process that forks others, by a socket to it."""

    control: socket.socket
    process: subprocess.Popen[bytes]

    def end(self) -> None:
        self.control.close()
        self.process.kill()
        self.process.wait()


def ask_own(cells: Cells, question: Callable[[Child], Answer]) -> Answer | None:
    """Send a request to a process that interprets, in which these cells of the course's own are defined; None where
    there is no answer. The process is kept for the next of them, until `let_go`.
    """
    with contextlib.suppress(EOFError, OSError, ProtocolError):
        process = taken(_kept) or forked("interprets")
        if process:
            try:
                define(process, cells)
                answer = question(process)
            except BaseException:
                process.close()
                raise
            _kept.append(process)
            return answer
    return None


def taken(idle: list[Child]) -> Child | None:
    """One of these processes, of which other threads take, too; None where no more is left."""
    with contextlib.suppress(IndexError):
        return idle.pop()
    return None


def let_go() -> None:
    """End the processes that were kept for the course's own code."""
    while _kept:
        _kept.pop().close()


def forked(does: str, cells: Cells = ()) -> Child | None:
    """A fresh process of that kind in which the cells are defined; None where there is no Triton for it.

    Raises EOFError, OSError or ProtocolError where a cell ends it or takes too long.
    """
    if sys.platform != "linux" or (does != "launches" and not has_triton()):
        return None
    ours, theirs = socket.socketpair()
    with theirs:
        try:
            socket.send_fds(_helper(does).control, [b"x"], [theirs.fileno()])
        except ConnectionError:  # it has died since
            _forget(does)
            socket.send_fds(_helper(does).control, [b"x"], [theirs.fileno()])
    process = Child(Limits(seconds=SECONDS[does]), ours, lambda: None)
    try:
        define(process, cells)
    except BaseException:
        process.close()
        raise
    return process


def define(process: Child, cells: Cells) -> None:
    """Define the cells in the process, unless they are what it has defined last."""
    if process.defined != cells:
        process.defined = ()
        for label, source in cells:
            process.define(label, source)
        process.defined = cells


def runs_cuda() -> bool:
    """Whether CUDA C++ runs on a GPU here."""
    import torch

    return torch.cuda.is_available() and importlib.util.find_spec("cuda.core") is not None


def gpu_call(name: str, module: str, text: str, arguments: Arguments) -> Observation | str:
    """Launch a CUDA kernel on the GPU, in a process that it may kill: what was seen, or "timeout"."""
    launcher = f"from {module} import {name}\nimport simt.source\nsimt.source.define({name!r}, {text!r})"
    return launched([("launcher", launcher)], name, arguments, "cuda on gpu")


def launched(
    cells: Cells, name: str, arguments: Arguments, backend: str = "triton", spied: Sequence[str] = ()
) -> Observation | str:
    """Call a function that launches kernels on the GPU, in the same process: what was seen, or "timeout"."""
    with _one_at_a_time:
        try:
            process = _launching()
            define(process, cells)
            seen = process.call(name, arguments, backend, once=False, spied=spied)
        except (TimeoutError, EOFError, OSError) as error:
            _stop_launching()
            if isinstance(error, TimeoutError):
                return "timeout"
            return Observation(failure=Failure(Fault.CRASH, "the process that used the GPU has died"))
        except KeyboardInterrupt:
            _stop_launching()
            return Observation(failure=Failure(Kind.INTERRUPTED, ""))
        # Nothing runs any more in a context that a kernel broke.
        if seen.failure and "CUDA error" in seen.failure.message:
            _stop_launching()
            said = seen.failure.message.splitlines()[0].removeprefix("CUDA error: ")
            seen.failure = Failure(Fault.CRASH, f"the GPU stopped the kernel: {said}")
    return seen


def start() -> None:
    """Start the processes that a check of a Triton kernel needs, so that they are ready for the first one."""
    import torch

    if sys.platform == "linux" and has_triton():
        for does in SECONDS if torch.cuda.is_available() else ["compiles"]:
            _helper(does)


def stop() -> None:
    """End all of them; each is started again when it is next needed."""
    _stop_launching()
    let_go()
    for does in list(_running):
        _forget(does)


_running: dict[str, Helper] = {}  # by what they do
_launches: list[Child] = []  # the one process that launches, while there is one
_kept: list[Child] = []  # those that interpret the course's own code, between two answers
_starting, _one_at_a_time = threading.Lock(), threading.Lock()
atexit.register(stop)


def _launching() -> Child:
    if not _launches:
        process = forked("launches")
        assert process is not None
        _launches.append(process)
    return _launches[0]


def _stop_launching() -> None:
    while _launches:
        _launches.pop().close()


def _forget(does: str) -> None:
    if helper := _running.pop(does, None):
        helper.end()


def _helper(does: str) -> Helper:
    """The process of that kind, started when first needed."""
    with _starting:
        if does not in _running:
            _running[does] = _start(does)
        return _running[does]


def _start(does: str) -> Helper:
    import torch

    environment = ONE_THREAD | {"TRITON_INTERPRET": str(int(does == "interprets"))}
    if does != "launches":  # torch's first gradients would set up each GPU, in each process that is forked
        environment["CUDA_VISIBLE_DEVICES"] = ""
    process, control = serving(SERVE, does, "on a gpu" if torch.cuda.is_available() else "", **environment)
    return Helper(control, process)
