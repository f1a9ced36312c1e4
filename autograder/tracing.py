"""trace(f): how a kernel's tiles move, one frame for every step of a program's loop, as the traffic meter saw it.

Of an object that keeps blocks it shows these (see `pagetable`).

`traffic(call)` is the meter by itself, for a learner's own experiments.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from simt import cpu

from .course import exercise_of
from .listing import Listing
from .markup import Shown
from .mistake import Mistake
from .prepare import PUBLIC_SEED, prepare
from .runner.observe import Failure, Observation, interpreted, is_learners, observe
from .runner.traffic import Access, Tensor, Traffic, install
from .spec import Exercise

STATISTICS = {"m": ("m", "m_i", "row_max"), "l": ("l", "l_i", "denominator")}  # as a kernel may call them


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


def traffic(call: Callable[[], Any]) -> Traffic | Listing:
    """Call `call` and count what the kernels launched by it load and store, in bytes; of CUDA kernels by line.

    Raises Mistake where Triton kernels are not interpreted, since nothing can be counted there.
    """
    with cpu.watch() as report:
        meter = _traffic(call)
    if report.kernels:
        return Listing(report)
    if meter is None:
        _interpreter_or_mistake("traffic")
    assert meter is not None
    return meter


def _traffic(call: Callable[[], Any]) -> Traffic | None:
    """What Triton's interpreter shows; None where it does not run."""
    try:
        watched = interpreted() and install()
    except ImportError:
        watched = False
    if not watched:
        call()
        return None
    with Traffic(is_learners) as meter:
        call()
    return meter


def trace(function: Callable[..., Any], case: int = 1) -> Shown | Listing:
    """Run your kernel on a case (counted from 1) and show its tiles of the first head as they are read and written.

    Of a CUDA kernel: its lines, and what each of them moved. Of a class that keeps blocks: the block tables and the
    pool after every operation of the case.

    Raises TypeError if `function` is none, LookupError if no exercise has its name, and Mistake if the exercise has no
    kernels or blocks, the case does not exist, or kernels are not interpreted here.
    """
    from .filmstrip import strip
    from .pagestrip import page_strip
    from .pagetable import page_film

    exercise = _exercise(function, case)
    if isinstance(exercise.function, type):
        return page_strip(page_film(exercise, function, case))
    if exercise.backend == "cuda":
        return listed(function, case)
    return strip(film(function, case))


def listed(function: Callable[..., Any], case: int = 1) -> Listing:
    """A CUDA kernel's lines and what each of them moved on a case."""
    exercise = _exercise(function, case)
    with cpu.watch() as report:
        seen = observe(function, prepare(exercise.name, case - 1, PUBLIC_SEED).arguments, "cuda")
    _went_well(exercise, seen)
    return Listing(report)


def film(function: Callable[..., Any], case: int = 1) -> Film:
    """The recording that `trace` shows."""
    exercise = _exercise(function, case)
    _interpreter_or_mistake("trace")
    if not exercise.kernels:
        raise Mistake(f"{exercise.name} launches no kernel, so there are no tiles to watch")
    accesses: list[Access] = []
    with Traffic(is_learners, accesses.append):
        seen = observe(function, prepare(exercise.name, case - 1, PUBLIC_SEED).arguments, "triton")
    _went_well(exercise, seen)
    found = filmed(exercise.name, accesses)
    if not found.frames:
        raise Mistake(
            f"{exercise.name} touches no tile of the first head in case {case}, so there is nothing to draw; ask for "
            "another case, or let traffic(...) count what a call of your own moves"
        )
    return found


def _exercise(function: Callable[..., Any], case: int) -> Exercise:
    exercise = exercise_of("trace", function, example="flash_attention")
    if case not in range(1, len(exercise.cases) + 1):
        raise Mistake(f"{exercise.name} has {len(exercise.cases)} cases: ask for one from 1 on, not {case!r}")
    return exercise


def _went_well(exercise: Exercise, seen: Observation) -> None:
    if seen.failure:
        raise Mistake(stopped(exercise.name, seen.failure))


def stopped(name: str, failure: Failure, where: str = "") -> str:
    """The learner's exception in a sentence."""
    line = f" (line {failure.line}: {failure.text})" if failure.line else ""
    if failure.kind == "NotImplementedError" and not failure.message:
        return f"{name} stopped{where}: {failure.function} is not attempted yet{line}"
    return f"{name} stopped{where} with {failure.kind}: {failure.message}{line}"


def filmed(name: str, accesses: list[Access]) -> Film:
    """The accesses of the first head's programs in frames.

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
            frames[-1].statistics = statistics  # as they stand after the step, when the next one begins
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
    """The rectangle that the access covers in the last two axes; None if it lies in another head than the first."""
    index = _indices(access.elements, access.tensor)
    if any(axis.any() for axis in index[:-2]):
        return None
    rows, columns = index[-2:] if len(index) > 1 else (index[0], np.zeros_like(index[0]))
    return Touch(access.kind, access.tensor.name, _span(rows), _span(columns))


def _indices(elements: np.ndarray, tensor: Tensor) -> list[np.ndarray]:
    """The place of each element along every axis of the tensor, from its offset in memory."""
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


def _interpreter_or_mistake(verb: str) -> None:
    try:
        watched = interpreted() and install()
    except ImportError:
        raise Mistake(f"{verb} needs Triton, which is not installed here; `tilewise doctor` says what to do") from None
    if not watched:
        raise Mistake(
            f"{verb} watches Triton's interpreter, and kernels are compiled in this session: start another one with "
            "the environment variable TRITON_INTERPRET=1"
        )
