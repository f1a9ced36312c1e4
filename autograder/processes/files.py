"""Files that are written whole or not at all, and names that no file has yet."""

from __future__ import annotations

import contextlib
import os
import secrets
from datetime import date
from pathlib import Path


def write_atomically(path: Path, content: str | bytes, mode: int = 0o666) -> None:
    """Write a file so that a reader sees the old or the new one, never half of it. Text is encoded as UTF-8.

    mode: who may read and write it, where the umask lets them. Of several writers at once the last one wins. Raises
    OSError, which names `path`, and leaves the old file alone, if writing fails.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with open(half, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(content.encode() if isinstance(content, str) else content)
        os.replace(half, path)
    except BaseException as error:
        if isinstance(error, OSError):
            error.filename, error.filename2 = str(path), None  # not the half, of which nobody knows
        with contextlib.suppress(OSError):
            half.unlink()
        raise


def free_name(path: Path, why: str) -> Path:
    """A name beside `path` that no file has: NAME.WHY-YYYY-MM-DD.ipynb for a notebook, with a number if need be."""
    stem = f"{path.stem}.{why}-{date.today().isoformat()}"
    names = (path.with_name(f"{stem}{number}{path.suffix}") for number in ("", *(f"-{n}" for n in range(2, 10_000))))
    return next(name for name in names if not name.exists())
