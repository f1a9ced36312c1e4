"""The wall's command lines: an interpreter, or another program, that sees nothing of this machine but what it needs.

Imports neither numpy nor PyTorch, so that a confined interpreter can be started while they are still imported here.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import importlib.util
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
import threading
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..runner.wall.confine import SYSTEM
from ..runner.wall.home import remove
from ..spec.folders import SIMT, ours_in

RUNNER = Path(__file__).parents[1] / "runner"
INSIDE, HOME = "/sandbox", "/sandbox/home"
PATHS = (  # those of libraries come before the interpreter's own, as they do here, and after Python's
    "import sys; at = [path.endswith('-packages') for path in [*sys.path, '-packages']].index(True); "
    "sys.path[at:at] = sys.argv[2:]; sys.path.insert(0, sys.argv[1]); "
)
BOOT = PATHS + "from runner.zygote import main; main()"
SECONDS_TO_START = 120
PATH = "/usr/bin:/bin"  # of the system's programs: behind the wall there are no others
NOBODY = ("--unshare-all", "--uid", "65534", "--gid", "65534")  # and nowhere: in namespaces of its own
NO_BUBBLEWRAP = "there is no bubblewrap sandbox on this machine; `tilewise doctor` says how to get one"
PACKAGES = (  # numpy, torch and Triton, and what they import
    *("numpy", "torch", "triton", "ml_dtypes", "typing_extensions", "sympy", "mpmath", "networkx", "filelock"),
    *("jinja2", "markupsafe", "fsspec"),
)
ALONE = (
    "import os, sys; sys.path.insert(0, sys.argv[1]); from runner.wall import confine; "
    "confine.keep_to(sys.argv[2], sys.argv[3], sys.argv[4].split(os.pathsep)); os.execv(sys.argv[5], sys.argv[5:])"
)


@dataclass(eq=False)
class Started:
    """A confined interpreter that may not be ready yet, the socket to it, and a folder that is to go when it ends."""

    process: subprocess.Popen[bytes]
    control: socket.socket
    folder: tempfile.TemporaryDirectory[str] | None = None

    def kill(self) -> None:
        """Kill it with its whole group: a wall that is not ready yet would leave its inner process."""
        self.control.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def last_words(self) -> str:
        """What one that did not become ready said last, for which it is ended."""
        self.kill()
        said = self.process.communicate()[1].decode(errors="replace").strip().splitlines()
        self.end()
        return said[-1] if said else "no word from it"

    def end(self) -> None:
        with self.process:  # which closes its pipe and waits for its end
            self.kill()
        with _may_start:  # so that this process does not leave in the middle of it
            if self.folder:
                remove(self.folder.name)  # first, since what hostile code left there may be too deep for the other
                self.folder.cleanup()
            _running.discard(self)


_running: weakref.WeakSet[Started] = weakref.WeakSet()  # of all threads
_ahead: dict[tuple[str, bool], Started] = {}  # those of them that no sandbox has taken yet
_may_start = threading.RLock()


def start_ahead() -> None:
    """Start the interpreter that the first sandbox of this process takes: it imports PyTorch beside this one."""
    kind = best_level(), False
    if "torch" not in sys.modules and kind not in _ahead:
        _start_ahead(kind)


def _start_ahead(kind: tuple[str, bool]) -> Started:
    if not _ahead:
        atexit.register(_end_unused)
    _ahead[kind] = _start(*kind)
    return _ahead[kind]


def _end_unused() -> None:
    for unused in _ahead.values():
        unused.end()


def end_all() -> None:
    """End every interpreter, before this process leaves in the middle: another thread that asks for one, or ends one,
    waits from then on, since what it would begin now nobody would end.
    """
    _may_start.acquire()
    for running in list(_running):
        with contextlib.suppress(OSError):
            running.end()


def started(level: str, compiles: bool) -> Started:
    """One that was started ahead, or a new one. compiles: whether it runs Triton's compiler, not its interpreter."""
    with _may_start:
        return _ahead.pop((level, compiles), None) or _start(level, compiles)


def _start(level: str, compiles: bool) -> Started:
    ours, theirs = socket.socketpair()
    folder = None
    if level == "bubblewrap":
        command, environment = _bubblewrap(BOOT), _environment(HOME)
    else:
        folder = tempfile.TemporaryDirectory(prefix="tilewise-", ignore_cleanup_errors=True)
        command, environment = _plain(folder.name, BOOT), _environment(folder.name)
    process = subprocess.Popen(
        command,
        stdin=theirs.fileno(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=environment | {"TRITON_INTERPRET": "0" if compiles else "1"},
        cwd=folder.name if folder else "/",
        process_group=0,  # Ctrl-C in a terminal goes to the grader alone, which ends it; else it would be missed there
    )
    theirs.close()
    begun = Started(process, ours, folder)
    _running.add(begun)
    return begun


@functools.cache
def bwrap() -> str:
    """bubblewrap's whole path, since it is begun with another PATH than ours; "" where it is not installed."""
    return shutil.which("bwrap") or ""


@functools.cache
def best_level() -> str:
    """ "bubblewrap" where it is installed and the kernel permits it, else "limits"."""
    if not bwrap():
        return "limits"
    probe = [bwrap(), *NOBODY, "--ro-bind", "/", "/", "--proc", "/proc", "/bin/sh", "-c", ":"]
    return "bubblewrap" if subprocess.run(probe, capture_output=True).returncode == 0 else "limits"


def out_of_reach() -> str:
    """Why nothing can be graded in a sandbox, whose interpreter imports all that answers need; "" if something can.

    It waits for the interpreter that was started ahead, or starts it: the first sandbox takes it.
    """
    kind = best_level(), False
    with _may_start:
        begun = _ahead.get(kind) or _start_ahead(kind)
    ready = select.select([begun.control], [], [], SECONDS_TO_START)[0]
    if ready and begun.control.recv(1, socket.MSG_PEEK):
        return ""
    del _ahead[kind]
    return f"the sandbox does not start: {begun.last_words()}"


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
    prlimit, beside = shutil.which("prlimit", path=PATH), str(Path(program).parent)
    limits = [prlimit, "--as=4294967296", "--cpu=60", "--fsize=67108864"] if prlimit else []
    if level == "bubblewrap":
        return [*_wall([beside]), "--bind", folder, folder, *limits]
    hidden = os.pathsep.join(ours_in("/"))
    return [sys.executable, "-I", "-B", "-c", ALONE, str(RUNNER.parent), beside, folder, hidden, *limits]


def _wall(shown: Sequence[str]) -> list[str]:
    """bwrap with the system's libraries and the folders `shown` read-only, nothing of the course in them."""
    command = [bwrap(), *NOBODY, "--die-with-parent", "--new-session"]
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
        "PATH": f"{sysconfig.get_path('scripts')}:{PATH}",
        "HOME": home,
        "TMPDIR": home,
        "LC_ALL": "C.UTF-8",
    } | one
