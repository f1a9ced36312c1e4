"""One call on all ranks: shards go in, each rank's results come out, with what each rank did."""

from __future__ import annotations

import contextlib
import contextvars
import copy
import functools
import linecache
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..failure import Kind
from ..meters.operations import FunctionNames, home_of, learner_line
from .distributed import WORLD, installed
from .namespace import Namespace
from .shared import shared
from .watch import RankMeter
from .world import Interrupted, RankFault, Round, Span, World

MOST = 12  # ranks
SHARED = "all ranks would share a {}, which cannot be copied for each of them: make it within the function"


@dataclass
class Run:
    """What all ranks did. error: what ended it, if it did not end well.

    given: each rank's arguments. meters, names: each rank's. sent_bytes, messages: the most that a rank sent, a
    collective being one message; received_bytes, work, compared: the least that one received, multiplied, and brought
    to a maximum or a minimum over all ranks. most_at_once: the most that one multiplied without waiting for a message.
    rounds: what each sent in each of the rounds that had to follow one another. clock: when the last rank was done, in
    multiplications (see `world`). waited: the most that one stood still, in the same. line: where the most bytes were
    sent; waited_line: where ranks waited longest.
    """

    given: list[dict[str, Any]]
    results: list[Any]
    spans: list[Span]
    meters: list[RankMeter]
    names: list[FunctionNames]
    error: BaseException | None
    sent_bytes: int
    messages: int
    rounds: list[Round]
    received_bytes: int
    compared: int
    work: int
    most_at_once: int
    clock: int
    waited: int
    line: int
    waited_line: int

    @property
    def peak_bytes(self) -> int:
        """Bytes that the fullest rank allocated at its peak, its shards not counted."""
        return max(meter.peak for meter in self.meters)


def shards(arguments: dict[str, Any], rank: int) -> dict[str, Any]:
    """What a rank is given: its item of every list; of all else, which is the same on all ranks, a copy of its own."""
    return {name: value[rank] if type(value) is list else copy.deepcopy(value) for name, value in arguments.items()}


def world_size(arguments: dict[str, Any]) -> int:
    """How many ranks the lists among the arguments are for."""
    sizes = {len(value) for value in arguments.values() if type(value) is list}
    if len(sizes) != 1 or not 1 <= max(sizes) <= MOST:
        raise ValueError(f"lists of the shards of 1 to {MOST} ranks, all of one length, not of {sorted(sizes)}")
    return sizes.pop()


def run(
    function: Callable[..., Any],
    arguments: dict[str, Any],
    is_learners: Callable[[str], bool],
    patience: float = math.inf,
) -> Run:
    """Call `function` on every rank with its shards. Raises nothing but KeyboardInterrupt.

    patience: seconds after which a rank that neither waits nor ends is taken to be in an endless loop.
    """
    size = world_size(arguments)
    file = home_of(function)
    world = World(size, functools.partial(learner_line, file.__eq__))
    given = [shards(arguments, rank) for rank in range(size)]
    meters: list[RankMeter] = []
    meters += (RankMeter(is_learners, given[rank], file, world, rank, meters) for rank in range(size))
    names = [FunctionNames(file, meter) for meter in meters]
    functions = [Namespace(is_learners, function.__module__).own(function) for _ in range(size)]
    common = shared(functions[0], functions[1], is_learners) if size > 1 else None
    contexts = [contextvars.copy_context() for _ in range(size)]

    def on(rank: int) -> Any:
        WORLD.set(world)
        if common is not None:
            raise TypeError(SHARED.format(type(common).__name__))
        with names[rank], meters[rank]:
            return functions[rank](**given[rank])

    try:
        with installed():
            world.run(lambda rank: contexts[rank].run(on, rank), patience)
    except Interrupted as stop:
        stop.text = linecache.getline(file, stop.line).strip()
        raise
    return Run(
        given=given,
        results=[rank.result for rank in world.ranks],
        spans=world.spans,
        meters=meters,
        names=names,
        error=_error_of(world, file),
        sent_bytes=max(rank.sent_bytes for rank in world.ranks),
        messages=max(rank.messages for rank in world.ranks),
        rounds=world.rounds,
        received_bytes=min(rank.received_bytes for rank in world.ranks),
        compared=min(rank.compared for rank in world.ranks),
        work=min(rank.work for rank in world.ranks),
        most_at_once=max(rank.most_at_once for rank in world.ranks),
        clock=max(rank.clock for rank in world.ranks),
        waited=max(rank.waited for rank in world.ranks),
        line=_most(world.sent_by_line),
        waited_line=_most(world.waited_by_line),
    )


def _error_of(world: World, file: str) -> BaseException | None:
    """What ended the ranks before they had all returned, with its line, or which rank raised it."""
    failed = next((r for r in world.ranks if r.error is not None), None)
    endless = world.fault if world.fault and world.fault.kind == Kind.TIMEOUT else None
    error = endless or (failed.error if failed else world.fault or world.unfinished())
    if isinstance(error, RankFault):
        error.text = linecache.getline(file, error.line).strip()
    elif failed and error and not isinstance(error, NotImplementedError):  # a hole, which all ranks have
        with contextlib.suppress(Exception):  # of an exception that takes no notes
            BaseException.add_note(error, f"on rank {failed.number}")
    return error


def _most(by_line: Counter[int]) -> int:
    return by_line.most_common(1)[0][0] if by_line else 0
