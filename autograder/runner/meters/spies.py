"""How often an answer calls the functions and makes the objects that its exercise asks for, counted where they are.

A class with the methods `load` and `store`, as the course's Memory, is main memory: how many numbers each of them moves
counts, whatever the object says of itself, and whether tensors are read past them.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Sequence
from types import CodeType, FunctionType, TracebackType
from typing import Any


class Spies:
    """Context in which the named functions and classes, as `function` sees them, count their calls in `called`.

    memory: the code of main memory's methods, if it is among them.
    """

    def __init__(self, function: Any, names: Sequence[str]):
        self.called: Counter[str] = Counter()
        self.memory: set[CodeType] = set()
        self._undo: list[Callable[[], None]] = []
        self._names, self._globals = names, _globals_of(function)

    def __enter__(self) -> Spies:
        for name in self._names:
            target = self._globals.get(name)
            if isinstance(target, type):
                init = getattr(target, "__init__")  # noqa: B009 -- which may be inherited
                self._replace(target, "__init__", self._counting(name, init))
                if hasattr(target, "load") and hasattr(target, "store"):
                    methods = target.load, target.store
                    self.memory |= {method.__code__ for method in methods if isinstance(method, FunctionType)}
                    self._replace(target, "load", self._moving(f"{name}.load", target.load, is_result=True))
                    self._replace(target, "store", self._moving(f"{name}.store", target.store, is_result=False))
            elif isinstance(target, FunctionType):
                self._globals[name] = self._counting(name, target)
                self._undo.append(functools.partial(self._globals.__setitem__, name, target))
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None) -> None:
        for undo in reversed(self._undo):
            undo()

    def _replace(self, owner: type, name: str, spy: Any) -> None:
        own = vars(owner).get(name)
        setattr(owner, name, spy)
        self._undo.append(lambda: setattr(owner, name, own) if own else delattr(owner, name))

    def _counting(self, name: str, original: Any) -> Any:
        @functools.wraps(original)
        def counting(*args: Any, **kwargs: Any) -> Any:
            self.called[name] += 1
            return original(*args, **kwargs)

        return counting

    def _moving(self, name: str, original: Any, is_result: bool) -> Any:
        """is_result: whether what is moved is what the method returns, and not its last argument."""

        @functools.wraps(original)
        def moving(*args: Any, **kwargs: Any) -> Any:
            result = original(*args, **kwargs)
            moved = result if is_result else [*args, *kwargs.values()][-1]
            self.called[name] += moved.numel()
            return result

        return moving


def _globals_of(function: Any) -> dict[str, Any]:
    """The names among which a function, or the methods of a class, look for others; none if it has no code."""
    methods = vars(function).values() if isinstance(function, type) else [function]
    return next((method.__globals__ for method in methods if isinstance(method, FunctionType)), {})
