"""How a call failed, as data."""

from __future__ import annotations

import ast
import builtins
import difflib
import linecache
import re
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from types import FrameType
from typing import Any

NEAR = 0.75  # of two names, where one may be meant by the other
LONGEST_SIDE = 100  # characters of a value that an assertion compares
CONSTANT = re.compile(r"constexpr\[(.*?)\]")  # as Triton writes a number that is known when it compiles


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


def said_of(error: BaseException, limit: int = 500) -> str:
    """An exception's message and notes, the name that may be meant, what an assertion without a message compares."""
    try:
        notes = [f"({note})" for note in getattr(error, "__notes__", ()) if type(note) is str]
        said = str(error) or (_compared(error) if isinstance(error, AssertionError) else "")
        return " ".join(filter(None, [plainly(said + _meant(error)), *notes]))[:limit]
    except Exception:
        return "(the exception's own message could not be read)"


def plainly(said: str) -> str:
    """Triton's message with its numbers as they are: fp32[16, 64] for fp32[constexpr[16], constexpr[64]]."""
    return CONSTANT.sub(r"\1", said)


def _frame_of(error: BaseException) -> tuple[FrameType, int]:
    """Where it was raised, and at which line."""
    return list(traceback.walk_tb(error.__traceback__))[-1]


def _meant(error: BaseException) -> str:
    """The end of a sentence that names what is there under nearly the same name, as Python does on a terminal."""
    match error:
        case AttributeError(name=str(name), obj=thing):
            known = set(dir(thing))
        case NameError(name=str(name)):
            frame, _ = _frame_of(error)
            known = {*frame.f_locals, *frame.f_globals, *dir(builtins)}
        case _:
            return ""
    return nearest(name, known)


def nearest(name: str, known: set[str]) -> str:
    """The end of a sentence that names the one of the known names that may be meant; "" if none is near."""
    close = difflib.get_close_matches(name, known - {name}, n=1, cutoff=NEAR)
    return f"; did you mean {close[0]}?" if close else ""


def _compared(error: AssertionError) -> str:
    """The assertion as it stands, and the values of the names and attributes that it compares."""
    frame, line = _frame_of(error)
    text = linecache.getline(frame.f_code.co_filename, line).strip()
    try:
        values = list(_sides(ast.parse(text), frame))
    except SyntaxError:  # one of several lines
        return text
    return f"{text}: {' and '.join(values)}" if values else text


def _sides(tree: ast.Module, frame: FrameType) -> Iterator[str]:
    match tree.body:
        case [ast.Assert(ast.Compare(left, _, others))]:
            for side in (left, *others):
                if all(isinstance(node, ast.Name | ast.Attribute | ast.Load) for node in ast.walk(side)):
                    value: Any = eval(ast.unparse(side), frame.f_globals, frame.f_locals)
                    yield f"{ast.unparse(side)} is {value!r}"[:LONGEST_SIDE]
