"""What a launch read and wrote, as frames: one for every step of a program's loop."""

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
    """What one program touched in one step, the bytes moved up to then, and one row's running m and l after it.

    own: bytes that this program has moved; moved: that all programs of the film have.
    """

    program: tuple[int, int, int]
    touches: list[Touch] = field(default_factory=list)
    own: int = 0
    moved: int = 0
    statistics: dict[str, float] = field(default_factory=dict)


@dataclass
class Film:
    """All frames of a launch, and the tensors they show: name -> (rows, columns) of one head.

    case: counted from 1. launch: the number of the one shown, from 1; kernels: what each launch of the call launched.
    units: what the rows of a tensor are, where they are not simply rows.
    """

    name: str
    frames: list[Frame]
    tensors: dict[str, tuple[int, int]]
    case: int = 1
    launch: int = 1
    kernels: list[str] = field(default_factory=list)
    units: dict[str, str] = field(default_factory=dict)

    def call(self, launch: int | None = None) -> str:
        """What shows this film, or another launch of the same case."""
        launch = launch or self.launch
        case = f", case={self.case}" if self.case > 1 else ""
        return f"trace({self.name}{case}{f', launch={launch}' if launch > 1 else ''})"


def stopped(name: str, failure: Failure, where: str = "") -> str:
    """The learner's exception in one sentence."""
    line = f" (line {failure.line}: {failure.text})" if failure.line else ""
    if failure.is_hole:
        return f"{name} stopped{where}: {failure.function} is not attempted yet{line}"
    return f"{name} stopped{where} with {failure.kind}: {failure.message}{line}"


def filmed(name: str, accesses: list[Access], tables: np.ndarray | None = None) -> Film:
    """The accesses of the first head's programs, divided into frames.

    A frame ends when its program touches a tensor for the second time, which is the next step of its loop, or when
    another program begins. tables: the block tables, where keys and values lie in blocks.
    """
    view = Sheet(accesses) if tables is None else Paged(accesses, tables)
    shown = {access.program for access in accesses if view.is_first_heads(access)}
    film = Film(name, [], {}, units=view.units)
    moved, own, now = 0, 0, None
    for access in accesses:
        if access.program not in shown:
            continue
        if access.program != now:
            now, own = access.program, 0
        same_program = bool(film.frames) and film.frames[-1].program == access.program
        if same_program and (statistics := _statistics(access.names)):
            film.frames[-1].statistics = statistics  # as they are after the step, when the next one begins
        size = access.elements.size * access.tensor.itemsize
        moved, own = moved + size, own + size
        touches = view.touches(access)
        if touches:
            film.tensors |= {n: page for n, page in view.pages(access).items() if n not in film.tensors}
            touched = {t.tensor for t in film.frames[-1].touches} if same_program else set()
            if not same_program or access.tensor.name in touched:
                film.frames.append(Frame(access.program))
            film.frames[-1].touches += touches
        if film.frames and film.frames[-1].program == access.program:
            film.frames[-1].own, film.frames[-1].moved = own, moved
    return film


class Sheet:
    """Every tensor as the sheet of its last two axes; shown are those of most axes, the queries and the output."""

    NAMED = ("q", "o")  # which have an axis less where there is one query for each head
    units: dict[str, str] = {}

    def __init__(self, accesses: list[Access]):
        self.widest = max((len(access.tensor.shape) for access in accesses), default=0)

    def is_first_heads(self, access: Access) -> bool:
        """Whether the access is within the first head of a tensor of most axes."""
        is_widest = len(access.tensor.shape) == self.widest
        return is_widest and not any(axis.any() for axis in _indices(access.elements, access.tensor)[:-2])

    def pages(self, access: Access) -> dict[str, tuple[int, int]]:
        return {access.tensor.name: _page(access.tensor)}

    def touches(self, access: Access) -> list[Touch]:
        """The rectangle that the access covers in the last two axes."""
        if len(access.tensor.shape) != self.widest and short(access.tensor.name) not in self.NAMED:
            return []
        index = _indices(access.elements, access.tensor)
        rows, columns = index[-2:] if len(index) > 1 else (index[0], np.zeros_like(index[0]))
        return [Touch(access.kind, access.tensor.name, _span(rows), _span(columns))]


class Paged(Sheet):
    """A kernel that walks block tables, of the first sequence and KV head that it touches: the keys in their order, the
    entries of the table, and the pools of keys and values block by block.
    """

    units = {"keys": "", "tables_ptr": "entries", "k_ptr": "blocks", "v_ptr": "blocks"}
    POOLS = ("k", "v")

    def __init__(self, accesses: list[Access], tables: np.ndarray):
        super().__init__(accesses)
        self.tables = tables
        walks = (a for a in accesses if short(a.tensor.name) == "tables")
        reads = (a for a in accesses if short(a.tensor.name) in self.POOLS)
        walk, read = next(walks, None), next(reads, None)
        self.sequence = int(_indices(walk.elements, walk.tensor)[0].flat[0]) if walk else 0
        self.head = int(_indices(read.elements, read.tensor)[1].flat[0]) if read else 0
        ours = {a.program for a in walks if _indices(a.elements, a.tensor)[0].flat[0] == self.sequence}
        self.walkers = ours | ({walk.program} if walk else set())

    def is_first_heads(self, access: Access) -> bool:
        if short(access.tensor.name) not in self.POOLS or access.program not in self.walkers:
            return False
        return bool((_indices(access.elements, access.tensor)[1] == self.head).all())

    def pages(self, access: Access) -> dict[str, tuple[int, int]]:
        name, shape = access.tensor.name, access.tensor.shape
        if short(name) == "tables":
            return {name: (shape[1], 1)}
        if short(name) not in self.POOLS:
            return super().pages(access)
        held = int((self.tables[self.sequence] >= 0).sum())
        return {"keys": (max(1, held * shape[2]), 1), name: (shape[0], shape[2])}

    def touches(self, access: Access) -> list[Touch]:
        name, index = access.tensor.name, _indices(access.elements, access.tensor)
        if short(name) == "tables":
            return [Touch(access.kind, name, _span(index[1]), (0, 0))]
        if short(name) not in self.POOLS:
            return super().touches(access)
        block, slot = index[0], index[2]
        found = [Touch(access.kind, name, (int(b), int(b)), _span(slot[block == b])) for b in dict.fromkeys(block.flat)]
        return [*self._keys(block, slot, access.tensor.shape[2]), *found] if short(name) == "k" else found

    def _keys(self, block: np.ndarray, slot: np.ndarray, block_size: int) -> list[Touch]:
        """The same by position in the sequence."""
        entry = {int(b): i for i, b in enumerate(self.tables[self.sequence]) if b >= 0}
        places = [entry[int(b)] * block_size + int(s) for b, s in zip(block.flat, slot.flat) if int(b) in entry]
        return [Touch("load", "keys", (min(places), max(places)), (0, 0))] if places else []


def short(name: str) -> str:
    """A kernel's parameter without the suffix that says what it is: q_ptr, k_desc -> q, k."""
    return name.removesuffix("_ptr").removesuffix("_desc")


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
