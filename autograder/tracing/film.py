"""What a kernel read and wrote, as frames: one for every step of a program's loop."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..runner.failure import Failure
from ..runner.meters.traffic import Access, Tensor

STATISTICS = {"m": ("m", "m_i", "row_max"), "l": ("l", "l_i", "denominator")}  # the names that a kernel may give them


@dataclass
class Touch:
    """A rectangle of a tensor that was read or written: rows and columns, each from first to last."""

    kind: str  # "load" or "store"
    tensor: str
    rows: tuple[int, int]
    columns: tuple[int, int]


@dataclass
class Frame:
    """What one program touched in one step, the bytes moved up to then, and one row's running m and l after it."""

    program: tuple[int, int, int]
    touches: list[Touch] = field(default_factory=list)
    loaded: int = 0
    stored: int = 0
    statistics: dict[str, float] = field(default_factory=dict)


@dataclass
class Film:
    """All frames of a launch, and the tensors they show: name -> (rows, columns) of one head."""

    name: str
    frames: list[Frame]
    tensors: dict[str, tuple[int, int]]


def stopped(name: str, failure: Failure, where: str = "") -> str:
    """The learner's exception in one sentence."""
    line = f" (line {failure.line}: {failure.text})" if failure.line else ""
    if failure.kind == "NotImplementedError" and not failure.message:
        return f"{name} stopped{where}: {failure.function} is not attempted yet{line}"
    return f"{name} stopped{where} with {failure.kind}: {failure.message}{line}"


def filmed(name: str, accesses: list[Access]) -> Film:
    """The accesses of the first head's programs, divided into frames.

    A frame ends when its program touches a tensor for the second time, which is the next step of its loop, or when
    another program begins.
    """
    widest = max((len(access.tensor.shape) for access in accesses), default=0)
    touches = [_touch(access) if len(access.tensor.shape) == widest else None for access in accesses]
    first_head = {access.program for access, touch in zip(accesses, touches) if touch}
    frames: list[Frame] = []
    tensors: dict[str, tuple[int, int]] = {}
    loaded = stored = 0
    for access, touch in zip(accesses, touches):
        if access.program not in first_head:
            continue
        statistics = _statistics(access.names)
        same_program = bool(frames) and frames[-1].program == access.program
        if same_program and statistics:
            frames[-1].statistics = statistics  # as they are after the step, when the next one begins
        if access.kind == "load":
            loaded += access.elements.size * access.tensor.itemsize
        else:
            stored += access.elements.size * access.tensor.itemsize
        if touch is not None:
            tensors.setdefault(access.tensor.name, _page(access.tensor))
            again = same_program and any(t.tensor == touch.tensor for t in frames[-1].touches)
            if not same_program or again:
                frames.append(Frame(access.program))
            frames[-1].touches.append(touch)
        if frames:
            frames[-1].loaded, frames[-1].stored = loaded, stored
    return Film(name, frames, tensors)


def _touch(access: Access) -> Touch | None:
    """The rectangle that the access covers in the last two axes; None if it is outside the first head."""
    index = _indices(access.elements, access.tensor)
    if any(axis.any() for axis in index[:-2]):
        return None
    rows, columns = index[-2:] if len(index) > 1 else (index[0], np.zeros_like(index[0]))
    return Touch(access.kind, access.tensor.name, _span(rows), _span(columns))


def _indices(elements: np.ndarray, tensor: Tensor) -> list[np.ndarray]:
    """The index of each element along every axis of the tensor, from its offset in memory."""
    index = [np.zeros_like(elements) for _ in tensor.shape]
    left = elements
    for axis in sorted(range(len(tensor.shape)), key=lambda a: -tensor.strides[a]):
        if tensor.shape[axis] > 1:
            index[axis], left = left // tensor.strides[axis], left % tensor.strides[axis]
    return index


def _page(tensor: Tensor) -> tuple[int, int]:
    return (tensor.shape[-2], tensor.shape[-1]) if len(tensor.shape) > 1 else (tensor.shape[0], 1)


def _span(index: np.ndarray) -> tuple[int, int]:
    return int(index.min()), int(index.max())


def _statistics(names: dict[str, Any]) -> dict[str, float]:
    """The running m and l of the tile's first row, where the kernel has variables of such names."""
    found = {}
    for label, candidates in STATISTICS.items():
        values = [getattr(getattr(names.get(n), "handle", None), "data", None) for n in candidates]
        value = next((v for v in values if v is not None and v.size), None)
        if value is not None and value.dtype.kind == "f":
            found[label] = float(value.flat[0])
    return found if len(found) == len(STATISTICS) else {}
