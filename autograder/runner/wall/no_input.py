"""Nobody types while an answer is called: in a notebook, input() would wait for it without an end."""

from __future__ import annotations

import builtins
import contextlib
from collections.abc import Iterator
from typing import NoReturn

SAID = "input() waits for somebody to type, and a check types nothing: an answer is given all it needs as arguments"


def _refused(prompt: object = "", /) -> NoReturn:
    raise EOFError(SAID)


@contextlib.contextmanager
def no_input() -> Iterator[None]:
    """Within this context input() is refused."""
    before = builtins.input
    if before is _refused:  # by a call in another thread, whose end must not be undone
        yield
        return
    builtins.input = _refused
    try:
        yield
    finally:
        builtins.input = before
