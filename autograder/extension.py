"""%load_ext autograder: the verbs in the namespace, an exercise checked whenever its cell is run, and %%needs."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from types import FunctionType
from typing import Any

from IPython.core.interactiveshell import InteractiveShell
from IPython.display import display

from .answers import check_answer
from .checker import Score, check
from .course import exercises
from .hints import hint
from .journal import progress
from .starter import STUB

VERBS = {"hint": hint, "progress": progress, "check_answer": check_answer}


def load(shell: InteractiveShell) -> None:
    """Set the session up. Triton reads its environment when it is imported, so the interpreter is chosen here."""
    _choose_backend()
    watcher = Watcher(shell)
    shell.push(VERBS | {"check": watcher.check}, interactive=False)
    shell.events.register("pre_run_cell", watcher.before)
    shell.events.register("post_run_cell", watcher.after)
    shell.input_transformers_cleanup.append(needs_filter(shell))


def _choose_backend() -> None:
    try:
        import torch

        on_gpu = torch.cuda.is_available()
    except ImportError:
        on_gpu = False
    if not on_gpu:
        os.environ.setdefault("TRITON_INTERPRET", "1")


class Watcher:
    """Checks every exercise that a cell has just defined and shows its card below the cell."""

    def __init__(self, shell: InteractiveShell):
        self.shell = shell
        self.known: dict[str, Any] = {}
        self.shown: dict[Any, Score] = {}  # the functions whose cards the last cell has shown

    def before(self, info: Any) -> None:
        self.known = {name: self.shell.user_ns.get(name) for name in exercises()}

    def after(self, result: Any) -> None:
        self.shown = {}
        for name, old in self.known.items() if result.success else ():
            new = self.shell.user_ns.get(name)
            if isinstance(new, FunctionType) and new is not old and new.__name__ == name and attempted(new):
                self.shown[new] = check(new)
                display(self.shown[new])

    @functools.wraps(check)
    def check(self, function: Any) -> Score:
        """Right behind its own cell a function is not judged again, and one line is enough."""
        seen = self.shown.get(function) if isinstance(function, FunctionType) else None
        return Score(seen.verdict, brief=True) if seen else check(function)


def attempted(function: Any) -> bool:
    """Whether a function is more than its starter, which raises NotImplementedError in the hole."""
    code = getattr(function, "__code__", None)
    return code is not None and STUB.rsplit(" ", 1)[-1] not in code.co_names


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
