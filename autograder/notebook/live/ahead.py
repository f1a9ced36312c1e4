"""What takes long the first time is begun when a lesson is opened: compiling what CUDA C++ runs on without a GPU."""

from __future__ import annotations

import contextlib
import threading

from simt import compiler
from simt.errors import MissingCompiler

from ...processes.helpers import runs_cuda
from ...runner.engines import ENGINES
from ...spec import index

DOING = "compiling what CUDA C++ runs on, once on this machine"
_begun: list[threading.Thread] = []


def begin(stem: str) -> None:
    """Begin, in a thread, with what the lesson of this stem needs."""
    lesson = next((lesson for lesson in index.contents() if lesson.stem == stem), None)
    if lesson is not None and not all(ENGINES[exercise.backend].is_python for exercise in lesson.exercises):
        _begin()


def _begin() -> None:
    if not _begun and not runs_cuda():
        _begun.append(threading.Thread(target=_compile_runtime, daemon=True))
        _begun[0].start()


def is_at_work() -> bool:
    return any(thread.is_alive() for thread in _begun)


def wait() -> None:
    """Until it is done; begun here where nobody said which lesson this is, so that the line says what takes long."""
    _begin()
    for thread in _begun:
        thread.join()


def _compile_runtime() -> None:
    with contextlib.suppress(MissingCompiler, RuntimeError, OSError):  # which the first check says
        compiler.runtime()
