"""One call of an answer in this process, and nothing that takes the process's use of the GPU with it.

A Triton kernel that reads far outside its tensors ends every later use of the GPU in the process that launched it, be
it the learner's own kernel or a classic mistake that is tried for the diagnosis. So where kernels are compiled the same
call is made first in the interpreter, which refuses such an access before memory is touched, and counts the bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .beside import interpreted_call
from .runner.observe import Observation, interpreted, observe
from .spec import Arguments, Exercise


def observed(exercise: Exercise, function: Callable[..., Any], arguments: Arguments, metered: bool) -> Observation:
    """What `observe` sees of the call, or an access out of bounds that the interpreter has found before it."""
    if exercise.backend != "triton" or interpreted():
        return observe(function, arguments, exercise.backend, metered)
    first = interpreted_call(function, arguments)
    if first and first.failure and first.failure.kind == "OutOfBounds":
        return first
    seen = observe(function, arguments, exercise.backend, metered)
    if metered and first and not first.failure:
        seen.loads, seen.stores, seen.busiest_line = first.loads, first.stores, first.busiest_line
    return seen
