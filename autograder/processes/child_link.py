"""The link to a child: requests to a confined process, answered within time limits."""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simt.compiler import Library, as_json

from ..runner import protocol
from ..runner.failure import Failure
from ..runner.helper.cache import CORES
from ..runner.observe import Observation
from ..runner.translate import TARGETS, Translated


class SandboxError(Exception):
    """The sandbox itself failed: the grader's fault, never the student's."""


CROWDED = 4  # so many times as long, at the most, by the clock: how much of that a process gets is the machine's doing
SOON = 0.9  # of the seconds of a call, after which it is interrupted in the child, and can say where it was


@dataclass(frozen=True)
class Limits:
    """What submitted code may use: bytes of memory and of each file, and seconds for one call or cell.

    They are seconds of the clock where a processor is free, and more of those on a crowded machine.
    """

    memory: int = 1 << 30
    file_size: int = 16 << 20
    seconds: float = 10.0

    @property
    def seconds_now(self) -> float:
        """By the clock, as crowded as the machine is."""
        return self.seconds * min(max(1.0, os.getloadavg()[0] / CORES), CROWDED)

    @property
    def exercise_seconds(self) -> float:
        """For all calls of one answer: many times what right ones take."""
        return 6 * self.seconds

    @property
    def submission_seconds(self) -> float:
        """For all calls of a submission."""
        return 120 * self.seconds

    @property
    def cpu_seconds(self) -> int:
        """A backstop in case the grader's own clock fails: far more than an honest submission takes in all."""
        return int(self.seconds * 20) + 60


def serving(code: str, *words: str, **environment: str) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """A process of this Python that runs `code`, with a socket to it as its standard input, and our end of that.

    sys.argv holds the words there, then our sys.path. It has a session of its own: the stop button interrupts a
    notebook's whole process group.
    """
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-c", code, *words, *sys.path], stdin=theirs.fileno(), stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env=os.environ | environment, start_new_session=True,
        )  # fmt: skip
    return process, ours


class Child:
    """A process that runs one submission. Requests raise TimeoutError, EOFError (it died) or ProtocolError.

    kill: ends the process, and says how many seconds a processor has worked for it where that is known. deadline: a
    time.monotonic() value for all its answers together, instead of a limit of `limits.seconds` for each.
    """

    deadline: float | None = None
    defined: Sequence[tuple[str, str]] = ()  # the cells of the last answer, where a process serves one after another

    def __init__(self, limits: Limits, sock: socket.socket, kill: Callable[[], float | None]):
        self.limits, self.socket, self.kill = limits, sock, kill

    def define(self, label: str, source: str) -> Failure | None:
        """Run a cell in the child's namespace; returns what went wrong, if anything."""
        header, _ = self._ask({"do": "define", "label": label, "source": source}, [])
        return None if header.get("failure") is None else protocol.read_failure(header["failure"])

    def provide(self, name: str, source: str) -> None:
        """Make a module importable from its text."""
        self._ask({"do": "module", "name": name, "source": source}, [])

    def call(
        self,
        function: str,
        arguments: dict[str, Any],
        backend: str,
        once: bool,
        spied: Sequence[str] = (),
        counted: bool = True,
        reply: int = protocol.MESSAGE_LIMIT,
    ) -> Observation:
        """Call a function of the submission once; `reply` is the most bytes that its answer may have."""
        blobs: list[bytes] = []
        specs = {name: protocol.encode(value, blobs) for name, value in arguments.items()}
        request = {"do": "call", "function": function, "arguments": specs, "backend": backend, "once": once}
        request |= {"spied": list(spied), "counted": counted, "seconds": SOON * self.limits.seconds_now}
        return protocol.read_observation(*self._ask(request, blobs, reply))

    def launches(self, libraries: tuple[Library, Library], defines: Mapping[str, int], runtime: bytes) -> None:
        """Use this kernel, compiled with the instruments and without, for launches with these macros."""
        about = list(map(as_json, libraries))
        request = {"do": "libraries", "about": about, "defines": list(map(list, defines.items()))}
        self._ask(request, [*(library.code for library in libraries), runtime])

    def translate(
        self, function: str, arguments: dict[str, Any], targets: Sequence[str] = tuple(TARGETS)
    ) -> list[Translated]:
        """The kernels that the submission's function launches, as PTX; only in a sandbox that compiles."""
        blobs: list[bytes] = []
        specs = {name: protocol.encode(value, blobs) for name, value in arguments.items()}
        request = {"do": "translate", "function": function, "arguments": specs, "targets": list(targets)}
        return protocol.read_translated(*self._ask(request, blobs))

    def fill(self, function: str, arguments: dict[str, Any], capability: int) -> None:
        """Begin to compile, for GPUs of this capability, what this call launches; only in a helper that compiles."""
        blobs: list[bytes] = []
        specs = {name: protocol.encode(value, blobs) for name, value in arguments.items()}
        self._ask({"do": "fill", "function": function, "arguments": specs, "capability": capability}, blobs)

    def filled(self, call: int, capability: int) -> None:
        """Wait until what this call (from 0) launches is compiled."""
        self._ask({"do": "filled", "call": call, "capability": capability}, [])

    def hang_up(self) -> None:
        """End a request that waits in another thread, and let no other one be made."""
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> float:
        """End the process. Returns how many seconds a processor has worked for it, 0.0 where that is not known."""
        self.hang_up()
        self.socket.close()
        return self.kill() or 0.0

    def _ask(
        self, request: dict[str, Any], blobs: list[bytes], reply: int = protocol.MESSAGE_LIMIT
    ) -> tuple[dict[str, Any], list[bytes]]:
        number = secrets.randbits(53)  # so that no answer can be prepared before its request
        now = time.monotonic()
        deadline = now + self.limits.seconds_now if self.deadline is None else self.deadline
        if deadline <= now:
            raise TimeoutError
        try:
            self.socket.settimeout(deadline - now)
            protocol.send(self.socket, request | {"number": number}, blobs)
        except ConnectionError:
            raise EOFError from None
        header, out = protocol.receive(self.socket, reply, deadline)
        if not isinstance(header, dict) or header.get("number") != number:
            raise protocol.ProtocolError("an answer to no request")
        return header, out
