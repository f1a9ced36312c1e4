"""The zygote: a clean interpreter with torch imported that forks a fresh, confined child for every submission.

It pays for the imports once, holds no secrets, and talks to the grader over the socket that is its standard input:
{"do": "start", "limits", "hidden", "gradients"} and one more socket -> {"child"}; {"do": "kill", "child"} -> {"ended"}.
"""

from __future__ import annotations

import contextlib
import gc
import os
import shutil
import signal
import socket
import sys
from typing import Any

from . import child, no_triton
from . import translate as compiler
from .helper.forks import import_for_gradients
from .meters import traffic
from .protocol import receive, send
from .wall import cells, clock, confine, freed, landlock


def main() -> None:
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
    confine.adopt_orphans()

    control = socket.socket(fileno=os.dup(0))
    gc.freeze()
    level = "namespaces" if _can_unshare() else "landlock" if landlock.version() > 0 else "limits"
    send(control, {"ready": True, "level": level})
    while True:
        try:
            request, _ = receive(control)
        except EOFError:
            return
        if request["do"] == "start":
            if request["gradients"]:
                import_for_gradients()
            _, fds, _, _ = socket.recv_fds(control, 1, 1)
            send(control, {"child": _start(fds[0], request, level, control)})
            os.close(fds[0])
        else:
            send(control, {"ended": _kill(request["child"])})


def _start(fd: int, request: dict[str, Any], level: str, control: socket.socket) -> int:
    """Fork a child that serves on `fd`. With namespaces a process in between begins the PID namespace.

    The child begins when that one has ended and this process is its parent, with which it is to die.
    """
    read_end, write_end = os.pipe()
    wait_end, begin_end = os.pipe()
    middle = os.fork()
    if middle:
        os.close(write_end)
        os.close(wait_end)
        with os.fdopen(read_end) as pipe:
            text = pipe.read()
        if level == "namespaces":
            os.waitpid(middle, 0)
        with contextlib.suppress(BrokenPipeError):
            os.write(begin_end, b"x")
        os.close(begin_end)
        return int(text or 0) if level == "namespaces" else middle
    try:
        control.close()
        os.close(read_end)
        os.close(begin_end)
        if level == "namespaces":
            confine.unshare_all()
            pid = os.fork()
            if pid:
                os.write(write_end, str(pid).encode())
                os._exit(0)
        os.close(write_end)
        if os.read(wait_end, 1):
            os.close(wait_end)
            _become_child(fd, request["limits"], request["hidden"], level)
    finally:
        os._exit(1)


def _become_child(fd: int, limits: dict[str, Any], hidden: list[str], level: str) -> None:
    os.setsid()
    sock = socket.socket(fileno=fd)
    child.silence()
    freed.forget()
    clock.stand_in()
    confine.limit(limits["memory"], limits["cpu_seconds"], limits["file_size"])
    confine.die_with_parent()
    if level == "namespaces":
        confine.private_files(limits["file_size"], hidden)
    if level == "landlock":
        confine.own_home()
    confine.drop_rights(hidden, sys.argv[2:])  # where libraries lie that are not the interpreter's own
    child.serve(sock)


def _kill(pid: int) -> bool:
    """Kill a child. As the first process of its PID namespace it takes its descendants with it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)
    shutil.rmtree(confine.home_of(pid), ignore_errors=True)
    while True:  # orphans that this process adopted, if it is the first of its namespace
        try:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                return True
        except ChildProcessError:
            return True


def _can_unshare() -> bool:
    """Try in a throw-away process whether the kernel allows nested namespaces."""
    pid = os.fork()
    if pid == 0:
        try:
            confine.unshare_all()
            if os.fork() == 0:
                confine.private_files(1 << 20)
                os._exit(0)
            _, status = os.wait()
            os._exit(os.waitstatus_to_exitcode(status))
        finally:
            os._exit(1)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status) == 0
