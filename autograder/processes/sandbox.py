"""The grader's side of the wall: start a confined interpreter, get fresh children, talk to them under time limits.

Two levels. "bubblewrap": own mount, PID, network, IPC and user namespaces, an empty home, nothing of the course in
view. "limits": where bubblewrap is missing or not permitted, an isolated interpreter with resource limits and no new
processes, sockets or signals, and no files of the course or of users if the kernel has Landlock (5.13 or newer). The
level is written into every result.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import sysconfig
import tempfile
import time
import weakref
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..runner import protocol
from ..runner.wall.confine import SYSTEM
from ..spec.folders import SIMT, ours_in
from .child_link import Child, Limits, SandboxError

RUNNER = Path(__file__).parents[1] / "runner"
INSIDE, HOME = "/sandbox", "/sandbox/home"
PATHS = "import sys; sys.path[:0] = sys.argv[1:2]; sys.path += sys.argv[2:]; "
BOOT = PATHS + "from runner.zygote import main; main()"
PROBE = PATHS + "from importlib.util import find_spec; print(*(n for n in {needed!r} if not find_spec(n)))"
NEEDED = ("numpy", "torch", "ml_dtypes")
PACKAGES = (  # numpy, torch and Triton, and what they import
    *("numpy", "torch", "triton", "ml_dtypes", "typing_extensions", "sympy", "mpmath", "networkx", "filelock"),
    *("jinja2", "markupsafe", "fsspec"),
)
ALONE = (
    "import os, sys; sys.path.insert(0, sys.argv[1]); from runner.wall import confine; "
    "confine.keep_to(sys.argv[2], sys.argv[3], sys.argv[4].split(os.pathsep)); os.execv(sys.argv[5], sys.argv[5:])"
)
SECONDS_TO_START = 120


class Sandbox:
    """One interpreter behind the wall, from which children are forked. Use as a context manager, from one thread."""

    def __init__(self, level: str | None = None, compiles: bool = False):
        """compiles: whether it runs Triton's compiler instead of its interpreter."""
        self.level = level or best_level()
        self._interpret = {"TRITON_INTERPRET": "0" if compiles else "1"}
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._used = self._separate = False
        self._start()
        _open.add(self)

    def child(self, limits: Limits) -> Child:
        """A fresh child that has seen no submission."""
        ours, theirs = socket.socketpair()
        known = asdict(limits) | {"cpu_seconds": limits.cpu_seconds}
        hidden = [] if self.level == "bubblewrap" else ours_in("/")
        try:
            if self._used and not self._separate:  # the next child would find what this one left, so start anew
                self.close()
                self._start()
            protocol.send(self._control, {"do": "start", "limits": known, "hidden": hidden})
            socket.send_fds(self._control, [b"x"], [theirs.fileno()])
            pid = self._answer()["child"]
        except (OSError, EOFError) as error:
            ours.close()
            raise SandboxError(f"the sandbox stopped answering ({type(error).__name__})") from None
        finally:
            theirs.close()
        self._used = True
        return Child(limits, ours, functools.partial(self.kill, pid))

    def kill(self, pid: int) -> None:
        """End a child and all its descendants."""
        try:
            protocol.send(self._control, {"do": "kill", "child": pid})
            self._answer()
        except (OSError, EOFError):
            raise SandboxError("the sandbox stopped answering") from None

    def close(self) -> None:
        """End the interpreter and every child."""
        self._control.close()
        with self._process:  # which closes its pipe and waits for its end
            self._process.kill()
        if self._folder:
            self._folder.cleanup()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _start(self) -> None:
        self._used = False
        ours, theirs = socket.socketpair()
        self._control: socket.socket = ours
        if self.level == "bubblewrap":
            command, environment = _bubblewrap(BOOT), _environment(HOME)
        else:
            self._folder = tempfile.TemporaryDirectory(prefix="tilewise-", ignore_cleanup_errors=True)
            command, environment = _plain(self._folder.name, BOOT), _environment(self._folder.name)
        self._process = subprocess.Popen(
            command,
            stdin=theirs.fileno(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=environment | self._interpret,
            cwd=self._folder.name if self._folder else "/",
        )
        theirs.close()
        try:
            self._separate = self._answer(SECONDS_TO_START)["level"] != "limits"
        except (OSError, EOFError, protocol.ProtocolError):
            self._control.close()
            self._process.kill()
            said = self._process.communicate()[1].decode(errors="replace").strip().splitlines()
            raise SandboxError(f"the sandbox did not start: {said[-1] if said else 'no word from it'}") from None

    def _answer(self, seconds: float = 30) -> dict[str, Any]:
        return protocol.receive(self._control, deadline=time.monotonic() + seconds)[0]


_open: weakref.WeakSet[Sandbox] = weakref.WeakSet()


def close_all() -> None:
    """End every sandbox of this process, also those of other threads, before an interrupted grader leaves."""
    for sandbox in list(_open):
        with contextlib.suppress(OSError):
            sandbox.close()


@functools.cache
def best_level() -> str:
    """ "bubblewrap" where it is installed and the kernel permits it, else "limits"."""
    if not shutil.which("bwrap"):
        return "limits"
    probe = [
        "bwrap",
        "--unshare-all",
        "--uid",
        "65534",
        "--gid",
        "65534",
        "--ro-bind",
        "/",
        "/",
        "--proc",
        "/proc",
        "true",
    ]
    return "bubblewrap" if subprocess.run(probe, capture_output=True).returncode == 0 else "limits"


def out_of_reach() -> str:
    """Why code in the sandbox could not import what every answer needs; "" if it can. Takes a tenth of a second."""
    probe = PROBE.format(needed=NEEDED)
    if best_level() == "bubblewrap":
        command = _bubblewrap(probe)
    else:
        command = [sys.executable, "-I", "-B", "-c", probe, str(RUNNER.parent), *libraries()]
    ran = subprocess.run(command, capture_output=True, text=True, env=_environment("/"))
    if ran.returncode:
        return f"the sandbox does not start: {(ran.stderr.strip().splitlines() or ['no word from it'])[-1]}"
    return f"the sandbox does not find {' and '.join(ran.stdout.split())}" if ran.stdout.strip() else ""


@functools.cache
def libraries() -> tuple[str, ...]:
    """Folders of PACKAGES that are not the interpreter's own: found through PYTHONPATH, a .pth file or --user."""
    own = tuple(os.path.realpath(prefix) + os.sep for prefix in (sys.prefix, sys.base_prefix))
    specs = filter(None, map(importlib.util.find_spec, PACKAGES))
    files = ((Path(spec.origin), bool(spec.submodule_search_locations)) for spec in specs if spec.origin)
    folders = (file.parents[is_package] for file, is_package in files)
    return tuple(dict.fromkeys(str(f) for f in folders if not os.path.realpath(f).startswith(own)))


def _bubblewrap(code: str) -> list[str]:
    """bwrap with the interpreter and its libraries read-only, the runner, and nothing else of this machine."""
    prefixes = {*map(os.path.realpath, (sys.base_prefix, sys.prefix)), sys.base_prefix, sys.prefix}
    shown = sorted({*prefixes, *libraries()})
    command = _wall([path for path in shown if not path.startswith("/usr/") and path != "/usr"])
    command += ["--dev", "/dev", "--proc", "/proc", "--dir", "/tmp"]
    for folder in (RUNNER, SIMT):
        command += ["--ro-bind", str(folder), f"{INSIDE}/{folder.name}"]
    command += ["--tmpfs", HOME, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", HOME]
    return [*command, sys.executable, "-I", "-B", "-c", code, INSIDE, *libraries()]


def around(program: str, folder: str, level: str) -> list[str]:
    """What to put before a call of `program` on hostile files in `folder`, so that it sees and uses little else."""
    prlimit, beside = shutil.which("prlimit"), str(Path(program).parent)
    limits = [prlimit, "--as=4294967296", "--cpu=60", "--fsize=67108864"] if prlimit else []
    if level == "bubblewrap":
        return [*_wall([beside]), "--bind", folder, folder, *limits]
    hidden = os.pathsep.join(ours_in("/"))
    return [sys.executable, "-I", "-B", "-c", ALONE, str(RUNNER.parent), beside, folder, hidden, *limits]


def _wall(shown: Sequence[str]) -> list[str]:
    """bwrap with the system's libraries and the folders `shown` read-only, nothing of the course in them."""
    command = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--uid", "65534", "--gid", "65534"]
    command += ["--hostname", "sandbox", "--cap-drop", "ALL"]
    for path in SYSTEM:
        command += ["--symlink", os.readlink(path), path] if os.path.islink(path) else ["--ro-bind-try", path, path]
    for path in shown:
        command += ["--ro-bind", path, path]
    for path in (hidden for folder in ("/usr", *shown) for hidden in ours_in(folder)):
        command += ["--tmpfs", path, "--remount-ro", path]
    return command


def _plain(folder: str, code: str) -> list[str]:
    """The same interpreter without a wall, with a copy of the runner as the only part of the course on its path."""
    for part in (RUNNER, SIMT):
        shutil.copytree(part, Path(folder) / part.name, ignore=shutil.ignore_patterns("__pycache__"))
    return [sys.executable, "-I", "-B", "-c", code, folder, *libraries()]


def _environment(home: str) -> dict[str, str]:
    """Only those environment variables that an interpreter needs. One thread, so that namespaces can be left."""
    one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return {
        "PATH": sysconfig.get_path("scripts") + ":/usr/bin:/bin",
        "HOME": home,
        "TMPDIR": home,
        "LC_ALL": "C.UTF-8",
    } | one
