"""What a rank's operations in torch touch, and how much they multiply."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor

from ..failure import Kind
from ..meters.operations import OperatorsAndBytes, Placed
from ..tensors import read
from ..tensors.names import base_name
from ..tensors.products import product_of
from ..tensors.read import memory_of
from .world import Message, RankFault, World, bytes_of, overlap

BY_NUMBER = ("aten.mul", "aten.div", "aten.addcmul", "aten.addcdiv", "aten.lerp")  # multiply number by number


class RankMeter(OperatorsAndBytes):
    """One rank's operators and bytes, as everywhere; and what it must not touch: memory of another rank's, what is
    still being received, and, to write to, what is still being sent.
    """

    def __init__(
        self,
        is_learners: Callable[[str], bool],
        given: Any,
        home: str,
        world: World,
        number: int,
        meters: list[RankMeter],
    ):
        super().__init__(is_learners, given, home=home)
        self.world, self.number, self.meters = world, number, meters

    def asked(self, func: Any, args: Any, used: list[Placed]) -> None:
        self._look_whose({memory for memory, _ in used})
        if not func.is_view:
            self._look_whether_received([tensor for _, tensor in used])
        super().asked(func, args, used)

    def done(self, func: Any, args: Any, kwargs: dict[str, Any], used: list[Placed], out: Any) -> None:
        super().done(func, args, kwargs, used, out)
        if func._schema.is_mutable:
            self._look_whether_sent()
        self.world.computed(work_of(func, args, out, self.stand_for_others(used)))

    def _look_whose(self, used: set[int]) -> None:
        strange = used - (self.known or set()) - {0}
        if not strange:
            return
        if any(m.copy is not None and memory_of(m.copy) in strange for m in self.world.messages):
            said = f"rank {self.number} reads a message on its way: wait for it, and read the tensor that receives it"
            raise RankFault(Kind.TOO_EARLY, said, self.world.line())
        for meter in self.meters:
            if not strange.isdisjoint(meter.known or ()):
                said = f"rank {self.number} uses a tensor of rank {meter.number}, which was never sent to it"
                raise RankFault(Kind.NOT_SENT, said, self.world.line())

    def _look_whether_received(self, used: Iterable[Tensor]) -> None:
        me = self.number
        coming = [m for m in self.world.messages if m.target == me and m.received is not None and me in m.waits]
        spans = [bytes_of(tensor) for tensor in used] if coming else []
        for message in coming:
            there = bytes_of(message.received)
            if any(overlap(there, span) for span in spans):
                said = (
                    f"rank {self.number} uses what it is still receiving since line {message.lines[self.number]}: "
                    "wait for it first"
                )
                raise RankFault(Kind.TOO_EARLY, said, self.world.line())

    def _look_whether_sent(self) -> None:
        for message in self.world.messages:
            if message.source == self.number and self.number in message.waits and _differs(message):
                said = (
                    f"rank {self.number} overwrites what it is still sending since line {message.lines[self.number]}: "
                    "wait for it first"
                )
                raise RankFault(Kind.OVERWRITTEN, said, self.world.line())


def _differs(message: Message) -> bool:
    """Whether a tensor that is being sent is another one now; NaN is what it was."""
    sent, copy = message.sent, message.copy
    return sent is not None and _bytes(sent) != _bytes(copy)


def _bytes(tensor: Tensor) -> bytes:
    first, end = bytes_of(tensor)  # without gaps
    return ctypes.string_at(first, end - first)


def work_of(func: Any, args: Any, out: Any, of_whole: bool = False) -> int:
    """Multiplications of an operator, each with its addition: of products (elementwise too), convolutions, distances.

    What does them in another way does none here, and the least `work` of an exercise's budget refuses it.
    """
    if base_name(func) in BY_NUMBER and isinstance(out, torch.Tensor):
        return int(read.length_of(out))
    return product_of(func, args, out, of_whole)
