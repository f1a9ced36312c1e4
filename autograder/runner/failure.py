"""How a call failed, as data, and at which of the learner's lines."""

from __future__ import annotations

import ast
import builtins
import difflib
import functools
import importlib.util
import linecache
import re
import sys
import sysconfig
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from .meters.words import in_bytes

NEAR = 0.75  # of two names, where one may be meant by the other
LONGEST_SIDE = 100  # characters of a value that an assertion compares
FRAMES = re.compile(r"\nException raised from .*", re.DOTALL)  # of torch's C++, below some of its messages
CONSTANT = re.compile(r"constexpr\[(.*?)\]")  # as Triton writes a number that is known when it compiles
ASKS_FOR_A_GPU = re.compile(r"\bis_cuda\b|active drivers|compiled with CUDA|NVIDIA driver|a cuda device")
TRIED = re.compile(r".*you tried to allocate (\d+) bytes\.?(?: Error code \d+ \([^)]*\))?", re.DOTALL)  # torch's
NO_GPU_NEEDED = "(no GPU is needed: make tensors on x.device, whatever it is)"
_FOLDERS = [sysconfig.get_path("stdlib"), sysconfig.get_path("purelib"), str(Path(np.__file__).parent.parent)]
LIBRARIES = tuple({str(Path(folder).resolve()) for folder in _FOLDERS})
COURSE = str(Path(__file__).resolve().parents[__package__.count(".")])  # autograder; of a sandboxed child runner alone
SIMT = str(Path(importlib.util.find_spec("simt").origin or "").resolve().parent)  # type: ignore[union-attr]


class Kind(StrEnum):
    """The kinds of failure that are neither an exception of Python's nor a fault of a CUDA kernel (simt.errors)."""

    NOT_DEFINED = "NotDefined"  # an answer without the exercise's function
    ENDED = "ProcessEnded"  # an answer that took its process with it
    TOO_LARGE = "TooLarge"  # an answer many times as large as what is expected
    TIMEOUT = "Timeout"
    INTERRUPTED = "Interrupted"  # by the learner, who waited long enough
    REFUSED_BY_ASSEMBLER = "AssemblerError"
    LEAVES_BFLOAT16 = "LeavesBfloat16"  # a kernel that computes in float16 what it is given in bfloat16
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


@functools.lru_cache(maxsize=4096)  # it is asked for every frame between an operation of torch's and the learner
def is_learners(filename: str) -> bool:
    """Whether code compiled from `filename` is the learner's: not a library's, not the standard library's, not ours."""
    if filename.startswith(("<frozen", "<string", "<__array_function__", "<decorator-gen")):
        return False
    return not filename.startswith((*LIBRARIES, COURSE, SIMT, sys.prefix))


def describe(error: BaseException, home: str = "") -> Failure:
    """The exception as data, with the last traceback line that lies in the learner's code.

    home: the file of the answer. One of its lines comes before those of the functions that it uses, which work; but
    not where one of them is still to be written.
    """
    around = [error]
    while type(error).__name__ == "InterpreterError" and error.__cause__ is not None:  # Triton's, around the real one
        error = error.__cause__
        around.insert(0, error)
    failure = _out_of_memory(Failure(type(error).__name__, said_of(error), step=getattr(error, "step", 0)))
    if type(error).__module__ == f"{__package__}.ranks.world":  # of the ranks together, at a line of one of them
        kind, line = getattr(error, "kind", failure.kind), getattr(error, "line", 0)
        return Failure(str(kind), failure.message, line, getattr(error, "text", ""))
    if type(error).__module__ == "simt.errors":  # of a kernel, which knows its own lines
        kind, message = getattr(error, "kind", failure.kind), getattr(error, "message", failure.message)
        return Failure(kind, message[:500], getattr(error, "line", 0), getattr(error, "text", ""))
    if isinstance(error, SyntaxError):
        failure.line, failure.text = error.lineno or 0, (error.text or "").strip()
        return failure
    # One that begins outside of the learner's code, as a call with too few arguments does, has its line further out.
    traces = (traceback.extract_tb(each.__traceback__) for each in around)
    found = ([frame for frame in trace if is_learners(frame.filename)] for trace in traces)
    frames = next(filter(None, found), [])
    if not failure.is_hole:
        frames = [frame for frame in frames if frame.filename == home] or frames
    if frames:
        failure.line, failure.text, failure.function = frames[-1].lineno or 0, frames[-1].line or "", frames[-1].name
    if ASKS_FOR_A_GPU.search(f"{failure.message} {failure.text}"):
        failure.message = f"{failure.message} {NO_GPU_NEEDED}".lstrip()
    return failure


def _out_of_memory(failure: Failure) -> Failure:
    """The failure, with what it asked for in few words if it is torch's of memory."""
    if tried := TRIED.match(failure.message):
        said = f"asked for {in_bytes(int(tried[1]))} of memory at once, more than there is"
        failure.kind, failure.message = MemoryError.__name__, said + failure.message[tried.end() :]
    return failure


def said_of(error: BaseException, limit: int = 500) -> str:
    """An exception's message and notes, the name that may be meant, what an assertion without a message compares."""
    try:
        notes = [f"({note})" for note in getattr(error, "__notes__", ()) if type(note) is str]
        said = str(error) or _unsaid(error)
        return " ".join(filter(None, [plainly(said + _meant(error)), *notes]))[:limit]
    except Exception:
        return "(the exception's own message could not be read)"


def plainly(said: str) -> str:
    """A library's message without frames of C++, and with Triton's numbers as they are: fp32[16] for constexpr[16]."""
    return CONSTANT.sub(r"\1", FRAMES.sub("", said))


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


def _unsaid(error: BaseException) -> str:
    """What an exception without a message is about."""
    if isinstance(error, MemoryError):
        return "asked for more memory than there is"
    return _compared(error) if isinstance(error, AssertionError) else ""


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
