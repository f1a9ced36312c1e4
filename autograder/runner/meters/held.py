"""Memory that code holds between its calls: buffers in variables beside a function, in caches, in objects."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from ..interpreter.origins import globals_of, made_by

SMALL = 4096  # bytes: of constants and tables, and of what holds them, which are no buffers
MOST = 1_000_000  # objects that are looked at
PLAIN = (int, str, complex, CodeType, ModuleType, type(None), type(...))  # whatever it may be, it holds no buffer


def bytes_held(root: Any, is_learners: Callable[[str], bool], tensors: bool = True) -> int:
    """Bytes of all that can be reached from a function, a class or an object of the learner's: arrays, buffers, lists,
    floating-point numbers; 0 if they are few. tensors: whether those of torch count too.
    """
    blocks: dict[int, int] = {}  # address -> bytes
    seen: dict[int, Any] = {}  # held, so that no other object gets its id
    waiting = [root]
    while waiting and len(seen) < MOST:
        value = waiting.pop()
        if id(value) in seen or isinstance(value, PLAIN):
            continue
        seen[id(value)] = value
        torch = sys.modules.get("torch")
        if isinstance(value, np.ndarray):
            blocks[value.ctypes.data] = value.nbytes
            waiting += value.reshape(-1).tolist() if value.dtype.hasobject else [value.base]
        elif torch and isinstance(value, torch.Tensor):
            if tensors:
                blocks[value.untyped_storage().data_ptr()] = value.untyped_storage().nbytes()
        else:
            if isinstance(value, (float, bytes, bytearray, list, tuple, set, dict)) or hasattr(value, "itemsize"):
                blocks[id(value)] = sys.getsizeof(value)
            waiting += _reached(value, root, is_learners)
    held = sum(blocks.values())
    return held if held >= SMALL else 0


def _reached(value: Any, root: Any, is_learners: Callable[[str], bool]) -> Iterable[Any]:
    """What can be reached from an object; nothing from the functions, classes and namespaces of libraries."""
    if isinstance(value, FunctionType):
        if not is_learners(value.__code__.co_filename):
            return []
        used = [value.__globals__[name] for name in globals_of(value.__code__) if name in value.__globals__]
        return [*used, value.__closure__, value.__defaults__, value.__kwdefaults__, value.__dict__]
    if isinstance(value, type):
        is_own = value.__module__ == getattr(root, "__module__", None)
        return [*vars(value).values(), *value.__bases__] if is_own else []
    if made_by("triton", type(value)):
        return [getattr(value, "fn", None)]  # of a kernel
    if isinstance(value, dict) and "__builtins__" in value:
        return []
    return gc.get_referents(value)
