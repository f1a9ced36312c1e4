"""Answers that launch Triton kernels.

A Triton kernel that reads far outside its tensors ends every later use of the GPU in the process that launched it, be
it the learner's own kernel or a classic mistake that is tried for the diagnosis. So where kernels are compiled a call
is made in a helper process. Before that it is made in the interpreter, which names such an access and its line, and
counts the bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..processes.helpers import ask, interpreted_call, triton_call
from ..runner.failure import Kind
from ..runner.meters.traffic import OutOfBounds
from ..runner.observe import Observation, interpreted
from ..spec.exercise import Arguments, Exercise
from .assembly import Compiled, Unfinished, assembled_all
from .python import LEAVES_TORCH, Python

# What a launcher of Triton kernels may do with torch, besides what its exercise allows: allocate and take views.
ALLOCATION_AND_VIEWS = frozenset({
    "empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided", "zeros", "zeros_like", "new_zeros",
    "zero", "full", "full_like", "new_full", "fill", "ones", "ones_like", "new_ones",
    "view", "_unsafe_view", "_reshape_alias", "as_strided", "alias", "detach", "expand", "permute", "transpose", "t",
    "select", "slice", "squeeze", "unsqueeze", "unflatten", "split", "split_with_sizes", "unbind", "is_same_size",
})  # fmt: skip
LEFT_BEHIND = (
    Kind.NOT_DEFINED,
    "NameError",
)  # an answer uses what cannot be sent, such as a list


class Triton(Python):
    operators = ALLOCATION_AND_VIEWS
    ways_out = LEAVES_TORCH | {"torch.Tensor.tolist"}  # reading any numbers is left to the kernels

    def call(
        self, exercise: Exercise, function: Callable[..., Any], arguments: Arguments, once: bool
    ) -> Observation | str:
        if interpreted():
            return super().call(exercise, function, arguments, once)
        first = interpreted_call(function, arguments)
        if first and first.failure and first.failure.kind == OutOfBounds.__name__:
            return first
        try:
            seen = triton_call(function, arguments, list(exercise.calls))
        except OSError:  # there is no source to send to that process
            return super().call(exercise, function, arguments, once)
        if isinstance(seen, Observation) and seen.failure and seen.failure.kind in LEFT_BEHIND:
            return super().call(exercise, function, arguments, once)
        if isinstance(seen, Observation) and first and not first.failure:
            seen.counts, seen.lines = first.counts | seen.counts, first.lines | seen.lines
        return seen

    def is_compiled(self, exercise: Exercise) -> bool:
        return exercise.compiled is not None

    def compiled(self, exercise: Exercise, function: Callable[..., Any], arguments: Arguments) -> list[Compiled]:
        return compile_here(function, arguments)


def compile_here(function: Callable[..., Any], arguments: Arguments) -> list[Compiled]:
    """Compile what `function` launches in a helper process. Empty where no compiler finishes."""
    kernels = ask(function, "compiles", lambda process: process.translate(function.__name__, arguments))
    try:
        return assembled_all(kernels or [])
    except Unfinished:
        return []
