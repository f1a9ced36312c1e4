"""How a call failed, as data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """The kinds of failure that are neither an exception of Python's nor a fault of a CUDA kernel (simt.errors)."""

    NOT_DEFINED = "NotDefined"  # an answer without the exercise's function
    ENDED = "ProcessEnded"  # an answer that took its process with it
    TOO_LARGE = "TooLarge"  # an answer many times as large as what is expected
    TIMEOUT = "Timeout"
    INTERRUPTED = "Interrupted"  # by the learner, who waited long enough
    REFUSED_BY_ASSEMBLER = "AssemblerError"
    DEADLOCK = "Deadlock"  # ranks that wait for each other, or for one that has ended
    OVERWRITTEN = "Overwritten"  # what a rank was still sending
    TOO_EARLY = "TooEarly"  # a use of what was still being received
    MISMATCH = "Mismatch"  # the two ends of a message, or the ranks in a collective, that do not fit
    UNFINISHED = "Unfinished"  # a message that one end never asked for, or never waited for
    REFUSED = "Refused"  # a message that no backend sends
    NOT_SENT = "NotSent"  # a use of what another rank holds


@dataclass
class Failure:
    """An exception raised by the learner's code: its type, message, and the last of their lines in the traceback."""

    kind: str
    message: str
    line: int = 0
    text: str = ""
    function: str = ""
    step: int = 0  # of an object's operations, from 1

    @property
    def is_hole(self) -> bool:
        """Whether it is what a starter leaves to be written, in `function`; torch raises the same, and says why."""
        return self.kind == NotImplementedError.__name__ and not self.message
