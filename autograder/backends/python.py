"""Answers in numpy or torch: a Python function, or a class, which is called as it is."""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import linecache
import re
import sys
import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

from ..processes.portable import python_function
from ..runner.failure import Failure
from ..runner.meters.operations import home_of
from ..runner.observe import Observation, observe
from ..spec.code.names import bound_by
from ..spec.code.unreached import blanked
from ..spec.exercise import Arguments, Exercise
from ..spec.index import not_here
from ..spec.starter import HOLE, open_holes
from .assembly import Compiled

# Ways out of torch, beyond which neither operators nor bytes are seen.
LEAVES_TORCH = frozenset(
    f"torch.Tensor.{name}"
    for name in ("numpy", "__array__", "__dlpack__", "storage", "untyped_storage", "tolist of floating-point numbers")
)

BITS = "aten.view.dtype"  # of numbers, read as those of whole ones, which tolist hands out
TO_NUMBERS = {BITS, "torch.Tensor.tolist of floating-point numbers"}  # of Python, of which no operation is called

VERBS = frozenset({"bench", "check", "hint", "progress", "trace"})  # of the course, in a notebook
# Lines that IPython reads and Python does not: %magic, !shell, x = !shell, ?help, help?
JUPYTERS = re.compile(r"^([ \t]*)((?:\w[\w, ]*=[ \t]*)?[%!].*|\?.*|[\w.*]+\?\??[ \t]*)$", re.M)

Call = Callable[[Arguments, bool], Observation | str]  # (arguments, once) -> what was seen, or a key of STOPPED
Checking = tuple[Call, Callable[[Arguments], list[Compiled]]]
Drawn = Callable[[], tuple[Sequence[Arguments], Arguments | None]]
Item = TypeVar("Item")
Result = TypeVar("Result")


class Python:
    """How answers of one kind are called, read and compiled, and how they are told from their starter.

    operators: the torch operators that an answer may use besides those that its exercise allows; None for all that are
    not forbidden. ways_out: functions that lead out of what is measured.
    """

    operators: Collection[str] | None = None
    ways_out: frozenset[str] = LEAVES_TORCH | {BITS}

    def call(
        self, exercise: Exercise, function: Callable[..., Any], arguments: Arguments, once: bool
    ) -> Observation | str:
        """What a call does under the instruments, or "timeout" where it does not finish."""
        return observe(function, arguments, exercise.backend, once, exercise.spied, exercise.is_counted)

    def check_call(
        self, exercise: Exercise, function: Callable[..., Any], arguments: Arguments, once: bool
    ) -> Observation | str:
        """The same for a check in a notebook, where a GPU is used too."""
        return self.call(exercise, function, arguments, once)

    @contextlib.contextmanager
    def checking(self, exercise: Exercise, function: Callable[..., Any], drawn: Drawn) -> Iterator[Checking]:
        """Within this context an answer is checked in a notebook: how to call it, and what the compiler says of it.

        drawn: draws what it will be called with, and compiled for, where that is begun ahead.
        """
        yield (
            functools.partial(self.check_call, exercise, function),
            functools.partial(self.compiled, exercise, function),
        )

    def values(
        self, exercise: Exercise, function: Callable[..., Any], arguments: Arguments, once: bool
    ) -> Observation | str:
        """What comes out of the same call of one of the exercise's own mistakes, of which nothing else is asked."""
        return observe(function, arguments, exercise.backend, once, exercise.spied, values_only=True)

    def own_call(
        self, exercise: Exercise, function: Callable[..., Any], arguments: Arguments, once: bool
    ) -> Observation | str:
        """The same as `call` for one of the exercise's own mistakes."""
        return self.call(exercise, function, arguments, once)

    def each(self, function: Callable[[Item], Result], items: Sequence[Item]) -> Iterable[Result]:
        """The function's results; of functions that make calls as `values` does, beside each other where they can."""
        return map(function, items)

    def source(self, exercise: Exercise, function: Callable[..., Any]) -> str:
        """The learner's code with its line numbers: the whole cell, or, in a module, the function and its kernels."""
        try:
            inner: Any = inspect.unwrap(function)
            filename = home_of(inner)
            if not Path(filename).exists():
                return "".join(linecache.getlines(filename))
            text: list[str] = []
            kernels = [python_function(inner.__globals__.get(kernel.__name__)) for kernel in exercise.kernels]
            parts = [inspect.getsourcelines(part) for part in (*kernels, inner) if part]
            for lines, first in sorted(parts, key=lambda part: part[1]):
                text += [""] * (first - 1 - len(text)) + textwrap.dedent("".join(lines)).splitlines()
            return "\n".join(text)
        except (OSError, TypeError, AttributeError):
            return ""

    def runnable(self, cell: str) -> str:
        """The text of a cell with the lines that only IPython reads as comments, if it compiles only so, and without
        what asks the course: check(f), in a cell that was merged with the one below.
        """
        return _runnable(cell)

    def launcher(self, exercise: Exercise) -> str:
        """What has to be imported for an answer to be called; nothing where the answer itself is called."""
        return ""

    def function(self, exercise: Exercise, source: str, label: str) -> Callable[..., Any]:
        """The exercise's function compiled from another source, in a copy of its module's namespace."""
        filename = f"<{exercise.name}: {label}>"
        linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
        namespace = dict(vars(sys.modules[exercise.function.__module__]))
        exec(compile(source, filename, "exec"), namespace)
        function: Callable[..., Any] = namespace[exercise.name]
        return function

    def compile_ahead(self, exercise: Exercise, sources: Sequence[str]) -> None:
        """Compile many versions of an answer together, where that is faster than one after the other."""

    def not_here(self, exercise: Exercise) -> str:
        """Why the exercise cannot be checked on this machine, in one sentence; "" where it can."""
        return not_here(exercise)

    def is_compiled(self, exercise: Exercise) -> bool:
        """Whether a compiler has to accept the exercise's answers too."""
        return False

    def compiled(self, exercise: Exercise, function: Callable[..., Any], arguments: Arguments) -> list[Compiled]:
        """What the compiler says of an answer; nothing where there is none."""
        return []

    def attempted(self, exercise: Exercise | None, function: Any) -> bool:
        """Whether a function is more than its starter; a class only if all of its methods are."""
        if isinstance(function, type):
            methods = [method for method in vars(function).values() if isinstance(method, FunctionType)]
            return all(self.attempted(None, method) for method in methods)
        if not isinstance(function, FunctionType):
            return False
        kernels = [function.__globals__.get(kernel.__name__) for kernel in exercise.kernels] if exercise else []
        functions = [function, *map(python_function, kernels)]
        return not any(HOLE in f.__code__.co_names for f in functions if isinstance(f, FunctionType))

    def begun(self, exercise: Exercise, function: Any) -> bool:
        """Whether there is something to say about an answer; for a class from its first method on."""
        if not isinstance(function, type):
            return self.attempted(exercise, function)
        holes = open_holes(exercise.starter)
        return not holes or any(
            name not in vars(function) or self.attempted(None, getattr(function, name)) for name in holes
        )

    def never_begun(self, exercise: Exercise, source: str) -> bool:
        """Whether the text of an answer shows, before it is run, that a part of it is not written."""
        return bool(exercise.kernels) and exercise.has_hole(source)

    def met_hole(self, exercise: Exercise, failure: Failure | None, source: str) -> bool:
        """Whether a failure is that of the starter's hole; a class with some methods written is not a starter."""
        if failure is None or not failure.is_hole:
            return False
        if isinstance(exercise.function, type):
            return len(open_holes(source)) >= len(open_holes(exercise.starter))
        return failure.function == exercise.name


@functools.lru_cache(maxsize=256)  # a file is asked for once for each exercise that it answers
def _runnable(cell: str) -> str:
    try:
        compile(cell, "<cell>", "exec")
    except SyntaxError:
        cell = JUPYTERS.sub(r"\1pass  # \2", cell)
    except (ValueError, RecursionError, MemoryError):  # a null byte, or too deep nesting: the child will say so
        return cell
    return _without_verbs(cell)


def _without_verbs(source: str) -> str:
    """The source with `pass` in place of each line at its own level that only calls a verb of the course."""
    if "\r" in source or not any(f"{verb}(" in source for verb in VERBS):
        return source
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return source
    own = {name for node in ast.walk(tree) for name in bound_by(node)}
    return blanked(source, [statement for statement in tree.body if _asks_the_course(statement, VERBS - own)])


def _asks_the_course(statement: ast.stmt, verbs: Set[str]) -> bool:
    match statement:
        case ast.Expr(ast.Call(func=ast.Name(name))):
            return name in verbs
    return False
