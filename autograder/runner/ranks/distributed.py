"""What answers call of `torch.distributed`, for ranks that are threads of this process.

Signatures and errors are those of torch with gloo. `installed` puts these functions into torch's own module for as long
as a run takes; on a thread that is no rank they say so.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from types import FunctionType
from typing import Any
from weakref import WeakKeyDictionary

import torch
import torch.distributed
from torch import Tensor

from ..failure import Kind
from ..meters.words import counted
from ..tensors import read
from ..tensors.unseen import unseen
from .world import Message, RankFault, World, copy_of, fill

WORLD: ContextVar[World] = ContextVar("world")


def _world() -> World:
    world = WORLD.get(None)
    if world is None or world.current is None:
        raise RuntimeError("this is no rank: torch.distributed is there while a check or run_ranks runs a function")
    return world


def _checked(tensor: Any) -> Tensor:
    if type(tensor) not in (Tensor, torch.nn.Parameter):  # no class that does other things under the same names
        raise TypeError(f"expected a torch tensor, not {type(tensor).__name__}")
    with unseen():
        has_gaps = not read.is_contiguous(tensor)
    if has_gaps:
        said = "a tensor that is not contiguous can be neither sent nor received: call contiguous() first"
        raise RankFault(Kind.REFUSED, said, _world().line())
    checked: Tensor = tensor
    return checked


class Work:
    """A request to send or to receive; `wait` ends it. A collective is filled then: as late as it may be.

    No attribute of it leads to the message, and so to what has been sent before it is waited for.
    """

    __slots__ = ("__weakref__",)

    def __init__(self, message: Message | None = None, fill: Callable[[], object] = lambda: None):
        _ASKED[self] = message, fill

    def wait(self, timeout: object = None) -> bool:
        """Wait until the tensor may be used again."""
        world = _world()
        message, fill = _ASKED[self]
        if message is not None:
            world.wait(message)
        fill()
        _ASKED[self] = message, lambda: None
        return True

    def is_completed(self) -> bool:
        """Whether `wait` would return at once."""
        world = _world()
        message, _ = _ASKED[self]
        return self.wait() if message is None else world.poll(message)


_ASKED: WeakKeyDictionary[Work, tuple[Message | None, Callable[[], object]]] = WeakKeyDictionary()


def isend(
    tensor: Tensor, dst: int | None = None, group: Any = None, tag: int = 0, group_dst: int | None = None
) -> Work:
    return Work(_world().send(_checked(tensor), group_dst if dst is None else dst, tag))


def irecv(
    tensor: Tensor, src: int | None = None, group: Any = None, tag: int = 0, group_src: int | None = None
) -> Work:
    return Work(_world().receive(_checked(tensor), group_src if src is None else src, tag))


def send(tensor: Tensor, dst: int | None = None, group: Any = None, tag: int = 0, group_dst: int | None = None) -> None:
    isend(tensor, dst, group, tag, group_dst).wait()


def recv(tensor: Tensor, src: int | None = None, group: Any = None, tag: int = 0, group_src: int | None = None) -> int:
    source = group_src if src is None else src
    irecv(tensor, source, group, tag).wait()
    assert source is not None
    return source


class P2POp:
    """One of the requests of `batch_isend_irecv`: op is isend or irecv."""

    def __init__(
        self, op: Callable[..., Work], tensor: Tensor, peer: int | None = None, group: Any = None, tag: int = 0,
        group_peer: int | None = None,
    ):  # fmt: skip
        if ORIGINALS.get(op, op) not in (isend, irecv):
            raise ValueError("Invalid ``op``. Expected ``op`` to be of type ``isend`` or ``irecv``.")
        self.op = ORIGINALS.get(op, op)
        self.tensor, self.peer, self.tag = tensor, group_peer if peer is None else peer, tag


def batch_isend_irecv(p2p_op_list: Sequence[P2POp]) -> list[Work]:
    if not p2p_op_list:
        raise IndexError("list index out of range")
    return [request.op(request.tensor, request.peer, None, request.tag) for request in p2p_op_list]


def all_reduce(tensor: Tensor, op: Any = None, group: Any = None, async_op: bool = False) -> Work | None:
    """In place; a ring sends 2 (W - 1) / W of it."""
    name = "SUM" if op is None else str(op).rpartition(".")[2]
    if name not in REDUCTIONS:
        raise ValueError(f"all_reduce with {name}: there are {', '.join(REDUCTIONS)}")

    def combine(parts: list[Tensor]) -> list[Any]:
        with unseen():
            return [REDUCTIONS[name](read.stacked(parts))] * len(parts)

    if name in ("MAX", "MIN"):
        _world().compares(read.length_of(tensor))
    out = _meet(
        f"all_reduce of {_form(tensor)} by {name}",
        tensor,
        combine,
        lambda size: 2 * (size - 1) * read.bytes_in(tensor) // size,
        laps=2,
    )
    return _ended(async_op, lambda: fill(tensor, out))


def _ended(async_op: bool, fill: Callable[[], object]) -> Work | None:
    """What a collective returns: it is filled now, or when it is waited for."""
    if async_op:
        return Work(fill=fill)
    fill()
    return None


REDUCTIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "SUM": lambda x: read.sum_of(x, dim=0, dtype=read.dtype_of(x)),
    "MAX": lambda x: read.largest_of(x, dim=0),
    "MIN": lambda x: read.smallest_of(x, dim=0),
    "AVG": lambda x: read.mean_of(x, dim=0),
}


def all_gather(tensor_list: list[Tensor], tensor: Tensor, group: Any = None, async_op: bool = False) -> Work | None:
    """Every rank's tensor, all of one shape, into the list; a ring sends W - 1 of them."""
    parts = _gathered("all_gather", tensor)
    if len(tensor_list) != len(parts):
        raise ValueError(f"all_gather into {counted(len(tensor_list), 'tensor')} on {counted(len(parts), 'rank')}")
    checked = [_checked(into) for into in tensor_list]

    def handed_out() -> None:
        for into, part in zip(checked, parts, strict=True):
            fill(into, part)

    return _ended(async_op, handed_out)


def all_gather_into_tensor(
    output_tensor: Tensor, input_tensor: Tensor, group: Any = None, async_op: bool = False
) -> Work | None:
    """The same, one behind the other along the first axis."""
    parts = _gathered("all_gather_into_tensor", input_tensor)
    into = _checked(output_tensor)

    def joined() -> None:
        with unseen():
            fill(into, read.joined(parts).view(read.size_of(into)))

    return _ended(async_op, joined)


def _gathered(name: str, tensor: Tensor) -> list[Tensor]:
    found: list[Tensor] = _meet(
        f"{name} of {_form(tensor)}",
        tensor,
        lambda parts: [parts] * len(parts),
        lambda size: (size - 1) * read.bytes_in(tensor),
        laps=1,
    )
    return found


def barrier(group: Any = None, async_op: bool = False, device_ids: Any = None) -> Work | None:
    _world().meet("barrier", None, lambda parts: parts, lambda size: 0)
    return Work() if async_op else None


def _meet(
    what: str, tensor: Tensor, combine: Callable[[list[Any]], list[Any]], cost: Callable[[int], int], laps: int
) -> Any:
    return _world().meet(what, copy_of(tensor), combine, cost, laps)


def _form(tensor: Tensor) -> str:
    return f"{tuple(read.size_of(_checked(tensor)))} {str(read.dtype_of(tensor)).removeprefix('torch.')}"


def get_rank(group: Any = None) -> int:
    rank = _world().current
    assert rank is not None
    return rank.number


def get_world_size(group: Any = None) -> int:
    return len(_world().ranks)


def is_initialized() -> bool:
    return True


OURS: dict[str, Any] = {
    thing.__name__: thing
    for thing in (
        *(isend, irecv, send, recv, P2POp, batch_isend_irecv, Work),
        *(all_reduce, all_gather, all_gather_into_tensor, barrier, get_rank, get_world_size, is_initialized),
    )
}


def _missing(name: str) -> Callable[..., Any]:
    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(f"torch.distributed.{name} is not there: the ranks here have {', '.join(OURS)}")

    return refuse


def _exchanges(name: str, thing: Any) -> bool:
    """Whether a name of torch.distributed is a function of a process group's that is not among ours."""
    is_public = not name.startswith(("_", "is_")) and name not in OURS
    return is_public and type(thing) is FunctionType and thing.__module__ == torch.distributed.distributed_c10d.__name__


MISSING = {name: _missing(name) for name, thing in vars(torch.distributed).items() if _exchanges(name, thing)}
PUT = OURS | MISSING  # what stands in torch.distributed while ranks run
ORIGINALS: dict[Any, Any] = {getattr(torch.distributed, name): thing for name, thing in PUT.items()}


@contextlib.contextmanager
def installed() -> Iterator[None]:
    """Within this context torch.distributed's functions are these."""
    module: Any = torch.distributed
    before = {name: getattr(module, name) for name in PUT}
    vars(module).update(PUT)
    try:
        yield
    finally:
        vars(module).update(before)
