"""bench(f): how fast an answer is, on a GPU. Needs torch and numpy, and Triton for what is measured; nothing else.

Read in this order: `problems` (inputs, work, truth; which sizes; beside which peers), `timing` (right first, the clock,
the ceilings), `result` (plain data), `table`, `panels`, `shown` and `figure` (what people see), `measure` (all of it).
"""

from .figure import plot_bench
from .measure import bench
from .shown import Bench, recorded

__all__ = ["Bench", "bench", "plot_bench", "recorded"]
