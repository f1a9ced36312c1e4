"""exit(), quit() and os._exit() in an answer would end the kernel behind the card, and all that the session holds."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any, NoReturn

from IPython.core.interactiveshell import InteractiveShell


@contextlib.contextmanager
def exits_raise(shell: InteractiveShell) -> Iterator[None]:
    """While an answer is called all three raise SystemExit, as exit() does in a file."""
    session: Any = shell
    module: Any = os
    before, session.ask_exit = getattr(session, "ask_exit", None), _leave
    ends, module._exit = os._exit, _ends_only(os.getpid(), os._exit)
    try:
        yield
    finally:
        session.ask_exit, module._exit = before, ends


def _leave(*status: int) -> NoReturn:
    raise SystemExit(*status)


def _ends_only(kernel: int, ends: Any) -> Any:
    """os._exit for an answer: in a process that it forks off it has to end that one, which is a second kernel else."""

    def leave(status: int) -> NoReturn:
        if os.getpid() != kernel:
            ends(status)
        _leave(status)

    return leave
