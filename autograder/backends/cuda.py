"""A learner's CUDA C++ kernel, from a cell (%%cuda NAME) or from NAME.cu beside the notebook, with its launcher."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from simt import gpu, using
from simt.compiler import compiler, libraries
from simt.errors import CompileError, MissingCompiler
from simt.source import Source, text_in

from ..processes.helpers import gpu_call, runs_cuda
from ..runner.failure import describe
from ..runner.observe import Observation
from ..runner.translate import TARGETS
from ..spec.catalogue import exercise_named
from ..spec.exercise import Arguments, Exercise
from .assembly import Compiled
from .python import Python


class CudaFunction:
    """Takes and returns what the exercise's function does, with this kernel in place of the course's."""

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
        """The kernel's source as it is now."""
        return text_in(self.path.read_bytes()) if self.path else self._text


class Cuda(Python):
    def check_call(
        self, exercise: Exercise, function: Callable[..., Any], arguments: Arguments, once: bool
    ) -> Observation | str:
        """What a GPU does with a kernel in which the instruments found no fault, or which they could not run."""
        seen = self.call(exercise, function, arguments, once)
        is_kernel = isinstance(function, CudaFunction) or function is exercise.function
        if isinstance(seen, str) or not runs_cuda() or not is_kernel:
            return seen
        if seen.failure and seen.failure.kind != MissingCompiler.__name__:
            return seen
        on_gpu = gpu_call(exercise.name, exercise.function.__module__, self.source(exercise, function), arguments)
        if isinstance(on_gpu, Observation):
            on_gpu.counts, on_gpu.lines = seen.counts, seen.lines
        return on_gpu

    def source(self, exercise: Exercise, function: Callable[..., Any]) -> str:
        return getattr(function, "text", exercise.source)

    def runnable(self, cell: str) -> str:
        """The kernel in a cell: the line of the magic becomes a comment, so that lines keep their numbers."""
        return f"// {cell}" if cell.startswith("%%cuda") else cell

    def launcher(self, exercise: Exercise) -> str:
        return f"from {exercise.function.__module__} import {exercise.name}"

    def function(self, exercise: Exercise, source: str, label: str) -> Callable[..., Any]:
        return CudaFunction(exercise.name, source)

    def compile_ahead(self, exercise: Exercise, sources: Sequence[str]) -> None:
        """Compile all of them for this machine, on all cores, so that each is ready when it is run."""
        defines = tuple(exercise.builds[0].items())

        def compile_one(text: str) -> None:
            with contextlib.suppress(CompileError):
                libraries(Source(exercise.name, text, defines))

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(compile_one, sources))

    def not_here(self, exercise: Exercise) -> str:
        if not runs_cuda():
            try:
                compiler()
            except MissingCompiler as missing:
                return f"{exercise.name} cannot be checked here: {missing}"
        return ""

    def is_compiled(self, exercise: Exercise) -> bool:
        return True

    def compiled(self, exercise: Exercise, function: Callable[..., Any], arguments: Arguments) -> list[Compiled]:
        return compile_for_gpus(exercise, self.source(exercise, function))

    def attempted(self, exercise: Exercise | None, function: Any) -> bool:
        if exercise is None or not isinstance(function, CudaFunction):
            return False
        text = function.text
        return not (exercise.is_starter(text) if exercise.puzzle else exercise.has_hole(text))

    def begun(self, exercise: Exercise, function: Any) -> bool:
        """A puzzle has begun from the start."""
        return bool(exercise.puzzle) or self.attempted(exercise, function)

    def never_begun(self, exercise: Exercise, source: str) -> bool:
        return exercise.has_hole(source)


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
