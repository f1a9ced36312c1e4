"""A function with all that it needs, as source text, so that another process can define it."""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any


def closure(function: Any) -> list[tuple[str, str]]:
    """(label, source) pairs which, run one after another in an empty namespace, define `function` and its globals.

    What an importable module defines is imported; functions, kernels and classes of a notebook come with their source,
    at their own line numbers; numbers and strings by value. Anything else is left out.
    """
    imports: list[str] = []
    sources: dict[str, str] = {}
    _collect(function.__name__, function, imports, sources)
    return [("imports", "\n".join(dict.fromkeys(imports))), *sources.items()]


def python_function(value: Any) -> Any:
    """The function that a kernel was made from, under @triton.jit, @triton.autotune and the like."""
    while hasattr(value, "fn"):
        value = value.fn
    return value


def _collect(name: str, value: Any, imports: list[str], sources: dict[str, str]) -> None:
    value = python_function(value)
    if isinstance(value, ModuleType):
        imports.append(f"import {value.__name__} as {name}")
    elif _importable(value):
        imports.append(f"from {value.__module__} import {value.__qualname__} as {name}")
    elif isinstance(value, FunctionType | type) and name not in sources:
        lines, first = inspect.getsourcelines(value)
        sources[name] = ""  # names that refer to each other in a circle end here
        for other, needed in _globals_of(value, "".join(lines)):
            _collect(other, needed, imports, sources)
        del sources[name]
        sources[name] = "\n" * (first - 1) + textwrap.dedent("".join(lines))
    elif isinstance(value, int | float | str | None):
        imports.append(f"{name} = {value!r}")
    elif type(value).__name__ == "dtype":  # torch's: torch.float32
        imports.append(f"import torch; {name} = {value!r}")
    elif type(value).__name__ == "constexpr":
        imports.append(f"import triton.language; {name} = triton.language.constexpr({value.value!r})")


def _globals_of(value: Any, source: str) -> Iterator[tuple[str, Any]]:
    space = value.__globals__ if isinstance(value, FunctionType) else vars(sys.modules[value.__module__])
    nodes = list(ast.walk(ast.parse(textwrap.dedent(source))))
    used = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    own = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    own |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    yield from ((name, space[name]) for name in sorted((used - own) & space.keys()))


def _importable(value: Any) -> bool:
    name = getattr(value, "__module__", None) or "__main__"
    module = sys.modules.get(name)
    if name == "__main__" or not getattr(module, "__file__", None) or not hasattr(value, "__qualname__"):
        return False
    found = getattr(module, value.__qualname__, None)
    return python_function(found) is value
