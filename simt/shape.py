"""The shape of a launch."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Shape:
    """Of a launch: blocks in the grid, threads in a block, bytes of dynamic shared memory for each block."""

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared: int = 0
