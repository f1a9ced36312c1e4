"""How a child gives up its rights: own namespaces, limits, no new processes. Linux only; nothing here can be undone."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import struct
import sys
from collections.abc import Iterator, Sequence

from . import landlock, system_calls

CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUSER = 0x00020000, 0x08000000, 0x10000000
CLONE_NEWPID, CLONE_NEWNET = 0x20000000, 0x40000000
MS_NOSUID, MS_NODEV, MS_NOEXEC = 2, 4, 8
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP = 1, 4, 38, 22
SECCOMP_MODE_FILTER = 2
WIDE = 32 << 30  # bytes of addresses for arrays whose offsets need more than 32 bits
STACK = 8 << 20  # bytes, as on most systems
FILES = 1000  # in a file system in memory: each takes a kilobyte there that no size counts
SIGNALS = 64  # that may wait, and timers: the kernel counts them for a user
THREADS = 256
OWN = "/proc/self"
UNCOUNTED = 64 << 20  # bytes that may be held and that RLIMIT_DATA does not count: stacks, tables of libraries

_libc = ctypes.CDLL(None, use_errno=True)


def begin_pid_namespace() -> None:
    """Go on in a process that is the first of a new PID namespace and may begin others in it, as `fork_apart` does.

    The one that calls this has one thread; it waits there, and ends as that process does, or that with it. Raises
    OSError where the kernel does not allow it, where it may hold only some of these rights.
    """
    _unshare_as_oneself(CLONE_NEWPID)
    if pid := os.fork():
        _, status = os.waitpid(pid, 0)
        os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
    die_with_parent()


def fork_apart() -> int:
    """os.fork() for a child that is the first process of a PID namespace of its own."""
    own = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
    try:
        _call("unshare", CLONE_NEWPID)
        if pid := os.fork():
            _call("setns", own, CLONE_NEWPID)  # else there could be no second one
        return pid
    finally:
        os.close(own)


def unshare_all() -> None:
    """Move into new user, mount, IPC and network namespaces. Needs one thread; raises OSError where it may not."""
    _unshare_as_oneself(CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWNET)


def _unshare_as_oneself(kinds: int) -> None:
    """Move into new namespaces, of users too, with all rights there, and be called there as here."""
    uid, gid = os.getuid(), os.getgid()
    _call("unshare", CLONE_NEWUSER | kinds)
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{uid} {uid} 1")
    _write("/proc/self/gid_map", f"{gid} {gid} 1")


def private_files(size: int, hidden: Sequence[str] = ()) -> None:
    """A fresh, empty home and /dev/shm of at most `size` bytes and FILES files each.

    And nothing in /proc and the folders `hidden`.
    """
    flags, home = MS_NOSUID | MS_NODEV, os.environ["HOME"]
    empty = dict.fromkeys(("/proc", *hidden), "nr_inodes=2,mode=555")
    own = dict.fromkeys((home, "/dev/shm"), f"size={size},nr_inodes={FILES}")
    for path, options in (own | empty).items():
        _call("mount", b"tmpfs", path.encode(), b"tmpfs", flags, options.encode())
    os.chdir(home)


def limit(memory: int, cpu_seconds: int, file_size: int, counted_apart: bool = True) -> None:
    """Limit what this process may use from here on: `memory` and `file_size` in bytes, on top of what it holds now.

    Memory is what can be written; addresses without memory, such as those between a wide array's elements, are cheaper.
    counted_apart: whether threads of others of the same user are not counted with those of this process. Where they
    are, they could leave it none, so that all are looked at instead: see `holds_too_much`.
    """
    with process(OWN) as own:
        held, *_, data, _ = in_memory(own)
    used = int(resource.getrusage(resource.RUSAGE_SELF).ru_utime) + 1
    for kind, value in (
        (resource.RLIMIT_AS, held + memory + WIDE),
        (resource.RLIMIT_DATA, data + memory),
        (resource.RLIMIT_STACK, STACK),  # which RLIMIT_DATA does not count
        (resource.RLIMIT_CPU, used + cpu_seconds),
        (resource.RLIMIT_FSIZE, file_size),
        (resource.RLIMIT_NOFILE, 64),
        *([(resource.RLIMIT_NPROC, THREADS)] if counted_apart else []),
        (resource.RLIMIT_SIGPENDING, SIGNALS),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(kind)
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (value, value))


@contextlib.contextmanager
def process(folder: str) -> Iterator[int]:
    """The folder of a process in /proc, open."""
    found = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield found
    finally:
        os.close(found)


def in_memory(of: int) -> list[int]:
    """The numbers of a process's statm, in bytes; all 0 once it has ended. Raises OSError if it is no more."""
    with open(os.open("statm", os.O_RDONLY, dir_fd=of), "rb") as statm:
        return [int(pages) * os.sysconf("SC_PAGE_SIZE") for pages in statm.read().split()]


def holds_too_much(child: int, memory: int) -> bool:
    """Whether a child that may take `memory` bytes holds more, or more than THREADS threads. Raises OSError if it is no
    more. This process is what it was forked from.

    RLIMIT_DATA counts what can be written, and not what was written and can only be read since; RLIMIT_NPROC the
    threads of a user, and none of root.
    """
    if os.stat("task", dir_fd=child).st_nlink - 2 > THREADS:
        return True
    with process(OWN) as own:
        *_, data, _ = in_memory(own)
    _, resident, of_files, *_ = in_memory(child)
    return resident - of_files > data + memory + UNCOUNTED


def be_closed(closed: bool = True) -> None:
    """Let no process of the same user look into this one's memory, or be open to that again."""
    _call("prctl", PR_SET_DUMPABLE, int(not closed), 0, 0, 0)


def die_with_parent() -> None:
    """Ask the kernel to kill this process when its parent ends."""
    _call("prctl", PR_SET_PDEATHSIG, 9, 0, 0, 0)


# Besides the interpreter's own folders: libraries, and devices that hold no data.
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/alternatives")
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


def keep_to(program: str, folder: str, hidden: Sequence[str]) -> None:
    """Leave this process and its children the system's files and those in `program`, and `folder` to write to.

    And nothing in the folders `hidden`.
    """
    _call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    landlock.keep_only({program, *SYSTEM}, {folder, *DEVICES}, hidden)


def drop_rights(hidden: Sequence[str] = (), libraries: Sequence[str] = ()) -> bool:
    """No capabilities, no new processes, namespaces, mounts or sockets, no signals to others or tracing of them.

    And no files but the interpreter's and those in `libraries`, less the folders `hidden`, and those of the home.
    False if only partly possible.
    """
    header = struct.pack("Ii", 0x20080522, 0)  # _LINUX_CAPABILITY_VERSION_3, this process
    _libc.capset(header, struct.pack("6I", 0, 0, 0, 0, 0, 0))
    _call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    interpreter = {os.path.realpath(p) for p in (sys.prefix, sys.base_prefix)} | {sys.prefix, sys.base_prefix}
    landlocked = landlock.keep_only({*interpreter, *libraries, *SYSTEM}, {os.environ["HOME"], *DEVICES}, hidden)
    program = system_calls.filtered()
    if program is None:
        return False
    buffer = ctypes.create_string_buffer(program)
    count = len(program) // 8
    fprog = struct.pack("HxxxxxxP", count, ctypes.addressof(buffer))
    _call("prctl", PR_SET_SECCOMP, SECCOMP_MODE_FILTER, fprog, 0, 0)
    return landlocked


def _call(name: str, *args: object) -> None:
    if getattr(_libc, name)(*args) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)
