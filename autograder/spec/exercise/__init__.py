"""What an exercise is: plain data, no I/O. The checker, the grader, the builder and the proof all read these.

Read in this order: `Case` (one call with drawn inputs), `Output` and `Tolerance` (what it returns, and how exactly),
`Budget` (what is asked beside the value), `Question` (a number to predict), `Exercise` (all of it for one function, its
classic mistakes included).
"""

from .budget import ONE_TILE_EACH, Bound, Budget, launched
from .case import A_KEY, KEY, NO_SOFTMAX, REGIMES, Arguments, Case
from .exercise import Exercise, once
from .output import Output, Tolerance
from .question import Quantity, Question

__all__ = [
    "A_KEY",
    "KEY",
    "NO_SOFTMAX",
    "ONE_TILE_EACH",
    "REGIMES",
    "Arguments",
    "Bound",
    "Budget",
    "Case",
    "Exercise",
    "Output",
    "Quantity",
    "Question",
    "Tolerance",
    "launched",
    "once",
]
