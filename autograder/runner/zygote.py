"""The zygote: a clean interpreter with torch imported that forks a fresh, confined child for every submission.

It pays for the imports once, holds no secrets, and talks to the grader over the socket that is its standard input:
{"do": "start", "limits", "hidden", "gradients"} and one more socket -> {"child"};
{"do": "kill", "child"} -> {"worked"}, how many seconds a processor has for it.
"""

from __future__ import annotations

import contextlib
import gc
import os
import select
import signal
import socket
import sys
from dataclasses import dataclass
from typing import Any

from . import child, no_triton
from . import translate as compiler
from .helper.forks import import_for_gradients
from .meters import traffic
from .protocol import receive, send
from .wall import cells, clock, confine, freed, home, landlock

LOOKS_EVERY = 0.1  # seconds, at what children hold, and at homes that no file system of their own bounds


@dataclass(frozen=True)
class Watched:
    """A child. own: its folder in /proc, None where it ended before it was opened. home: "" where the kernel bounds it.

    memory, size: bytes that it may take, and have in its home.
    """

    own: int | None
    home: str
    memory: int
    size: int

    @property
    def has_too_much(self) -> bool:
        if self.home and home.is_full(self.home, self.size, confine.FILES):
            return True
        try:
            return self.own is not None and confine.holds_too_much(self.own, self.memory)
        except OSError:  # it has ended
            return False


def main() -> None:
    level = "limits"
    if _can_unshare():
        confine.begin_pid_namespace()  # before anything is imported, which would have to be copied
        level = "namespaces"
    elif landlock.version() > 0:
        level = "landlock"
    confine.be_closed()
    import_all()

    control = socket.socket(fileno=os.dup(0))
    gc.freeze()
    send(control, {"ready": True, "level": level})
    watched: dict[int, Watched] = {}
    while True:
        try:
            while watched and not select.select([control], [], [], LOOKS_EVERY)[0]:
                _end_full_ones(watched)
            request, _ = receive(control)
        except EOFError:
            return
        if request["do"] == "start":
            if request["gradients"]:
                import_for_gradients()
            _, fds, _, _ = socket.recv_fds(control, 1, 1)
            pid, own = _start(fds[0], request, level, control)
            folder = {"namespaces": "", "landlock": home.home_of(pid)}.get(level, os.environ["HOME"])
            watched[pid] = Watched(own, folder, request["limits"]["memory"], request["limits"]["file_size"])
            send(control, {"child": pid})
            os.close(fds[0])
        else:
            if (ended := watched.pop(request["child"], None)) and ended.own is not None:
                os.close(ended.own)
            send(control, {"worked": _kill(request["child"])})


def import_all() -> None:
    """Do all that libraries do once in a process, so that no child has to."""
    import numpy
    import torch

    import simt.cpu  # noqa: F401

    from .engines import memory  # noqa: F401 -- what engines load late, while its files can be read
    from .meters import lines, operations  # noqa: F401
    from .observe import observe
    from .ranks import run  # noqa: F401
    from .tensors import main_memory  # noqa: F401

    torch.set_num_threads(1)
    no_triton.stand_in()
    # torch imports hundreds of modules at the first call: do it here once and not in every child
    observe(torch.neg, {"input": numpy.zeros(1)}, "torch", once=True)
    cells.begin_libraries()  # as do numpy's random numbers
    if compiler.can_compile():
        compiler.warm_up()
    else:
        traffic.install()
    compiler.stay_so()


def _start(fd: int, request: dict[str, Any], level: str, control: socket.socket) -> tuple[int, int | None]:
    """Fork a child that serves on `fd`: its number here, and `Watched.own`, which it hands over first."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        if pid := confine.fork_apart() if level == "namespaces" else os.fork():
            theirs.close()
            _, folders, _, _ = socket.recv_fds(ours, 1, 1)
            return pid, next(iter(folders), None)
        try:
            control.close()
            with confine.process(confine.OWN) as own:
                socket.send_fds(theirs, [b"x"], [own])
            ours.close()
            theirs.close()
            _become_child(fd, request["limits"], request["hidden"], level)
        finally:
            os._exit(1)


def _become_child(fd: int, limits: dict[str, Any], hidden: list[str], level: str) -> None:
    os.setsid()
    confine.be_closed(False)  # what is a child's own in /proc is its user's
    sock = socket.socket(fileno=fd)
    child.silence()
    freed.forget()
    clock.stand_in()
    confine.limit(limits["memory"], limits["cpu_seconds"], limits["file_size"], level == "namespaces")
    confine.die_with_parent()
    if level == "namespaces":
        confine.unshare_all()
        confine.private_files(limits["file_size"], hidden)
    if level == "landlock":
        home.own_home()
    confine.drop_rights(hidden, sys.argv[2:])  # where libraries lie that are not the interpreter's own
    child.serve(sock)


def _end_full_ones(watched: dict[int, Watched]) -> None:
    """End the children that hold more than they may, or in whose homes more lies than would fit into a file
    system in memory.
    """
    for pid, one in watched.items():
        if one.has_too_much:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def _kill(pid: int) -> float:
    """Kill a child. As the first process of its PID namespace it takes its descendants with it.

    Returns how many seconds a processor has worked for it, 0.0 if it was reaped before.
    """
    worked = 0.0
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        _, _, used = os.wait4(pid, 0)
        worked = used.ru_utime + used.ru_stime
    home.remove(home.home_of(pid))
    while True:  # orphans that this process adopted, if it is the first of its namespace
        try:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                return worked
        except ChildProcessError:
            return worked


def _can_unshare() -> bool:
    """Try in a throw-away process whether the kernel allows nested namespaces."""
    pid = os.fork()
    if pid == 0:
        try:
            confine.begin_pid_namespace()
            if pid := confine.fork_apart():
                _, status = os.waitpid(pid, 0)
                os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
            confine.unshare_all()
            confine.private_files(1 << 20)
            os._exit(0)
        finally:
            os._exit(1)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status) == 0
