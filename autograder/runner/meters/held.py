"""Memory that code holds between its calls: buffers in variables beside a function, in caches, in objects."""

from __future__ import annotations

import builtins
import gc
import sys
from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random
from threading import Lock, RLock
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from ..interpreter.origins import globals_of, made_by
from .kinds import is_open, size_of

SMALL = 4096  # bytes: of constants and tables, and of what holds them, which are no buffers
WORDS = {int: 36, str: 64}  # bytes of a whole number or of a text that may stand for many
LONG = 512  # bytes of such, from which on they count: together, so that many short ones are no way around it
LARGE = 16384  # bytes of all else together, whatever it is: lists, objects, closures, short numbers and texts
MOST = 200_000  # objects that are looked at
VIEWS = (np.flatiter, np.nditer, np.broadcast, np.generic, memoryview)  # whose array the garbage collector is not told
ARRAY_OF = ("base", "operands", "iters", "obj")  # their names for it
LOCKS = (type(Lock()), type(RLock()))
GENERATORS = (np.random.Generator, np.random.RandomState, Random)
STATE = 2500  # bytes of what such a generator holds, at the most
LIBRARIES = ("IPython", "ipykernel", "logging")  # who put exit and get_ipython among an answer's names, or hold streams
GROWS = "keeps more after each call: "  # before a number of bytes, among a call's operations
KEEPS = "keeps: "  # before the name of a kind that cannot be weighed, among a call's operations
PLAIN = (int, bool, str, CodeType, ModuleType, type(None), type(...))  # whatever it may be, it holds no buffer


@dataclass
class Held:
    """Bytes of what is held, 0 if they are few; those of arrays and buffers, however few; and what is held that cannot
    be weighed, by the names of its kinds.
    """

    bytes: int = 0
    arrays: int = 0
    unknown: set[str] = field(default_factory=set)


def held_by(root: Any, is_learners: Callable[[str], bool], tensors: bool = True) -> Held:
    """All that can be reached from a function, a class or an object of the learner's: arrays, buffers, numbers, texts,
    objects. tensors: whether those of torch count too.
    """
    blocks: dict[int, int] = {}  # address -> bytes
    leaves: dict[int, Any] = {}  # that hold nothing
    seen: dict[int, Any] = {}  # held, so that no other object gets its id
    of_objects = 0  # bytes, without those of blocks and leaves
    found = Held()
    waiting = [(root, True)]
    while waiting and len(seen) < MOST:
        value, is_learner_s = waiting.pop()
        if id(value) in seen:
            continue
        if type(value) in PLAIN:
            if is_learner_s:
                leaves[id(value)] = value
            continue
        seen[id(value)] = value
        if any(made_by(package, type(value)) for package in LIBRARIES):
            continue
        try:  # an object of the learner's may raise when it is looked at
            size, more = _weighed(value, tensors)
            blocks |= size
            if is_learner_s and not isinstance(value, (type, FunctionType)):  # of which what they hold counts
                of_objects += max(size_of(value) - sum(size.values()), 0)
            if is_learner_s and more is None and not _is_told(value, root):
                found.unknown.add(type(value).__qualname__)
            more = reached(value, root, is_learners) if more is None else more
            # A compiled kernel has lists, tables and locks of Triton's own beside its function.
            is_triton_s = made_by("triton", type(value))
            of_kernel = getattr(value, "fn", None) if is_triton_s else None
            waiting += [(other, is_learner_s and (not is_triton_s or other is of_kernel)) for other in more]
        except Exception:
            found.unknown |= {type(value).__qualname__} if is_learner_s else set()
    if waiting:
        found.unknown.add(f"more than {MOST:,} objects")
    found.arrays = sum(blocks.values())
    held = found.arrays + _of_leaves_and_objects(leaves.values(), of_objects)
    found.bytes = held if held >= SMALL else 0
    return found


def _of_leaves_and_objects(leaves: Iterable[Any], of_objects: int) -> int:
    """Bytes of texts and whole numbers with room for many numbers, and of all that is small; 0 of each if they are
    few.
    """
    sizes = [(size_of(value), WORDS.get(type(value), LARGE)) for value in leaves]
    of_words = sum(size for size, least in sizes if size >= least)
    of_small = of_objects + sum(size for size, least in sizes if size < least)
    return of_words * (of_words >= LONG) + of_small * (of_small >= LARGE)


def _is_told(value: Any, root: Any) -> bool:
    """Whether the garbage collector knows of all that an object holds, or `reached` does."""
    return (
        isinstance(value, (np.dtype, *VIEWS, *LOCKS))
        or made_by("triton", type(value))
        or is_open(value, str(getattr(root, "__module__", "")))
    )


def _weighed(value: Any, tensors: bool) -> tuple[dict[int, int], Iterable[Any] | None]:
    """An object's memory, by its address, and what else it holds; None where that is to be found out."""
    torch = sys.modules.get("torch")
    if isinstance(value, np.ndarray):
        if isinstance(value.base, np.ndarray):
            return {}, [value.base, value.dtype]
        more = value.reshape(-1).tolist() if value.dtype.hasobject else [value.base]
        return {value.ctypes.data: value.nbytes}, [*more, value.dtype]
    if torch and isinstance(value, torch.Tensor):
        storage = value.untyped_storage()
        of_gradients = [value.grad_fn or value.grad]  # torch warns of that of one that has a grad_fn
        return ({storage.data_ptr(): storage.nbytes()} if tensors else {}), [value.__dict__, *of_gradients]
    if type(value) in GENERATORS:
        return {id(value): STATE}, []
    if torch and type(value) is torch.Generator:
        return {id(value): value.get_state().nbytes}, []
    for kind in (float, complex, bytes, bytearray, array, np.generic):
        if isinstance(value, kind) and getattr(value, "base", None) is None:  # that of a record may be an array
            return {id(value): kind.__sizeof__(value)}, None
    return {}, None


def reached(value: Any, root: Any, is_learners: Callable[[str], bool]) -> Iterable[Any]:
    """What can be reached from an object; nothing from the functions, classes and namespaces of libraries.

    A library's is what the library has under that name, and not what a decorator of its own made, or what was renamed.
    """
    if isinstance(value, FunctionType):
        is_own = is_learners(value.__code__.co_filename)
        if not is_own and _is_librarys(value, root):
            return [value.__dict__]
        names = globals_of(value.__code__) if is_own else ()
        used = [value.__globals__[name] for name in names if name in value.__globals__]
        return [*used, value.__closure__, value.__defaults__, value.__kwdefaults__, value.__dict__]
    if isinstance(value, type):
        return [] if _is_librarys(value, root) else [*vars(value).values(), *value.__bases__]
    if made_by("triton", type(value)):
        if hasattr(value, "fn"):  # and what a GPU runs of it is Triton's own
            return list(vars(value).values())  # a kernel's function, and what was hung on it
        return [getattr(value, name, None) for name in ("base", "value")]  # of a tensor descriptor, a constexpr
    if isinstance(value, dict) and _is_namespace(value):
        return []
    if isinstance(value, np.dtype):  # whose metadata the garbage collector is not told of
        return [value.metadata, value.fields, value.subdtype]
    if isinstance(value, range):
        return [value.start, value.stop, value.step]
    if isinstance(value, VIEWS):
        return [getattr(value, name, None) for name in ARRAY_OF]
    return gc.get_referents(value)


def _is_librarys(value: Any, root: Any) -> bool:
    """Whether a function or a class is one that a library has, under its name, in its module."""
    module = str(value.__module__)
    return module != getattr(root, "__module__", None) and made_by(module.partition(".")[0], value)


def _is_namespace(table: dict[Any, Any]) -> bool:
    """Whether a table is a module's: those that code was run in hold Python's own functions."""
    return any(table.get("__builtins__") is own for own in (builtins, vars(builtins)))
