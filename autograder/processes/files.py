"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file so that a reader sees the old or the new one, never half of it. Text is encoded as UTF-8.

    Of several writers at once the last one wins. Raises OSError, and leaves the old file alone, if writing fails.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with open(half, "xb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        os.replace(half, path)
    except BaseException:
        with contextlib.suppress(OSError):
            half.unlink()
        raise
