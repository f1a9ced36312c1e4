"""Objects of Python's that no GPU can be given, and that Triton's interpreter gives a kernel all the same.

Lists, tables, functions of Python's and tensors as constexpr would let a kernel compute where nothing is counted.
"""

from __future__ import annotations

import builtins
import functools
from collections.abc import Iterable
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import torch

from .origins import globals_of, made_by

LONGEST_TEXT, LONGEST_TUPLE = 32, 24
NUMBERS = (int, float, bool, type(None))  # these kinds alone: what is built on them can do anything when it is used
TENSORS = (torch.Tensor, torch.nn.Parameter)
DESCRIPTOR = "TensorDescriptor"
WITH_A_TENSOR = (DESCRIPTOR, "TensorWrapper")
OF_DESCRIPTORS = ("shape", "strides", "block_shape")


class NotForKernels(TypeError):
    """A kernel was given, or uses, what no GPU could be given."""


def only_what_compiles(kernel: FunctionType, constants: Iterable[str], given: dict[str, Any]) -> None:
    """Raises NotForKernels if an argument of a launch, or a variable outside that the kernel or another one in it uses,
    is an object of Python's. constants: the parameters that are constexpr.
    """
    code = kernel.__code__
    defaults = dict(zip(reversed(code.co_varnames[: code.co_argcount]), reversed(kernel.__defaults__ or ())))
    for name, value in (defaults | given).items():
        if not (_is_constant(value) if name in constants else _is_argument(value)):
            said = f"{kernel.__name__} is given {name}, a {type(value).__name__}: kernels take tensors, numbers, tuples"
            said += f" of up to {LONGEST_TUPLE} of them; as constexpr numbers, short texts, dtypes and other kernels"
            raise NotForKernels(said)
    passed = (getattr(value, "fn", None) for value in given.values() if _of_triton(value))
    waiting = [kernel, *(value for value in passed if isinstance(value, FunctionType))]
    kernels = set(waiting)
    while waiting:
        inner = waiting.pop()
        for name, value in _outside(inner).items():
            called = getattr(value, "fn", None) if _of_triton(value) else None
            if isinstance(called, FunctionType) and called not in kernels:
                kernels.add(called)
                waiting.append(called)
            elif not (isinstance(value, ModuleType) or _is_constant(value) or value is getattr(builtins, name, None)):
                said = f"{inner.__name__} uses {name}, a {type(value).__name__} from outside, which a kernel cannot"
                raise NotForKernels(f"{said}: pass what it needs, and decorate what it calls with @triton.jit")


@functools.cache
def never_within_itself() -> bool:
    """From now on a kernel that calls itself, through others too, is refused: each level would hold tiles of its own,
    where a GPU has no room for as many levels as a launch has tiles. False for an interpreter that is not known.
    """
    try:
        from triton.runtime.interpreter import InterpretedFunction

        original = InterpretedFunction.__call__
    except (ImportError, AttributeError):  # Triton 3.6 to 3.9 have it
        return False
    running: list[Any] = []

    @functools.wraps(original)
    def called(self: Any, *args: Any, **kwargs: Any) -> Any:
        if any(kernel is self for kernel in running):
            raise NotForKernels(f"{self.__name__} calls itself, which a kernel cannot: write a loop")
        running.append(self)
        try:
            return original(self, *args, **kwargs)
        finally:
            running.pop()

    InterpretedFunction.__call__ = called
    return True


def _outside(kernel: FunctionType) -> dict[str, Any]:
    """The variables outside a kernel that it uses."""
    used = {name: kernel.__globals__[name] for name in globals_of(kernel.__code__) if name in kernel.__globals__}
    return used | {
        name: cell.cell_contents for name, cell in zip(kernel.__code__.co_freevars, kernel.__closure__ or ())
    }


def base_of(value: Any) -> Any:
    """The tensor of which a launch's argument is a descriptor or another view of Triton's; else the argument."""
    return value.base if type(value).__name__ in WITH_A_TENSOR and _of_triton(value) else value


def _is_argument(value: Any) -> bool:
    if type(value) is tuple:
        return len(value) <= LONGEST_TUPLE and all(map(_is_argument, value))
    if _of_triton(value) and type(value).__name__ == DESCRIPTOR:
        lists = [getattr(value, name) for name in OF_DESCRIPTORS]
        if type(value.padding) is not str or not all(type(n) is int for sizes in lists for n in sizes):
            return False
    base = base_of(value)
    return type(base) in TENSORS or (base is value and (_of_triton(value) or _is_number(value)))


def is_plain(value: Any) -> bool:
    """Whether the interpreter calls nothing of an answer's when it moves this argument to a kernel and back."""
    if type(value) is tuple:
        return all(map(is_plain, value))
    if type(base_of(value)) in TENSORS:
        return _is_argument(value)
    return _is_constant(value) and not hasattr(value, "data_ptr")  # which may be hung on a kernel, say


def _is_number(value: Any) -> bool:
    return type(value) in NUMBERS or (isinstance(value, np.number) and type(value).__module__ == "numpy")


def _is_constant(value: Any) -> bool:
    if type(value) is tuple:
        return len(value) <= LONGEST_TUPLE and all(map(_is_constant, value))
    if type(value) is str:
        return len(value) <= LONGEST_TEXT
    if _of_triton(value) and type(value).__name__ == "constexpr":
        return _is_constant(value.value)
    return _of_triton(value) or _is_number(value)


def _of_triton(value: Any) -> bool:
    """A dtype, a kernel, a tensor descriptor, a constexpr, one of Triton's own functions."""
    return made_by("triton", type(value)) or (isinstance(value, FunctionType) and made_by("triton", value))
