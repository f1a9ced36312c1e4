"""Triton's interpreter without work that says nothing: a third of the time of a check is spent on it.

It replaces triton.language's functions anew at every call of a @triton.jit function, also inside a running kernel where
they are replaced already; it checks each sum and product of 32-bit integers for overflow in 64 bits, on which a GPU
wraps around without a word; it writes the table of numpy's dtypes anew whenever it looks one up, and it works
out again for every result what follows from its type.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Any

KEPT = ("fp32", "int32", "int64")  # types of which two numbers make one, by whatever operation
# Modules whose functions the running kernel has replaced, and namespaces in which none is left; None where none runs.
_replaced: set[int] | None = None


@functools.cache
def without_repeats() -> bool:
    """From now on nothing is replaced or worked out twice, and integers wrap. False for an interpreter not known."""
    try:
        from triton.runtime import interpreter

        original, no_changes = interpreter._patch_lang, interpreter._LangPatchScope
        dtype_of, semantic = interpreter._get_np_dtype, type(interpreter.interpreter_semantic)
        builder, modules = interpreter.interpreter_builder, (interpreter.tl, interpreter.tl.core)
        builder.options = dataclasses.replace(builder.options, sanitize_overflow=False)
    except (ImportError, AttributeError, TypeError):  # Triton 3.6 to 3.9 have them all
        return False

    @functools.wraps(original)
    def replaced_once(function: Any) -> Any:
        if _replaced is None:
            return original(function)
        names = function.__globals__
        if id(names) in _replaced:
            return no_changes()
        new = {id(value) for value in names.values() if any(value is module for module in modules)}
        _replaced.add(id(names))
        if new and new <= _replaced:
            return no_changes()
        _replaced.update(new)
        return original(function)

    known: dict[str, Any] = {}

    @functools.wraps(dtype_of)
    def dtype_once(type_: Any) -> Any:  # of a block that of its elements; blocks have no hash
        name = type_.scalar.name
        if name not in known:
            known[name] = dtype_of(type_)
        return known[name]

    interpreter._patch_lang, interpreter._get_np_dtype = replaced_once, dtype_once
    _types_once(interpreter.tl.core)
    _builtins_once(interpreter)
    _unwrap_what_is_wrapped(interpreter.tl.core)
    _broadcast_where_needed(semantic)
    _converted_where_needed(semantic, interpreter.tl.core.tensor)
    return True


def _builtins_once(interpreter: Any) -> None:
    """Which functions of triton.language are replaced is looked up before any is, and by what."""
    original, tl = interpreter._patch_builtin, interpreter.tl
    places = (tl, tl.core, tl.math, tl.tensor, tl.core.tensor_descriptor_base)
    known = {id(place): list(_called_directly(interpreter, place)) for place in places}

    @functools.wraps(original)
    def replaced(place: Any, builder: Any, scope: Any) -> None:
        for name, member in known.get(id(place), ()):
            scope.set_attr(place, name, member)
        if id(place) not in known:
            original(place, builder, scope)

    interpreter._patch_builtin = replaced


def _called_directly(interpreter: Any, place: Any) -> Iterator[tuple[str, Any]]:
    """The functions of triton.language, each given the interpreter at every call: none asks whether it is there."""
    core, semantic = interpreter.tl.core, interpreter.interpreter_semantic
    asking = core.builtin(lambda: None).__code__

    def within(function: Any) -> Any:
        def called(*args: Any, **kwargs: Any) -> Any:
            kwargs["_semantic"] = semantic
            return function(*args, **kwargs)

        return called

    for name, member in inspect.getmembers(place):
        if core.is_builtin(member):
            asks = getattr(member, "__code__", None) is asking
            yield name, within(member.__wrapped__ if asks else member)


def _types_once(core: Any) -> None:
    """What follows from a type's name alone is worked out for the first block, or tensor, that has it."""
    block, tensor, constexpr = core.block_type.__init__, core.tensor.__init__, core.constexpr
    blocks: dict[tuple[Any, ...], dict[str, Any]] = {}
    tensors: dict[str, dict[str, Any]] = {}

    @functools.wraps(block)
    def block_once(self: Any, element_ty: Any, shape: Any) -> None:
        key = element_ty.name, *[n.value if type(n) is constexpr else n for n in shape]
        if key not in blocks:
            block(self, element_ty, shape)
            blocks[key] = vars(self).copy()
        own = vars(self)
        own.update(blocks[key])
        own["element_ty"] = element_ty

    @functools.wraps(tensor)
    def tensor_once(self: Any, handle: Any, type: Any) -> None:
        if type.name not in tensors:
            tensor(self, handle, type)
            tensors[type.name] = vars(self) | {"handle": None}
        own = vars(self)
        own.update(tensors[type.name])
        own["handle"], own["type"] = handle, type

    core.block_type.__init__, core.tensor.__init__ = block_once, tensor_once


def _unwrap_what_is_wrapped(core: Any) -> None:
    """Most values that may be a constexpr are none, nor hold one, as their class alone says."""
    original, plain = core._unwrap_if_constexpr, {core.tensor, int, float, bool, str, type(None), core.dtype}

    @functools.wraps(original)
    def unwrap(value: Any) -> Any:
        return value if type(value) in plain else original(value)

    core._unwrap_if_constexpr = unwrap


def _broadcast_where_needed(semantic: Any) -> None:
    """Operands of one shape are not compared with the shape that they would have together; nor is a number's type
    worked out twice, as Triton's and as the interpreter's, where it is repeated.
    """
    original = semantic.broadcast_impl_value

    def repeated(self: Any, number: Any, tile: Any) -> Any:
        type_ = tile.type.with_element_ty(number.type.scalar)
        return self.tensor(self.builder.create_splat(type_, number.handle), type_)

    @functools.wraps(original)
    def broadcast(self: Any, lhs: Any, rhs: Any) -> Any:
        a, b = lhs.type, rhs.type
        if a.name == b.name:
            return lhs, rhs
        if not a.is_block():
            return (repeated(self, lhs, rhs), rhs) if b.is_block() else (lhs, rhs)
        if not b.is_block():
            return lhs, repeated(self, rhs, lhs)
        return (lhs, rhs) if list(a.shape) == list(b.shape) else original(self, lhs, rhs)

    semantic.broadcast_impl_value = broadcast


def _converted_where_needed(semantic: Any, tensor: Any) -> None:
    """Operands of one type, of which the result is, too, are not asked which type both are to have; nor is a number of
    Python's that stands beside a tensor of such a type, nor an offset behind a pointer.
    """
    original = semantic.binary_op_type_checking_impl

    def of_its_type(self: Any, number: Any, x: Any) -> Any:
        """The number as one of the tensor's type; None if it may have another one."""
        fits = number if type(number) is int else 0 if type(number) is float and x.dtype.name == "fp32" else None
        return None if fits is None or not -(1 << 31) <= fits < 1 << 31 else self.scalar_constant(number, x.dtype)

    @functools.wraps(original)
    def checked(self: Any, lhs: Any, rhs: Any, left: Any = False, right: Any = False, *rest: Any, **named: Any) -> Any:
        a, b = lhs, rhs
        if type(a) is tensor and a.dtype.name in KEPT and type(b) is not tensor:
            b = None if rest or named.get("arithmetic_check", True) is not True else of_its_type(self, b, a)
        elif type(b) is tensor and b.dtype.name in KEPT and type(a) is not tensor:
            a = None if rest or named.get("arithmetic_check", True) is not True else of_its_type(self, a, b)
        if type(a) is tensor and type(b) is tensor:
            if a.dtype.name in KEPT and a.dtype.name == b.dtype.name:
                return self.broadcast_impl_value(a, b)
            if left is True and a.dtype.is_ptr() and b.dtype.is_int():
                return self.broadcast_impl_value(a, b)
        return original(self, lhs, rhs, left, right, *rest, **named)

    semantic.binary_op_type_checking_impl = checked


def as_one_kernel(launch: Callable[[], Any]) -> Any:
    """Run the launch of a kernel, in which nothing is replaced twice."""
    global _replaced
    outer, _replaced = _replaced, set()
    try:
        return launch()
    finally:
        _replaced = outer
