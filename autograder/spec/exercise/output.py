"""What is returned, and how far it may be from the truth."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Output:
    """One returned array. dtype None: the dtype of the inputs. `exact` outputs (indices) are compared bit for bit.

    memory: whose it may be. A function's result is new memory, and a method's is that of no argument; "view": a
    function's result may be a view of its inputs, and a method's has to be one of the object's own memory; "copy": a
    method's is neither; "contiguous": new memory, row after row without gaps.
    alike: of ranks, each of which has to return the same numbers, to the last bit.
    has_gaps: anything may stand where the oracle has NaN, as in slots of a buffer that hold nothing.
    is_tensor: of what has no axes, that no other number will do, nor another dtype: Python's are float64.
    has_zeros: of weights, that what is 0 is no small number instead: e to the power of minus infinity.
    """

    name: str
    dtype: str | None = None
    exact: bool = False
    memory: str = ""
    alike: bool = False
    has_gaps: bool = False
    is_tensor: bool = False
    has_zeros: bool = False


@dataclass(frozen=True)
class Tolerance:
    """max|X - X64| <= factor * B + u and mean|X - X64| <= mean_factor * mean B + mean u (see `compare`).

    factor is 2 for forward results and 3 for gradients, as in the tests of the FlashAttention repository.
    known_like: B takes the inputs as known to a unit in the last place, of a number of this size where they are larger;
    0 where they are exact: maxima and sums, from which more digits can be kept than from scores.
    """

    factor: float = 2.0
    mean_factor: float = 1.5
    known_like: float = math.inf
