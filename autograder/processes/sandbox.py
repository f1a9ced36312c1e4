"""The grader's side of the wall: start a confined interpreter, get fresh children, talk to them under time limits.

Two levels. "bubblewrap": own mount, PID, network, IPC and user namespaces, an empty home, nothing of the course in
view. "limits": where bubblewrap is missing or not permitted, an isolated interpreter with resource limits and no new
processes, sockets or signals, and no files of the course or of users if the kernel has Landlock (5.13 or newer). The
level is written into every result.
"""

from __future__ import annotations

import functools
import socket
import time
from dataclasses import asdict
from typing import Any

from ..runner import protocol
from ..spec.folders import ours_in
from .child_link import Child, Limits, SandboxError
from .wall import SECONDS_TO_START, best_level, started


class Sandbox:
    """One interpreter behind the wall, from which children are forked. Use as a context manager, from one thread."""

    def __init__(self, level: str | None = None, compiles: bool = False):
        """compiles: whether it runs Triton's compiler instead of its interpreter."""
        self.level = level or best_level()
        self._compiles = compiles
        self._used = self._separate = False
        self._start()

    def child(self, limits: Limits, differentiates: bool = False) -> Child:
        """A fresh child that has seen no submission. differentiates: it will ask torch for gradients."""
        if self._process.poll() is not None:  # what it has begun ends a moment later, and may still answer
            raise SandboxError("the sandbox has ended")
        ours, theirs = socket.socketpair()
        known = asdict(limits) | {"cpu_seconds": limits.cpu_seconds}
        hidden = [] if self.level == "bubblewrap" else ours_in("/")
        asked = {"do": "start", "limits": known, "hidden": hidden}
        try:
            if self._used and not self._separate:  # the next child would find what this one left, so start anew
                self.close()
                self._start()
            protocol.send(self._control, asked | {"gradients": differentiates})
            socket.send_fds(self._control, [b"x"], [theirs.fileno()])
            pid = self._answer()["child"]
        except (OSError, EOFError) as error:
            ours.close()
            raise SandboxError(f"the sandbox stopped answering ({type(error).__name__})") from None
        finally:
            theirs.close()
        self._used = True
        return Child(limits, ours, functools.partial(self.kill, pid))

    def kill(self, pid: int) -> float:
        """End a child and all its descendants. Returns how many seconds a processor has worked for it."""
        try:
            protocol.send(self._control, {"do": "kill", "child": pid})
            return float(self._answer()["worked"])
        except (OSError, EOFError):
            raise SandboxError("the sandbox stopped answering") from None

    def close(self) -> None:
        """End the interpreter and every child."""
        self._begun.end()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _start(self) -> None:
        self._used = False
        self._begun = started(self.level, self._compiles)
        self._control, self._process = self._begun.control, self._begun.process
        try:
            self._separate = self._answer(SECONDS_TO_START)["level"] != "limits"
        except (OSError, EOFError, protocol.ProtocolError):
            raise SandboxError(f"the sandbox did not start: {self._begun.last_words()}") from None

    def _answer(self, seconds: float = 30) -> dict[str, Any]:
        return protocol.receive(self._control, deadline=time.monotonic() + seconds)[0]
