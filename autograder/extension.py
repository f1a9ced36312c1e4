"""%load_ext autograder: the verbs in the namespace, an exercise checked whenever its cell is run, and %%needs."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from types import FunctionType
from typing import Any

from IPython.core.interactiveshell import InteractiveShell
from IPython.display import display

from simt.errors import CompileError, KernelFault, MissingCompiler

from . import backend
from .answers import check_answer
from .benchmark import bench
from .beside import start_compiler
from .checker import Score, check
from .closure import python_function
from .course import exercises, without_triton
from .cuda import CudaFunction
from .cuda_cells import register
from .hints import hint
from .journal import progress
from .mistake import Mistake
from .runner.traffic import install
from .starter import STUB
from .tracing import trace, traffic

DEFINED = (FunctionType, CudaFunction, type)  # what a cell of an exercise leaves behind
VERBS = {"hint": hint, "trace": trace, "bench": bench, "progress": progress}
VERBS |= {"check_answer": check_answer, "traffic": traffic}
STOPPED = "The check was stopped before its end: run the cell again for its card."


def load(shell: InteractiveShell) -> None:
    """Set the session up. Triton reads its environment when it is imported, so the interpreter is chosen here."""
    shell.set_custom_exc((Mistake, CompileError, KernelFault, MissingCompiler), _say_mistake)
    if os.environ.get("TRITON_INTERPRET") == "0":
        del os.environ["TRITON_INTERPRET"]  # what it says is what a machine with a GPU does anyway
    backend.choose()
    install()
    watcher = Watcher(shell)
    shell.push(VERBS | {"check": watcher.check}, interactive=False)
    register(shell)
    shell.events.register("pre_run_cell", watcher.before)
    shell.events.register("post_run_cell", watcher.after)
    shell.input_transformers_cleanup.append(needs_filter(shell))


def _say_mistake(shell: InteractiveShell, kind: Any, mistake: Any, traceback: Any, tb_offset: Any = None) -> None:
    """A mistake of the person at the keyboard is one sentence, without the traceback of our insides."""
    print(mistake)


class Watcher:
    """Checks every exercise that a cell has just defined and shows its card below the cell."""

    def __init__(self, shell: InteractiveShell):
        self.shell = shell
        self.known: dict[str, Any] = {}
        self.shown: dict[Any, Score] = {}  # the functions whose cards the last cell has shown

    def before(self, info: Any) -> None:
        if "import triton" in info.raw_cell and without_triton():
            print(f"{without_triton()}.\n")
        self.known = {name: self.shell.user_ns.get(name) for name in exercises()}

    def after(self, result: Any) -> None:
        self.shown = {}
        if "triton" in self.shell.user_ns:
            start_compiler()
        for name, old in self.known.items() if result.success else ():
            new = self.shell.user_ns.get(name)
            if isinstance(new, DEFINED) and new is not old and new.__name__ == name and worth_a_card(new):
                try:
                    self.shown[new] = check(new)
                except KeyboardInterrupt:
                    print(STOPPED)
                    return
                display(self.shown[new])

    @functools.wraps(check)
    def check(self, function: Any) -> Score:
        """Right behind its own cell a function is not judged again, and one line is enough."""
        seen = self.shown.get(function) if isinstance(function, DEFINED) else None
        if seen is not None:
            return Score(seen.verdict, brief=True)
        try:
            return check(function)
        except KeyboardInterrupt:
            raise Mistake(STOPPED) from None


def attempted(function: Any) -> bool:
    """Whether a function is more than its starter, which raises NotImplementedError in the hole."""
    if isinstance(function, CudaFunction):
        return function.attempted
    if isinstance(function, type):
        return all(attempted(method) for method in vars(function).values() if isinstance(method, FunctionType))
    if not isinstance(function, FunctionType):
        return False
    exercise = exercises().get(function.__name__)
    kernels = [function.__globals__.get(kernel.__name__) for kernel in exercise.kernels] if exercise else []
    functions = [function, *map(python_function, kernels)]
    return not any(STUB.rsplit(" ", 1)[-1] in f.__code__.co_names for f in functions if isinstance(f, FunctionType))


def worth_a_card(function: Any) -> bool:
    """Whether there is something to say of it: of a puzzle there is from the start."""
    return attempted(function) or (isinstance(function, CudaFunction) and bool(exercises()[function.__name__].puzzle))


def needs_filter(shell: InteractiveShell) -> Callable[[list[str]], list[str]]:
    """An input transformer for cells that begin with `%%needs NAME ...`.

    Such a cell runs as if the line were not there once the named exercises have been attempted; until then it says in
    one line which one to solve first.
    """

    def transform(lines: list[str]) -> list[str]:
        if not lines or not lines[0].startswith("%%needs"):
            return lines
        missing = [name for name in lines[0].split()[1:] if not attempted(shell.user_ns.get(name))]
        if not missing:
            return ["\n", *lines[1:]]
        return [f"print('This cell needs {' and '.join(missing)}: solve that first, then run this cell again.')\n"]

    return transform
