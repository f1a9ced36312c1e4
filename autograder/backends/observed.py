"""One call of an answer, and nothing that takes this process's use of the GPU with it.

A Triton kernel that reads far outside its tensors ends every later use of the GPU in the process that launched it, be
it the learner's own kernel or a classic mistake that is tried for the diagnosis. So where kernels are compiled the call
is made in a process beside this one. Before that it is made in the interpreter, which names such an access and its
line, and counts the bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..processes.helpers import interpreted_call, triton_call
from ..runner.child import NOT_DEFINED
from ..runner.observe import Observation, interpreted, observe
from ..spec.exercise import Arguments, Exercise

LEFT_BEHIND = (NOT_DEFINED, "NameError")  # where an answer uses what cannot be sent, as a list of the notebook's


def observed(
    exercise: Exercise, function: Callable[..., Any], arguments: Arguments, metered: bool
) -> Observation | str:
    """What `observe` sees of the call, or "timeout" where a compiled kernel does not come to an end."""
    if exercise.backend != "triton" or interpreted():
        return observe(function, arguments, exercise.backend, metered)
    first = interpreted_call(function, arguments)
    if first and first.failure and first.failure.kind == "OutOfBounds":
        return first
    try:
        seen = triton_call(function, arguments)
    except OSError:  # there is no source that could be sent to that process
        return observe(function, arguments, exercise.backend, metered)
    if isinstance(seen, Observation) and seen.failure and seen.failure.kind in LEFT_BEHIND:
        return observe(function, arguments, exercise.backend, metered)
    if metered and isinstance(seen, Observation) and first and not first.failure:
        seen.counts, seen.lines = first.counts | seen.counts, first.lines | seen.lines
    return seen
