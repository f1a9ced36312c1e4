"""A learner's CUDA C++ kernel, from a cell (%%cuda NAME) or from NAME.cu beside the notebook, behind its launcher."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from simt import gpu, using
from simt.compiler import library
from simt.errors import CompileError
from simt.source import Source

from ..runner.observe import describe
from ..runner.translate import TARGETS
from ..spec.catalogue import exercise_named
from ..spec.exercise import Exercise
from .assembly import Compiled


class CudaFunction:
    """Takes and returns what the exercise's function does, with the kernel of this text in place of the course's."""

    __name__: str

    def __init__(self, name: str, text: str = "", path: Path | None = None):
        """path: the file that holds the text, read again at every call."""
        functools.update_wrapper(self, exercise_named(name).function)
        self._text, self.path = text, path

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        with using(self.__name__, self.text):
            return exercise_named(self.__name__).function(*args, **kwargs)

    def __repr__(self) -> str:
        return f"{self.__name__}, a CUDA kernel from {self.path or 'a cell'}"

    @property
    def text(self) -> str:
        """The kernel's source as it stands now."""
        return self.path.read_text() if self.path else self._text

    @property
    def attempted(self) -> bool:
        """Whether it is more than its starter."""
        return not exercise_named(self.__name__).untouched(self.text)


def compile_all(name: str, texts: Sequence[str], defines: Mapping[str, int]) -> None:
    """Compile many versions of a kernel for this machine, all cores at a time, so that each is there when it is run."""

    def compile_one(text: str) -> None:
        with contextlib.suppress(CompileError):
            library(Source(name, text, tuple(defines.items())), watched=True)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(compile_one, texts))


def compile_for_gpus(exercise: Exercise, text: str) -> list[Compiled]:
    """What NVIDIA's compiler says of a kernel, on any machine that has it. Empty where it is not installed."""
    try:
        import cuda.core  # noqa: F401
    except ImportError:
        return []
    found = []
    for defines in exercise.builds:
        for target in TARGETS:
            try:
                built = gpu.build(Source(exercise.name, text, tuple(defines.items())), target)
            except CompileError as error:
                return [Compiled(exercise.name, target, failure=describe(error))]
            if not built.registers:
                continue
            label = exercise.name + "".join(f" {key}={value}" for key, value in defines.items())
            found.append(Compiled(label, target, built.registers, built.spilled, built.shared))
    return found
