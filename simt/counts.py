"""What the instruments saw: bytes, sectors and passes over the banks, per line of the kernel.

The runtime is compiled with the fields of `Line` and of `Most` (see `compiler.runtime`): what is counted is named here.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Self


@dataclass
class _Counts:
    def __add__(self, other: Self) -> Self:
        return type(self)(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


@dataclass
class Line(_Counts):
    """The counts of one line: bytes that its threads asked main memory for; requests by warps, the 32-byte sectors that
    they touch, and how few could hold the same bytes; requests to shared memory, and votes, 32 for one at a barrier;
    the passes over its banks, and how few would do; lanes of mma, and bytes that cp_async copies from main memory while
    their warp does 16 products or more; bytes of shared memory that threads read and write, and how often a block
    passes a barrier; exponentials and other powers that threads take, and those that come out next to 0 or infinite;
    shuffles of 4 bytes that warps make, and ballots, and fragments of mma; lanes of mma beside copies from main memory
    of theirs; numbers that conversions to 16 bits change, and what is left of divisions; bytes of shared memory that
    threads read and others have written, and of main memory that warps read and others have written in the same launch;
    lanes that load from main memory what does not lie next to what the lane before them loads, and those that store so;
    bytes of main memory that are loaded more than once, each of which counts once; mma that add to sums which all end
    in zeros; and all mma, whatever their operands are.
    """

    loaded: int = 0
    stored: int = 0
    requests: int = 0
    sectors: int = 0
    least_sectors: int = 0
    load_sectors: int = 0
    store_sectors: int = 0
    shared_requests: int = 0
    wavefronts: int = 0
    least_wavefronts: int = 0
    multiplied: int = 0
    copied: int = 0
    shared_bytes: int = 0
    barriers: int = 0
    exponentials: int = 0
    vanished: int = 0
    shuffles: int = 0
    overlapped: int = 0
    rounded: int = 0
    handed: int = 0
    passed: int = 0
    scattered_loads: int = 0
    scattered_stores: int = 0
    repeated: int = 0
    coarse: int = 0
    issued: int = 0

    @property
    def moved(self) -> int:
        """Bytes loaded and stored."""
        return self.loaded + self.stored

    @property
    def wasted(self) -> int:
        """Sectors beyond those that could hold the same bytes."""
        return self.sectors - self.least_sectors

    @property
    def conflicts(self) -> int:
        """Passes over the banks beyond those that would do."""
        return self.wavefronts - self.least_wavefronts


@dataclass
class Most(_Counts):
    """The most that one thread did, or one block, in a launch; of several launches, all of these together.

    Bytes of main memory that a thread loaded, that it stored, and that a block moved; bytes of shared memory that a
    thread read, and wrote; exponentials that a thread took, and those that a block took and that came out next to 0 or
    infinite; shuffles of 4 bytes that a warp made, and its votes; barriers of its block and of its warp that a thread
    passed; bytes of shared memory that others had written and a thread read, what it reads again among the next few
    being one; bytes of main memory that a block loaded more than once, each of which counts once; threads of a block
    that took fewer than an eighth as many exponentials as the one that took most; bytes of shared memory that a block
    wrote.
    """

    thread_loaded: int = 0
    thread_stored: int = 0
    block_moved: int = 0
    thread_read: int = 0
    thread_wrote: int = 0
    thread_exponentials: int = 0
    block_vanished: int = 0
    warp_shuffles: int = 0
    thread_barriers: int = 0
    thread_taken: int = 0
    block_again: int = 0
    idle_threads: int = 0
    block_wrote: int = 0


@dataclass(eq=False)  # one is taken off the list of those that watch, whatever another has counted
class Report:
    """The counts of all launches within a `watch`, by kernel and line."""

    lines: dict[tuple[str, int], Line] = field(default_factory=dict)
    kernels: list[str] = field(default_factory=list)  # in the order of their launches
    texts: dict[str, str] = field(default_factory=dict)  # their source texts
    most: Most = field(default_factory=Most)

    @property
    def total(self) -> Line:
        return sum(self.lines.values(), Line())

    def busiest(self, what: str) -> int:
        """The line with the most of `what`, e.g. "sectors"; 0 if there is none."""
        most = max(self.lines.items(), key=lambda item: getattr(item[1], what), default=None)
        return most[0][1] if most and getattr(most[1], what) else 0

    def add(self, kernel: str, text: str, seen: dict[str, Any]) -> None:
        """Add what was seen of one launch."""
        self.kernels.append(kernel)
        self.most += Most(*seen["most"])
        self.texts[kernel] = text
        for number, values in seen["lines"].items():
            key = kernel, int(number)
            self.lines[key] = self.lines.get(key, Line()) + Line(*values)
