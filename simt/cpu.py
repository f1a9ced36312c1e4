"""Without a GPU: load a compiled kernel, launch it on the runtime in C++, and read what the instruments saw."""

from __future__ import annotations

import contextlib
import copy
import ctypes
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import starmap
from numbers import Integral
from pathlib import Path
from typing import Any, TypeVar

import torch

from . import compiler
from .compiler import Library
from .counts import Report
from .errors import CompileError, Fault, Interrupted, KernelFault, OutOfTime
from .far import Far
from .shape import Shape
from .source import Source, blanked
from .subnormals import flushed

T = TypeVar("T")
MOST_SHARED = 227 << 10  # bytes per block on an H100 or H200
INTERRUPTED = {2: Interrupted, 3: OutOfTime}
KEPT = 10_000  # digests
NUMBERS = {"i": ctypes.c_int, "f": ctypes.c_float, "b": ctypes.c_bool}
SAID = {"p": "a tensor", "i": "an int", "f": "a float", "b": "a bool"}

_given: dict[tuple[str, tuple[tuple[str, int], ...]], tuple[Library, Library]] = {}
_runtime: list[Path] = []
_reports: list[Report] = []
_watched = [True]
_products = [1.0]
_far: list[Far] = []
_altered = [0]
_kept_to_arrays: set[bytes] = set()  # digests of launches
PLACES = {"shared memory": 1, "main memory": 2}


def provide(defines: tuple[tuple[str, int], ...], watched: Library, unwatched: Library) -> None:
    """Use these libraries for the kernel of that name with these macros, where nothing can be compiled."""
    _given[watched.name, tuple(sorted(defines))] = watched, unwatched


def provide_runtime(path: Path) -> None:
    """Use this runtime, where nothing can be compiled."""
    _runtime.append(path)


@contextlib.contextmanager
def watch() -> Iterator[Report]:
    """Within this context the instruments count, and the report grows with every launch."""
    report = Report()
    _reports.append(report)
    try:
        yield report
    finally:
        _reports.remove(report)


def unwatched() -> contextlib.AbstractContextManager[None]:
    """Within this context kernels run some ten times faster, and of what they read and write indices alone are
    checked."""
    return _within(_watched, False)


def products_times(factor: float) -> contextlib.AbstractContextManager[None]:
    """Within this context tensor cores multiply wrongly: each product comes out times the factor."""
    return _within(_products, factor)


def altered(place: str) -> contextlib.AbstractContextManager[None]:
    """Within this context what a warp has written to shared memory is altered at the first barrier behind that, of the
    block's or its own, once; in main memory each number is, at the first barrier of the block behind it.

    place: one of PLACES.
    """
    return _within(_altered, PLACES[place])


def far_on(far: Far) -> contextlib.AbstractContextManager[None]:
    """Within this context a launch is the middle of a much larger one."""
    return _within(_far, far)


@contextlib.contextmanager
def _within(settings: list[T], setting: T) -> Iterator[None]:
    """The last of the settings holds: this one, within the context."""
    settings.append(setting)
    try:
        yield
    finally:
        settings.pop()


def launch(source: Source, shape: Shape, arguments: Sequence[Any]) -> None:
    """Run the kernel, block after block. Raises CompileError, KernelFault, MissingCompiler, KeyboardInterrupt."""
    watched = _watched[-1] or bool(_altered[-1])
    library = _library(source, watched)
    if not watched or _altered[-1] or _products[-1] != 1:
        return _run_and_report(source, library, shape, arguments)
    digest = _digest(source, shape, arguments)
    copies = None if digest in _kept_to_arrays else _copies(arguments)
    _run_and_report(source, library, shape, arguments)
    if copies is not None:
        _must_keep_to_arrays(source, _library(source, watched=False), shape, copies)
        if len(_kept_to_arrays) == KEPT:
            _kept_to_arrays.clear()
        _kept_to_arrays.add(digest)


def _library(source: Source, watched: bool) -> Library:
    """The kernel with the instruments or without: as it was given, or compiled when it is first needed."""
    given = _given.get((source.name, source.defines))
    return given[not watched] if given else compiler.library(source, watched)


def _run_and_report(source: Source, library: Library, shape: Shape, arguments: Sequence[Any]) -> None:
    """Run a kernel that prints where Python prints, and add what was counted to the reports."""
    error = _run(source, library, shape, arguments)
    _print()
    if not isinstance(error, Interrupted):
        for report in _reports:
            report.add(library.name, library.text, _seen())
    if error:
        raise error


def _must_keep_to_arrays(source: Source, unwatched: Library, shape: Shape, copies: Sequence[Any]) -> None:
    """Run a kernel in which the instruments found no fault once more, without them: there it says which index is none
    of its array's. Within what is a thread's own they do not see that. Raises KernelFault, KeyboardInterrupt.
    """
    error = _run(source, unwatched, shape, copies)
    if isinstance(error, Interrupted) or (error and error.kind == Fault.OUT_OF_BOUNDS):
        raise error


def _copies(arguments: Sequence[Any]) -> list[Any]:
    """The same arguments in other memory, which they share as these do."""
    return copy.deepcopy([x.detach() if isinstance(x, torch.Tensor) else x for x in arguments])


def _digest(source: Source, shape: Shape, arguments: Sequence[Any]) -> bytes:
    """Of all that a launch depends on: another one that has the same does the same."""
    digest = hashlib.sha256(repr((source, shape, _far)).encode())
    for x in arguments:
        if isinstance(x, torch.Tensor):
            memory = x.untyped_storage()
            digest.update(repr((x.dtype, x.shape, x.stride(), x.storage_offset())).encode())
            digest.update(ctypes.string_at(memory.data_ptr(), memory.nbytes()))
        else:
            digest.update(repr(x).encode())
    return digest.digest()


def _run(source: Source, library: Library, shape: Shape, arguments: Sequence[Any]) -> KernelFault | Interrupted | None:
    """What ended the kernel before its end. Raises CompileError, KernelFault where it cannot be launched."""
    if library.unset and library.watched:
        line, name = library.unset
        said = f"{name} is read, and nothing has been written to it"
        raise KernelFault(library.name, Fault.UNINITIALISED, said, *_line(library, line))
    loaded = _load(library)
    first = _first_block(shape, arguments)
    values = _values(library, loaded, arguments, _moved(shape, arguments, first))
    _must_point_alike(source, library, arguments)
    used = sum(size for _, _, size, *_ in library.variables) + shape.shared
    if used > MOST_SHARED:
        said = f"asks for {used:,} bytes of shared memory for each block; an H100 has {MOST_SHARED:,}"
        raise KernelFault(library.name, Fault.LAUNCH_ERROR, said)
    given = _Given(
        entry=ctypes.cast(loaded.simt_entry, ctypes.c_void_p),
        arguments=(ctypes.c_void_p * len(values))(*(ctypes.addressof(v) for v in values)),
        grid=shape.grid, block=shape.block, first=first, dynamic_shared=shape.shared, watched=library.watched,
        products=_products[-1], altered=_altered[-1], file=f"{library.name}.cu".encode(), text=blanked(library.text),
    )  # fmt: skip
    base = given.entry - library.entry
    variables = [
        _Variable(base + offset, base + offset + size, item, True, rows, name.encode())
        for name, offset, size, item, rows in library.variables
    ]
    if shape.shared:  # the runtime knows where it lies
        variables.append(_Variable(0, 0, library.dynamic[1], True, False, library.dynamic[0].encode()))
    variables += [_tensor(name, x) for name, x in zip(library.parameters, arguments) if isinstance(x, torch.Tensor)]
    given.variable, given.variables = (_Variable * len(variables))(*variables), len(variables)
    given.place, given.places = (_Place * len(library.places))(*starmap(_Place, library.places)), len(library.places)
    given.base, given.module_start, given.module_end = base, base, base + library.end
    given.static_start, given.static_end = (base + offset for offset in library.writable)
    with flushed():
        code = _simt().simt_launch(ctypes.byref(given))
    if code in INTERRUPTED:
        return INTERRUPTED[code](*_line(library, _simt().simt_line()))
    if not code:
        return None
    seen = _seen()
    return KernelFault(library.name, list(Fault)[seen["kind"]], seen["message"], *_line(library, seen["line"]))


def _seen() -> Any:
    """What the instruments saw of the last launch."""
    return json.loads(_simt().simt_report())


def _line(library: Library, number: int) -> tuple[int, str]:
    """A line of the kernel by its number, with its text."""
    lines = library.text.splitlines()
    return number, lines[number - 1].strip() if 0 < number <= len(lines) else ""


def _print() -> None:
    """Print what the threads of the last launch printed, where Python prints."""
    more = ctypes.c_uint64()
    text = _simt().simt_printed(ctypes.byref(more)).decode(errors="replace")
    if more.value:
        text += f"\n... and {more.value:,} more calls of printf\n"
    with contextlib.suppress(OSError, UnicodeError):  # where nobody reads, or not these letters
        sys.stdout.write(text)


class _Variable(ctypes.Structure):
    _fields_ = [
        ("start", ctypes.c_uint64), ("end", ctypes.c_uint64), ("itemsize", ctypes.c_uint64),
        ("shared", ctypes.c_uint64), ("rows", ctypes.c_uint64), ("name", ctypes.c_char_p),
    ]  # fmt: skip


class _Place(ctypes.Structure):
    _fields_ = [("offset", ctypes.c_uint64), ("line", ctypes.c_int64)]


class _Given(ctypes.Structure):
    """The struct `Given` of runtime/launch.cpp."""

    _fields_ = [
        ("entry", ctypes.c_void_p), ("arguments", ctypes.POINTER(ctypes.c_void_p)),
        ("grid", ctypes.c_uint * 3), ("block", ctypes.c_uint * 3), ("first", ctypes.c_uint * 3),
        ("dynamic_shared", ctypes.c_uint64),
        ("watched", ctypes.c_int), ("variables", ctypes.c_int), ("places", ctypes.c_int), ("altered", ctypes.c_int),
        ("products", ctypes.c_float),
        ("variable", ctypes.POINTER(_Variable)), ("place", ctypes.POINTER(_Place)),
        ("base", ctypes.c_uint64), ("module_start", ctypes.c_uint64), ("module_end", ctypes.c_uint64),
        ("static_start", ctypes.c_uint64), ("static_end", ctypes.c_uint64),
        ("file", ctypes.c_char_p), ("text", ctypes.c_char_p),
    ]  # fmt: skip


@cache
def _simt() -> ctypes.CDLL:
    loaded = ctypes.CDLL(str(_runtime[-1] if _runtime else compiler.runtime()), mode=ctypes.RTLD_GLOBAL)
    loaded.simt_report.restype = loaded.simt_printed.restype = ctypes.c_char_p
    return loaded


@lru_cache(maxsize=2048)
def _load(library: Library) -> ctypes.CDLL:
    _simt()
    handle, name = tempfile.mkstemp(suffix=".so")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(library.code)
        loaded = ctypes.CDLL(name)
    except OSError as error:
        missing = str(error).rpartition("undefined symbol: ")[2]
        raise CompileError(library.name, f"uses {missing}, which no kernel has") from None
    finally:
        os.unlink(name)
    loaded.simt_parameters.restype = ctypes.c_char_p
    return loaded


def _first_block(shape: Shape, arguments: Sequence[Any]) -> tuple[int, int, int]:
    """The number of the first block."""
    if not _far:
        return 0, 0, 0
    before, axis = _far[-1].before(shape.grid, arguments), _far[-1].axis
    return before * (axis == 0), before * (axis == 1), before * (axis == 2)


def _moved(shape: Shape, arguments: Sequence[Any], first: tuple[int, int, int]) -> list[int]:
    """How much more each argument is, since the grid does not begin at block 0."""
    if not any(first):
        return [0] * len(arguments)
    blocks = shape.grid[_far[-1].axis]
    return [_far[-1].moved(i, x, blocks, max(first)) for i, x in enumerate(arguments)]


def _values(library: Library, loaded: ctypes.CDLL, arguments: Sequence[Any], moved: Sequence[int]) -> list[Any]:
    """The arguments as the kernel's parameters take them, each so much more. Raises KernelFault if they do not fit."""
    kinds = loaded.simt_parameters().decode()
    if len(kinds) != len(arguments):
        said = f"takes {len(kinds)} parameters, and the launch gives {len(arguments)}: the two have to agree"
        raise KernelFault(library.name, Fault.LAUNCH_ERROR, said)
    values: list[Any] = []
    for kind, name, value, more in zip(kinds, library.parameters, arguments, moved, strict=True):
        fits: Any = {"p": torch.Tensor, "i": Integral, "f": float, "b": bool}.get(kind)
        if fits is None or not isinstance(value, fits) or (kind == "i" and not -(1 << 31) <= value < 1 << 32):
            said = f"its parameter {name} is {SAID.get(kind, 'of a type that cannot be passed')}, and the launch gives "
            said += "a tensor" if isinstance(value, torch.Tensor) else repr(value)
            raise KernelFault(library.name, Fault.LAUNCH_ERROR, f"{said}: the two have to agree")
        if kind == "p":
            values.append(ctypes.c_void_p(value.data_ptr() + more))
        else:
            values.append(NUMBERS[kind](int(value) + more if kind == "i" else value))
    return values


# The bytes of numbers that pointers are to, by their kind. Others, such as vectors, may be read from any memory.
FLOATS = {"double": 8, "float": 4, "half": 2, "__half": 2, "__nv_bfloat16": 2}
INTEGERS = {"int": 4, "unsigned": 4, "int64_t": 8, "long": 8}


def _must_point_alike(source: Source, library: Library, arguments: Sequence[Any]) -> None:
    """Raises KernelFault where a parameter points to floats, or to integers, of another size than the tensor's."""
    for word, name, x in zip(compiler.pointed_to(source), library.parameters, arguments):
        if isinstance(x, torch.Tensor):
            sizes = FLOATS if x.is_floating_point() else INTEGERS
            if sizes.get(word, x.element_size()) != x.element_size():
                given = str(x.dtype).removeprefix("torch.")
                said = f"its parameter {name} points to {word}, and the launch gives a tensor of {given}"
                raise KernelFault(library.name, Fault.LAUNCH_ERROR, f"{said}: the two have to agree")


def _tensor(name: str, x: torch.Tensor) -> _Variable:
    span = sum((n - 1) * step for n, step in zip(x.shape, x.stride())) + 1 if x.numel() else 0
    size = x.element_size()
    return _Variable(x.data_ptr(), x.data_ptr() + span * size, size, False, False, name.encode())
