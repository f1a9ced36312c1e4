"""What a child has defined: modules and cells, in their order, which can be defined anew, as before any call."""

from __future__ import annotations
import __future__

import ast
import builtins
import dis
import linecache
import sys
from collections.abc import Callable
from types import CodeType, ModuleType, TracebackType
from typing import Any

import numpy as np

from ..failure import Failure

ANNOTATIONS = __future__.annotations.compiler_flag  # of the only future that Python has yet
Describe = Callable[[BaseException, str], Failure]  # an error as data, of code in the file of this name


class Cells:
    """The one namespace in which cells run, and the modules of the course on which the lesson builds."""

    def __init__(self, describe: Describe) -> None:
        self._describe = describe
        self._defined: dict[str, Callable[[], Failure | None]] = {}  # by label or module, the last of each
        self._begin()

    def define(self, label: str, source: str) -> Failure | None:
        """Run a cell. Its traceback lines carry the label, and only a Failure comes back from a broken one: that of the
        first statement that fails. Those behind it are run, as the next cells of a notebook are.
        """
        return self._do(label, lambda: self._run(self.namespace, label, source, goes_on=True))

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

    def _run(self, namespace: dict[str, Any], label: str, source: str, goes_on: bool = False) -> Failure | None:
        filename = f"<{label}>"
        linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
        try:
            code = _compiled(source, filename)
            exec(code, namespace)
        except BaseException as error:
            failure = self._describe(error, filename)
            line = _line_of(sys.exc_info()[2], filename)
            if goes_on and line and _costs_no_others(error):
                _run_behind(line, source, filename, namespace)
            return failure
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


def _costs_no_others(error: BaseException) -> bool:
    """Whether what stands behind a statement that raises this may still be run."""
    return isinstance(error, Exception | SystemExit) and not isinstance(error, MemoryError)


def _line_of(raised: TracebackType | None, filename: str) -> int:
    """The line of the cell's own level that raised; 0 if none has."""
    own = raised and raised.tb_next  # behind our own frame
    return own.tb_lineno if own and own.tb_frame.f_code.co_filename == filename else 0


def _run_behind(line: int, source: str, filename: str, namespace: dict[str, Any]) -> None:
    """Run each statement of a cell that stands behind the one in this line, which has failed."""
    try:
        tree = ast.parse(source)
    except (RecursionError, MemoryError):  # of a text that Python can compile it cannot always make a tree
        return
    flags = ANNOTATIONS * any(isinstance(s, ast.ImportFrom) and s.module == "__future__" for s in tree.body)
    for statement in tree.body:
        first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", ()))])
        if (statement.end_lineno or first) < line:
            continue
        code, failed = compile(ast.Module([statement], []), filename, "exec", flags, dont_inherit=True), first <= line
        try:
            exec(code if not failed else "", namespace)
        except BaseException as error:
            if not _costs_no_others(error):
                return
            failed = True
        for name in _stored_by(code) if failed else ():
            if name in namespace or hasattr(builtins, name):
                namespace[name] = None  # and not what it was before, which the code was to change


def _stored_by(code: CodeType) -> set[str]:
    """The names of the cell's own level that code binds."""
    return {str(step.argval) for step in dis.get_instructions(code) if step.opname in ("STORE_NAME", "STORE_GLOBAL")}


def begin_libraries() -> None:
    """Give numpy and torch the state that answers may change: random numbers, and whether gradients are noted."""
    import torch

    np.random.seed(0)
    torch.default_generator.manual_seed(0)
    torch.set_grad_enabled(True)
