"""What a child has defined: modules and cells, in their order, which can be defined anew, as before any call."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable
from types import CodeType, ModuleType
from typing import Any

import numpy as np

from ..failure import Failure

Describe = Callable[[BaseException, str], Failure]  # an error as data, of code in the file of this name


class Cells:
    """The one namespace in which cells run, and the modules of the course on which the lesson builds."""

    def __init__(self, describe: Describe) -> None:
        self._describe = describe
        self._defined: dict[str, Callable[[], Failure | None]] = {}  # by label or module, the last of each
        self._begin()

    def define(self, label: str, source: str) -> Failure | None:
        """Run a cell. Its traceback lines carry the label, and only a Failure comes back from a broken one."""
        return self._do(label, lambda: self._run(self.namespace, label, source))

    def provide(self, name: str, source: str) -> None:
        """Make a module of the course importable from its text."""
        self._do(name, lambda: self._provide(name, source))

    def anew(self, name: str) -> Any:
        """The function of this name, defined anew with all that was defined. What is kept of a call, in a variable or
        in a state of a library's, is there no more: no call knows whether it is the first.
        """
        self._begin()
        begin_libraries()
        for define in self._defined.values():
            define()
        return self.namespace[name]

    def _begin(self) -> None:
        self.namespace: dict[str, Any] = {"__name__": "__main__", "__builtins__": __builtins__}

    def _do(self, name: str, define: Callable[[], Failure | None]) -> Failure | None:
        self._defined.pop(name, None)
        self._defined[name] = define
        return define()

    def _run(self, namespace: dict[str, Any], label: str, source: str) -> Failure | None:
        filename = f"<{label}>"
        linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
        try:
            exec(_compiled(source, filename), namespace)
        except BaseException as error:
            return self._describe(error, filename)
        return None

    def _provide(self, name: str, source: str) -> Failure | None:
        package, _, last = name.rpartition(".")
        parent = sys.modules.setdefault(package, ModuleType(package))
        parent.__path__ = []
        module = sys.modules[name] = ModuleType(name)
        failure = self._run(module.__dict__, name, source)
        if failure is None:
            setattr(parent, last, module)
        return failure


def _compiled(source: str, filename: str) -> CodeType:
    """The text's code. Raises SyntaxError, in words, for what Python's compiler has other errors for."""
    try:
        return compile(source, filename, "exec")
    except (RecursionError, MemoryError) as error:
        raise SyntaxError("the code is nested too deeply for Python's compiler") from error
    except UnicodeEncodeError as error:
        raise SyntaxError("half of a character (a lone surrogate) stands in the code; type it anew") from error


def begin_libraries() -> None:
    """Give numpy and torch the state that answers may change: random numbers, and whether gradients are noted."""
    import torch

    np.random.seed(0)
    torch.default_generator.manual_seed(0)
    torch.set_grad_enabled(True)
