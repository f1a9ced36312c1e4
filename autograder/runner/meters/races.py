"""Races between the programs of a Triton grid: on a GPU they run at once and in any order, here one after the other.

So an answer in which one program needs what another has stored is right here and wrong there. Within a launch every
element remembers who stored it and who loaded it. Storing what stands there already is no race: overlapping tiles do.
Nor is what a program does after it has looked at a lock or counter, an atomic of whole numbers, with what another did
before it last touched one: they may have waited for each other. Sums by atomics order nothing.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import wide
from ..tensors.regions import Program

NOBODY, MANY = 0, -1  # zeros take up no memory until others are written
EPOCH = 32  # bits of a mark below that: the program's number, from 1


class Race(RuntimeError):
    """Two programs of one launch use the same element, and one of them changes it."""


@dataclass
class Span:
    """Memory from `start` to `end`, that of one tensor or of several that overlap."""

    start: int
    end: int

    def __post_init__(self) -> None:
        self.stored_by = np.zeros(self.end - self.start, np.int64)
        self.loaded_by = np.zeros(self.end - self.start, np.int64)
        memory: Any = (ctypes.c_char * (self.end - self.start)).from_address(self.start)
        self.bytes = np.frombuffer(memory, np.uint8)


class Owners:
    """Who used which element in one launch."""

    def __init__(self, tensors: Iterable[tuple[int, int]]):
        """tensors: addresses of their first byte and past their last one. Wide ones, which are inputs, go unwatched."""
        self.spans: list[Span] = []
        self.latest: Program | None = None
        self.loads: list[tuple[int, int, np.ndarray]] = []  # of the latest program: from where to where, and addresses
        self.numbers: dict[Program, int] = {}
        self.epochs: list[int] = []  # of each program: how often it has touched a lock or counter
        merged: list[list[int]] = []
        for start, end in sorted(tensors):
            if merged and start < merged[-1][1]:
                merged[-1][1] = max(end, merged[-1][1])
            elif start < end:
                merged.append([start, end])
        self.spans = [Span(start, end) for start, end in merged if end - start < wide.FROM]

    def load(self, program: Program, addresses: np.ndarray) -> None:
        """Raises Race if another program has stored one of the elements."""
        span, at, me = self._find(program, addresses)
        if span is None:
            return
        others = self._others(span.stored_by[at], me)
        if others.any():
            raise Race(self._say(program, span.stored_by[at][others][0], "loads what", "has stored in the same launch"))
        span.loaded_by[at] = np.where(self._others(span.loaded_by[at], me), MANY, me)

    def loaded_again(self, program: Program, addresses: np.ndarray) -> int:
        """How many of the elements that a program loads it has loaded before, one program after the other."""
        if program != self.latest:
            self.latest, self.loads = program, []
        low, high = int(addresses.min()), int(addresses.max())
        near = [other for first, last, other in self.loads if first <= high and low <= last]
        self.loads.append((low, high, addresses))
        return int(np.isin(addresses, np.concatenate(near)).sum()) if near else 0

    def store(self, program: Program, addresses: np.ndarray, values: np.ndarray) -> None:
        """Raises Race if this changes an element that another program has stored or loaded."""
        span, at, me = self._find(program, addresses)
        if span is None:
            return
        new = np.ascontiguousarray(values).view(np.uint8).reshape(len(at), -1)
        changed = (span.bytes[at[:, None] + np.arange(new.shape[1])] != new).any(axis=1)
        for owners, said in ((span.stored_by, "has stored"), (span.loaded_by, "has loaded")):
            others = changed & self._others(owners[at], me)
            if others.any():
                raise Race(self._say(program, owners[at][others][0], "changes what", f"{said} in the same launch"))
        span.stored_by[at] = me

    def synchronise(self, program: Program) -> None:
        """The program touches a lock or counter."""
        self.epochs[self._number(program) - 1] += 1

    def _number(self, program: Program) -> int:
        if program not in self.numbers:
            self.epochs.append(0)
            self.numbers[program] = len(self.epochs)
        return self.numbers[program]

    def _find(self, program: Program, addresses: np.ndarray) -> tuple[Span | None, np.ndarray, int]:
        """The memory, the places in it, and the program's mark: its number and epoch."""
        number = self._number(program)
        me = (self.epochs[number - 1] << EPOCH) + number
        for span in self.spans:
            if span.start <= addresses[0] < span.end:
                return span, addresses.astype(np.int64) - span.start, me
        return None, addresses, me

    def _others(self, owners: np.ndarray, me: int) -> np.ndarray:
        """Where it is another program's mark, and nothing orders the two."""
        numbers = owners & ((1 << EPOCH) - 1)
        others: np.ndarray = (owners != NOBODY) & ((owners == MANY) | (numbers != me & ((1 << EPOCH) - 1)))
        if me >> EPOCH and others.any():
            left = np.array(self.epochs)[np.where(others & (owners != MANY), numbers, 1) - 1]
            others &= (owners == MANY) | (owners >> EPOCH == left)
        return others

    def _say(self, program: Program, other: int, does: str, has: str) -> str:
        them, have = "several programs", has.replace("has", "have", 1)
        if other != MANY:
            them, have = f"program {launch_index([*self.numbers][(other & ((1 << EPOCH) - 1)) - 1])}", has
        return f"program {launch_index(program)} {does} {them} {have}; programs run in any order, and at once"


def launch_index(program: Program) -> str:
    """A program's index in the grid without the axes after the last one used: "3", "(3, 1)"."""
    used = max((axis for axis in range(3) if program[axis]), default=0) + 1
    return str(int(program[0])) if used == 1 else str(tuple(map(int, program[:used])))
