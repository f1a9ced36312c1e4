"""What the person at the keyboard can fix, and what they may have meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

LIST_SHOWS = "; `tilewise list` shows the names"


class UserError(ValueError):
    """The message says in one sentence what is wrong and what to do; the command line prints it and nothing else."""


def kind_and_message(error: BaseException) -> str:
    """As a traceback ends: of an exception without a message, as MemoryError often is, its kind alone."""
    return ": ".join(filter(None, (type(error).__name__, str(error))))


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """The end of a sentence that names the known words nearest to `name`, at most three; `otherwise` if none is."""
    close = difflib.get_close_matches(name, list(known), n=3)
    return f"; did you mean {' or '.join(close)}?" if close else otherwise
