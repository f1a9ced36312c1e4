"""bench(f): how fast an answer is, on a GPU. Needs torch and numpy, and Triton for what is measured; nothing else.

Read in this order: `problems` and `decode` (inputs, work, truth), `sizes` (what is measured), `peers` (what beside),
`gate` (right first), `timing` (the clock), `roofline` (the ceilings), `measure` (all of it), `result` and `report`
(what is shown and kept).
"""

from .measure import bench
from .report import plot_bench
from .result import Bench, recorded

__all__ = ["Bench", "bench", "plot_bench", "recorded"]
