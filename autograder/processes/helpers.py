"""Helper processes of a notebook: whether Triton interprets or compiles is decided for good when it is imported.

One that compiles serves the compile check. On a machine with a GPU, one that interprets serves the traffic meter, and
one launches all kernels, since a kernel with a bad access ends the process's use of the GPU, and one that never ends
blocks the process. They run the learner's own code on the learner's own machine, so nothing confines them.
"""

from __future__ import annotations

import atexit
import importlib.util
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from simt.errors import Fault

from ..runner.failure import Failure
from ..runner.observe import Observation
from ..runner.protocol import ProtocolError
from ..spec.exercise import Arguments
from ..spec.interpreter import has_triton
from .child_link import Child, Limits, serving
from .portable import closure

# Seconds for one answer, by what the process does. An official grade gives the compiler as long.
SECONDS = {"interprets": 60, "compiles": 60, "launches": 20}
SERVE = (
    "import os, socket, sys; sys.path[:] = sys.argv[2:]; from autograder.runner import child, translate; "
    "sock = socket.socket(fileno=os.dup(0)); child.end_with(sock); child.silence(); "
    "sys.argv[1] == 'launches' or translate.warm_up(); child.serve(sock)"
)

Answer = TypeVar("Answer")


def ask(function: Callable[..., Any], does: str, question: Callable[[Child], Answer]) -> Answer | None:
    """Define `function` in such a process and send it a request; None where there is no Triton or no answer.

    A process that has died since the last request is started again.
    """
    try:
        cells = closure(function)
    except OSError:  # there is no source
        return None
    for _ in range(2):
        process = _process(does)
        if process is None:
            return None
        try:
            for label, source in cells:
                process.define(label, source)
            return question(process)
        except (EOFError, ConnectionError):
            _forget(process)
        except (OSError, ProtocolError):
            _forget(process)
            return None
        except KeyboardInterrupt:
            _forget(process)  # its late answer would be taken for that to the next request
            raise
    return None


def runs_cuda() -> bool:
    """Whether CUDA C++ runs on a GPU here."""
    import torch

    return torch.cuda.is_available() and importlib.util.find_spec("cuda.core") is not None


def gpu_call(name: str, module: str, text: str, arguments: Arguments) -> Observation | str:
    """Launch a CUDA kernel on the GPU, in a process that it may kill: what was seen, or "timeout"."""
    launcher = f"from {module} import {name}\nimport simt.source\nsimt.source.define({name!r}, {text!r})"
    return _launched([("launcher", launcher)], name, arguments, "cuda on gpu")


def triton_call(function: Callable[..., Any], arguments: Arguments, spied: Sequence[str] = ()) -> Observation | str:
    """Call a function that launches Triton kernels on the GPU, in the same process: what was seen, or "timeout"."""
    return _launched(closure(function), function.__name__, arguments, "triton", spied)


def _launched(
    cells: list[tuple[str, str]], name: str, arguments: Arguments, backend: str, spied: Sequence[str] = ()
) -> Observation | str:
    process = _process("launches")
    assert process is not None
    try:
        for label, source in cells:
            process.define(label, source)
        seen = process.call(name, arguments, backend, once=False, spied=spied)
    except (TimeoutError, EOFError, OSError) as error:
        _forget(process)
        if isinstance(error, TimeoutError):
            return "timeout"
        return Observation(failure=Failure(Fault.CRASH, "the process that used the GPU has died"))
    except KeyboardInterrupt:
        _forget(process)
        return "interrupted"
    if seen.failure and "CUDA error" in seen.failure.message:  # nothing runs any more in a context that a kernel broke
        _forget(process)
        said = seen.failure.message.splitlines()[0].removeprefix("CUDA error: ")
        seen.failure = Failure(Fault.CRASH, f"the GPU stopped the kernel: {said}")
    return seen


def start_compiler() -> None:
    """Start the compiling process, so that it is ready for the first check."""
    _process("compiles")


def stop() -> None:
    """End all of them; each is started again when it is next needed."""
    for process in list(_running.values()):
        _forget(process)


def _forget(process: Child) -> None:
    process.close()
    for does in [does for does, running in _running.items() if running is process]:
        del _running[does]


def interpreted_call(function: Callable[..., Any], arguments: Arguments) -> Observation | None:
    """One call in the interpreter, for its traffic, where this process itself compiles kernels."""
    return ask(function, "interprets", lambda process: process.call(function.__name__, arguments, "triton", once=True))


_running: dict[str, Child] = {}  # by what they do
atexit.register(stop)


def _process(does: str) -> Child | None:
    """The process of that kind, started when first needed."""
    if does in _running:
        return _running[does]
    if sys.platform != "linux" or (does != "launches" and not has_triton()):
        return None
    interprets = {"TRITON_INTERPRET": "1", "CUDA_VISIBLE_DEVICES": ""}
    environment = interprets if does == "interprets" else {"TRITON_INTERPRET": "0"}
    process, ours = serving(SERVE, does, **environment)

    def end() -> None:
        process.kill()
        process.wait()

    _running[does] = Child(Limits(seconds=SECONDS[does]), ours, end)
    return _running[does]
