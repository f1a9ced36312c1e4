"""Processes beside a notebook's own: Triton decides when it is imported whether it interprets or compiles, for good.

One that compiles serves the compile check; on a machine with a GPU, one that interprets serves the traffic meter. They
run the learner's own code on the learner's own machine, so nothing confines them.
"""

from __future__ import annotations

import atexit
import importlib.util
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from .closure import closure
from .runner.observe import Observation
from .runner.protocol import ProtocolError
from .sandbox import Child, Limits
from .spec import Arguments

SECONDS = 60
SERVE = (
    "import os, socket, sys; sys.path[:] = sys.argv[1:]; from autograder.runner import child, compiler; "
    "sock = socket.socket(fileno=os.dup(0)); child.silence(); compiler.warm_up(); child.serve(sock)"
)

Answer = TypeVar("Answer")


def ask(function: Callable[..., Any], interpret: bool, question: Callable[[Child], Answer]) -> Answer | None:
    """Define `function` in such a process and put a question to it; None where there is no Triton or no answer.

    A process that has died since the last question is started again.
    """
    try:
        cells = closure(function)
    except OSError:  # there is no source
        return None
    for _ in range(2):
        process = _process(interpret)
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
            _forget(process)  # its answer would be taken for that to the next question
            raise
    return None


def start_compiler() -> None:
    """Start the process that compiles, so that it is ready for the first check."""
    _process(False)


def _forget(process: Child) -> None:
    process.close()
    _process.cache_clear()


def interpreted_call(function: Callable[..., Any], arguments: Arguments) -> Observation | None:
    """One metered call in the interpreter, for its traffic, where this process itself compiles kernels."""
    return ask(function, True, lambda process: process.call(function.__name__, arguments, "triton", metered=True))


@cache
def _process(interpret: bool) -> Child | None:
    """The process of that kind, started when first needed."""
    if sys.platform != "linux" or importlib.util.find_spec("triton") is None:
        return None
    ours, theirs = socket.socketpair()
    environment = os.environ | {"TRITON_INTERPRET": "1" if interpret else "0"}
    environment |= {"CUDA_VISIBLE_DEVICES": ""} if interpret else {}
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, *sys.path], stdin=theirs.fileno(), env=environment,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,  # the stop button interrupts the notebook and its whole group
    )  # fmt: skip
    theirs.close()
    atexit.register(process.kill)
    return Child(Limits(seconds=SECONDS), ours, process.kill)
