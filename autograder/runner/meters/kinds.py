"""Kinds of objects of which Python's garbage collector knows all that they hold.

Others, such as torch's generators of random numbers or what it saves for a backward pass, hold numbers that nobody sees.
"""

from __future__ import annotations

import sys
from types import BuiltinFunctionType
from typing import Any

import numpy as np

HEAP, IMMUTABLE = 1 << 9, 1 << 8  # flags of a class: made while running, not to be changed
# Modules written in C whose objects hold only what they say.
OPEN = {*"builtins collections datetime decimal functools itertools numpy operator re types typing weakref".split()}
OPEN |= {"_abc", "_collections", "_functools", "_operator", "_struct", "_weakref"}
CLOSED = ("PyCapsule",)  # of Python's own: whatever a library puts there
OF_TORCH = ("dtype", "device", "Size", "layout", "memory_format", "finfo", "iinfo")


def is_open(value: Any, home: str) -> bool:
    """Whether the garbage collector is told of all that an object holds. home: the module of the learner's code."""
    kind = type(value)
    if isinstance(value, type | BuiltinFunctionType) or _is_numpys(value):
        return True
    return all(_is_open_kind(base, home) for base in kind.__mro__)


def _is_numpys(value: Any) -> bool:
    """Whether a function is one that numpy has under its name, and not one that was made of the learner's."""
    return isinstance(value, np.ufunc | type(np.sum)) and _under_its_name(value)


def _under_its_name(value: Any) -> bool:
    module = sys.modules.get(str(getattr(value, "__module__", "numpy")), np)
    return any(getattr(place, value.__name__, None) is value for place in (np, module))


def _is_open_kind(kind: type, home: str) -> bool:
    module = str(kind.__module__)
    if kind.__flags__ & HEAP and not kind.__flags__ & IMMUTABLE and _is_pythons(module, home):
        return True
    if module == "torch":
        return kind.__name__ in OF_TORCH
    return module in OPEN and kind.__name__ not in CLOSED


def _is_pythons(module: str, home: str) -> bool:
    """Whether a module is written in Python, so that its classes are: one of the course's was made of its text."""
    found = sys.modules.get(module)
    is_text = found is not None and getattr(found, "__spec__", None) is None
    return module == home or is_text or str(getattr(found, "__file__", "")).endswith(".py")
