"""The folder that a class run writes to: looked at before anything is read, and held by one run at a time."""

from __future__ import annotations

import contextlib
import errno
import getpass
import os
import shutil
import socket
import time
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from ..processes.files import write_atomically
from ..spec.user_error import UserError


@contextlib.contextmanager
def held(out: Path) -> Iterator[None]:
    """Hold the folder, which is made if need be, for this run. Raises UserError if it cannot be written to, if another
    run holds it, or if writing to it fails within the context.
    """
    is_new = not out.exists()
    try:
        out.mkdir(parents=True, exist_ok=True)
        lock = FileLock(out / ".lock", blocking=False)
        with lock:
            write_atomically(out / ".holder", _me())
            try:
                yield
            finally:
                (out / ".holder").unlink(missing_ok=True)
    except Timeout:
        holder = (out / ".holder").read_text() if (out / ".holder").is_file() else "another run"
        raise UserError(f"{out} is in use by {holder}; wait until it ends, or give another folder as --out") from None
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # which does not always say of which file
        if not (full or (error.filename and Path(error.filename).absolute().is_relative_to(out.absolute()))):
            raise
        is_begun = (out / "results").is_dir()
        kept = ". What is graded already is kept: the same command goes on from there" if is_begun else ""
        mended = "make room there or give another folder as --out" if full else "give another folder as --out"
        raise UserError(f"{error.filename or out} cannot be written: {error.strerror}; {mended}{kept}") from None
    finally:
        if is_new and out.is_dir() and [path.name for path in out.iterdir()] == [".lock"]:
            shutil.rmtree(out, ignore_errors=True)  # a run that was refused leaves nothing


def _me() -> str:
    try:
        user = getpass.getuser()
    except (OSError, KeyError):  # a user without a name
        user = str(os.getuid())
    return f"{user} on {socket.gethostname()} (process {os.getpid()}, since {time.strftime('%H:%M')})"
