"""What ranks would still share after each has been given its own copy of an answer: what cannot be copied."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from enum import EnumMeta
from types import FunctionType, GeneratorType
from typing import Any

import numpy as np
import torch

from ..interpreter.origins import made_by
from ..meters.held import PLAIN, reached
from .namespace import CACHED

CHANGEABLE = (list, dict, set, bytearray, deque, np.ndarray, torch.Tensor, GeneratorType, CACHED)
OPENED = ("builtins", "collections", "contextlib", "functools", "itertools")  # modules whose objects hold a learner's

OF_TUPLES = ("_field_defaults",)  # what a named tuple keeps of itself


def shared(first: Any, second: Any, is_learners: Callable[[str], bool]) -> Any:
    """An object through which two ranks, of whose functions these are the copies, could tell each other something;
    None if there is none.
    """
    there = {id(thing): thing for thing in _changeable(first, is_learners)}
    return next((thing for thing in _changeable(second, is_learners) if id(thing) in there), None)


def _changeable(root: Any, is_learners: Callable[[str], bool]) -> Iterator[Any]:
    """Objects that can be changed, and reached from a function."""
    seen: dict[int, Any] = {}  # held, so that no other object gets its id
    waiting = [root]
    while waiting:
        value = waiting.pop()
        if id(value) in seen or isinstance(value, PLAIN):
            continue
        seen[id(value)] = value
        if isinstance(value, CHANGEABLE):
            yield value
        if isinstance(value, FunctionType):
            seen[id(value.__dict__)] = value.__dict__
            waiting += [*reached(value, root, is_learners), *value.__dict__.values()]
        elif isinstance(value, staticmethod | classmethod):
            waiting.append(value.__func__)
        elif isinstance(value, EnumMeta):
            members: dict[str, Any] = vars(value)["_member_map_"]
            waiting += (member.value for member in members.values())
        elif isinstance(value, type):  # without what Python keeps of a class itself
            its_own = {id(thing) for name, thing in vars(value).items() if name.startswith("__") or name in OF_TUPLES}
            waiting += (thing for thing in reached(value, root, is_learners) if id(thing) not in its_own)
        elif _is_opened(value, root):
            waiting += reached(value, root, is_learners)


def _is_opened(value: Any, root: Any) -> bool:
    """Whether what an object holds may be a learner's: all but libraries' own objects."""
    kind = type(value)
    package = str(kind.__module__).partition(".")[0]
    return package in OPENED or kind.__module__ == root.__module__ or not made_by(package, kind)
