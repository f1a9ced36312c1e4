"""Kinds of objects of which Python's garbage collector knows all that they hold.

Others, such as torch's generators of random numbers or what it saves for a backward pass, hold numbers unseen.
"""

from __future__ import annotations

import builtins
import sys
import types
from typing import Any

import numpy as np

HEAP, IMMUTABLE = 1 << 9, 1 << 8  # flags of a class: made while running, not to be changed
# Modules written in C whose objects hold only what they say.
OPEN = {"collections", "datetime", "functools", "itertools", "numpy", "operator", "types", "typing", "weakref"}
OPEN |= {"_abc", "_collections", "_functools", "_operator", "_weakref"}
# Python's own, whose module is "builtins" as that of a library's class that names none.
PYTHONS = {kind for module in (builtins, types) for kind in vars(module).values() if isinstance(kind, type)}
PYTHONS -= {getattr(types, "CapsuleType", None)}  # in which a library puts what it likes
TABLE: dict[str, int] = {}
MANY: tuple[Any, ...] = (TABLE, TABLE.keys(), TABLE.values(), TABLE.items(), [], (), set(), "", "\u0100", b"")
MANY += (bytearray(), range(0), range(2**70), memoryview(b""))
PYTHONS |= {type(of) for of in MANY} | {type(iter(of)) for of in MANY}
PYTHONS |= {type(iter(int, 0)), type(reversed([])), type(reversed(TABLE))}
OF_TORCH = ("dtype", "device", "Size", "layout", "memory_format", "finfo", "iinfo")


def size_of(value: Any) -> int:
    """Bytes of an object itself, whatever a class made while running says of them."""
    fixed: Any = next(kind for kind in type(value).__mro__ if _is_fixed(kind))
    return int(fixed.__sizeof__(value))


def is_open(value: Any, home: str) -> bool:
    """Whether the garbage collector is told of all that an object holds. home: the module of the learner's code."""
    kind = type(value)
    if type(kind).__name__ == "pybind11_type":  # of a library in C++, of which an enum alone is a number
        return hasattr(kind, "__members__")
    if isinstance(value, np.ufunc | type(np.sum)):  # numpy makes one of any function
        return _under_its_name(value)
    return isinstance(value, type) or all(_is_open_kind(base, home) for base in kind.__mro__)


def _under_its_name(function: Any) -> bool:
    module = sys.modules.get(str(getattr(function, "__module__", "numpy")), np)
    return any(getattr(place, function.__name__, None) is function for place in (np, module))


def _is_open_kind(kind: type, home: str) -> bool:
    module = str(kind.__module__)
    if not _is_fixed(kind) and _is_pythons(module, home):
        return True
    if module == "torch":
        return kind.__name__ in OF_TORCH
    return module in OPEN or kind in PYTHONS


def _is_fixed(kind: type) -> bool:
    return not kind.__flags__ & HEAP or bool(kind.__flags__ & IMMUTABLE)


def _is_pythons(module: str, home: str) -> bool:
    """Whether a module is written in Python, so that its classes are: one of the course's was made of its text."""
    found = sys.modules.get(module)
    is_text = found is not None and getattr(found, "__spec__", None) is None
    return module == home or is_text or str(getattr(found, "__file__", "")).endswith(".py")
