"""exit() and quit() in an answer: IPython's would end the kernel behind the card, and all that the session holds."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, NoReturn

from IPython.core.interactiveshell import InteractiveShell


@contextlib.contextmanager
def exits_raise(shell: InteractiveShell) -> Iterator[None]:
    """While an answer is called both raise SystemExit, as they do in a file."""
    session: Any = shell
    before, session.ask_exit = getattr(session, "ask_exit", None), _leave
    try:
        yield
    finally:
        session.ask_exit = before


def _leave() -> NoReturn:
    raise SystemExit
