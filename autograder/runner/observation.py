"""What is seen of a call, as data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from .failure import Failure
from .wall.printed import Printed

if TYPE_CHECKING:
    from .tensors.regions import Regions


@dataclass
class Observation:
    """What one call did. `outputs` is None where the call failed; a wrong type of output is a Failure too."""

    outputs: list[np.ndarray] | None = None
    failure: Failure | None = None
    operations: dict[str, int] = field(default_factory=dict)  # name -> first line
    inputs_changed: bool = False
    shared: list[str] = field(default_factory=list)  # for each output, whose memory it lies in: see `sharing.shared`
    counts: dict[str, int] = field(default_factory=dict)  # by the names of METERS; what was not counted is not there
    lines: dict[str, int] = field(default_factory=dict)  # the answer's line that did most of each
    kernels: list[str] | None = None  # names of the Triton kernels launched; None where that was not watched
    written: set[int] | None = None  # addresses of the memory they stored into; stays in this process
    regions: Regions | None = None  # of that which each program stored; stays in this process
    called: dict[str, int] = field(default_factory=dict)  # how often what was spied on: see `spies`
    numbers: dict[str, set[float]] = field(default_factory=dict)  # that such were given, or have made: see `spies`
    idle: list[str] = field(default_factory=list)  # what was used in name only: see `idle`
    constant: list[str] = field(default_factory=list)  # what was given the same for other inputs: see `idle`
    read: list[list[int]] = field(default_factory=list)  # tokens of a model's steps in each operation: see `spies`
    multiplied: list[list[int]] = field(default_factory=list)  # the three sizes of each tl.dot, each once
    on_gpu: bool = False  # whether Triton compiled the kernels and a GPU ran them
    printed: Printed = field(default_factory=Printed)
    raised: list[Failure] = field(default_factory=list)  # by an object's steps, as answers

    def note(self, meter: str, count: int, line: int = 0) -> None:
        """Write down what a meter of METERS counted, and the line that did most of it."""
        self.counts[meter], self.lines[meter] = count, line
