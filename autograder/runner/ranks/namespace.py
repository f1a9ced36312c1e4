"""An answer as each rank sees it: with names of its own, so that nothing but a message leads from rank to rank."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from types import CellType, FunctionType, MemberDescriptorType, MethodType
from typing import Any

import numpy as np
import torch

from ..interpreter.origins import globals_of, made_by
from .distributed import ORIGINALS

IsLearners = Callable[[str], bool]
CACHED = type(functools.lru_cache(len))


class Namespace:
    """Makes copies of a function, of all that it calls and of what they hold, for one rank.

    home: the answer's module, in which a library's decorator may have made a function too.
    """

    def __init__(self, is_learners: IsLearners, home: str):
        self.is_learners, self.home = is_learners, home
        self._made: dict[int, Any] = {}
        self._kept: list[Any] = []  # so that no other object gets the id of one that has been seen
        self._globals: dict[int, dict[str, Any]] = {}

    def own(self, value: Any) -> Any:
        """The rank's copy of a value; libraries' things, and what cannot change, are themselves."""
        if id(value) in self._made:
            return self._made[id(value)]
        made = self._copied(value)
        self._kept.append(value)
        self._made[id(value)] = made
        return made

    def _copied(self, value: Any) -> Any:
        try:
            if value in ORIGINALS:
                return ORIGINALS[value]
        except Exception:  # it cannot be hashed
            pass
        if isinstance(value, FunctionType):
            return self._function(value)
        if isinstance(value, type):
            return self._class(value)
        if isinstance(value, (np.ndarray, torch.Tensor, bytearray)):
            return copy.deepcopy(value)
        if isinstance(value, (list, tuple, set, frozenset)) and type(value).__module__ == "builtins":
            return type(value)(self.own(item) for item in value)
        if isinstance(value, dict) and type(value) is dict:
            return {key: self.own(item) for key, item in value.items()}
        if isinstance(value, (staticmethod, classmethod)):
            return type(value)(self.own(value.__func__))
        if isinstance(value, CACHED):  # which says of itself that it is its own copy
            return functools.lru_cache(**value.cache_parameters())(self.own(value.__wrapped__))
        if isinstance(value, functools.partial):
            return functools.partial(self.own(value.func), *self.own(value.args), **self.own(value.keywords))
        if isinstance(value, MethodType):
            return MethodType(self.own(value.__func__), self.own(value.__self__))
        if isinstance(value, (str, int, float, complex, bytes, type(None))) or not hasattr(value, "__dict__"):
            return self._deep(value)
        if type(value).__module__ in ("builtins", "torch") or isinstance(value, type(np)):
            return value
        if getattr(type(value), "__new__", None) is object.__new__ and self.own(type(value)) is not type(value):
            return self._instance(value)
        return self._deep(value)

    def _instance(self, value: Any) -> Any:
        """The rank's own object of its own class, whose variables are shared by its objects."""
        made = object.__new__(self.own(type(value)))
        self._made[id(value)] = made  # before what it refers to: it may hold itself
        self._kept.append(value)
        made.__dict__.update(self.own(vars(value)))
        return made

    def _deep(self, value: Any) -> Any:
        try:
            return copy.deepcopy(value)
        except Exception:  # a lock, a generator: see `shared`
            return value

    def _function(self, function: FunctionType) -> Any:
        is_learners = self.is_learners(function.__code__.co_filename)
        module = str(function.__module__)
        if not is_learners and module != self.home and made_by(module.partition(".")[0], function):
            return function
        names = function.__globals__  # of a library, whose decorator made it
        if is_learners:
            names = self._globals.setdefault(id(names), {"__builtins__": __builtins__, "__name__": "__main__"})
        closure = tuple(CellType() for _ in function.__closure__ or ())
        made = FunctionType(function.__code__, names, function.__name__, None, closure or None)
        self._made[id(function)] = made  # before what it refers to: it may call itself
        self._kept.append(function)
        for cell, before in zip(closure, function.__closure__ or (), strict=True):
            try:
                cell.cell_contents = self.own(before.cell_contents)
            except ValueError:  # it is empty
                continue
        made.__defaults__, made.__kwdefaults__ = self.own(function.__defaults__), self.own(function.__kwdefaults__)
        made.__dict__.update(self.own(dict(function.__dict__)))
        made.__module__, made.__qualname__ = function.__module__, function.__qualname__
        made.__annotations__ = dict(function.__annotations__)
        for name in globals_of(function.__code__) if is_learners else ():
            if name in function.__globals__ and name not in names:
                names[name] = None
                names[name] = self.own(function.__globals__[name])
        return made

    def _class(self, kind: type) -> type:
        methods = [value for value in vars(kind).values() if isinstance(value, FunctionType)]
        is_own = any(self.is_learners(method.__code__.co_filename) for method in methods)
        if not is_own and kind.__module__ != "__main__":
            return kind
        slots = {name: value for name, value in vars(kind).items() if name == "__slots__"}
        held = {name: value for name, value in vars(kind).items() if name not in ("__dict__", "__weakref__", *slots)}
        held = {name: value for name, value in held.items() if not isinstance(value, MemberDescriptorType)}
        try:
            made = type(kind)(kind.__name__, kind.__bases__, slots)
            self._made[id(kind)] = made
            for name, value in held.items():
                setattr(made, name, self.own(value))
        except (TypeError, AttributeError):  # a metaclass with its own arguments
            return kind
        return made
