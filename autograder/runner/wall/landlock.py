"""Landlock: a process without any privilege gives up all files but a few, for good. Linux 5.13 or newer."""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable, Iterator, Sequence

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same numbers on every machine
VERSION, PATH_BENEATH = 1, 1
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, TRUNCATE = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 14
ABSTRACT_SOCKETS, SIGNALS = 1, 2

_libc = ctypes.CDLL(None, use_errno=True)


def version() -> int:
    """The kernel's version of Landlock, 0 or less if it has none."""
    found: int = _libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), VERSION)
    return found


def keep_only(readable: Iterable[str], writable: Iterable[str], hidden: Sequence[str] = ()) -> bool:
    """Refuse this process and its children every file that lies beneath none of the given paths, or in `hidden`.

    hidden: folders, by their real paths; the names of their files can still be listed. Signals to processes outside
    are refused as well where the kernel can. The process must have no_new_privs set.

    False, and nothing done, where the kernel has no Landlock.
    """
    known = version()
    if known < 1:
        return False
    every = (1 << {1: 13, 2: 14, 3: 15, 4: 15}.get(known, 16)) - 1  # the rights that this kernel knows
    scoped = ABSTRACT_SOCKETS | SIGNALS if known >= 6 else 0
    ruleset = _call(CREATE_RULESET, struct.pack("QQQ", every, 0, scoped), ctypes.c_size_t(24), 0)
    granted = {part: rights for path in readable for part, rights in _without(os.path.realpath(path), hidden)}
    for path, rights in (granted | dict.fromkeys(writable, every)).items():
        if os.path.exists(path):
            _allow(ruleset, path, rights & every)
    _call(RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)
    return True


def _without(path: str, hidden: Sequence[str]) -> Iterator[tuple[str, int]]:
    """What to grant of `path`: Landlock takes nothing away, so a folder with one of the hidden in it is taken apart."""
    inside = [folder for folder in hidden if os.path.commonpath([folder, path]) == path]
    if not inside:
        yield path, EXECUTE | READ_FILE | READ_DIR
    elif path not in inside:
        yield path, READ_DIR
        for entry in os.scandir(path):
            if not entry.is_symlink():
                yield from _without(entry.path, inside)


def _allow(ruleset: int, path: str, rights: int) -> None:
    fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    if not stat.S_ISDIR(os.fstat(fd).st_mode):
        rights &= EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE
    _call(ADD_RULE, ruleset, PATH_BENEATH, struct.pack("=Qi", rights, fd), 0)
    os.close(fd)


def _call(number: int, *arguments: object) -> int:
    result: int = _libc.syscall(number, *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), f"landlock: {os.strerror(ctypes.get_errno())}")
    return result
