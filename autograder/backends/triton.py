"""Answers that launch Triton kernels.

A Triton kernel that reads far outside its tensors ends every later use of the GPU in the process that launched it, be
it the learner's own kernel or a classic mistake. So where kernels are compiled a call is made in a helper process.
Before that it is made in the interpreter, which names such an access and its line, and counts the bytes. What a classic
mistake gives, with which a wrong answer is compared, comes from the interpreter alone: none of them is compiled.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ..processes.helpers import ask_own, let_go
from ..processes.portable import closure
from ..runner.engines.triton import interpreted
from ..runner.failure import Kind
from ..runner.helper.cache import CORES
from ..runner.observe import Observation
from ..spec.exercise import Arguments, Exercise
from .ahead import Ahead
from .assembly import Compiled
from .python import LEAVES_TORCH, Checking, Drawn, Item, Python, Result

# What a launcher of Triton kernels may do with torch, besides what its exercise allows: allocate and take views.
ALLOCATION_AND_VIEWS = frozenset({
    "empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided", "zeros", "zeros_like", "new_zeros",
    "zero", "full", "full_like", "new_full", "fill", "ones", "ones_like", "new_ones",
    "view", "_unsafe_view", "_reshape_alias", "as_strided", "alias", "detach", "expand", "permute", "transpose", "t",
    "select", "slice", "squeeze", "unsqueeze", "unflatten", "split", "split_with_sizes", "unbind", "is_same_size",
})  # fmt: skip
LEFT_BEHIND = (Kind.NOT_DEFINED, "NameError")  # an answer uses what cannot be sent, such as a list


class Triton(Python):
    operators = ALLOCATION_AND_VIEWS
    ways_out = LEAVES_TORCH | {"torch.Tensor.tolist"}  # reading any numbers is left to the kernels

    def call(
        self, exercise: Exercise, function: Callable[..., Any], arguments: Arguments, once: bool
    ) -> Observation | str:
        with self.checking(exercise, function, lambda: ([arguments], None)) as (call, _):
            return call(arguments, once)

    @contextlib.contextmanager
    def checking(self, exercise: Exercise, function: Callable[..., Any], drawn: Drawn) -> Iterator[Checking]:
        here = functools.partial(super().call, exercise, function)
        if interpreted():
            yield here, functools.partial(self.compiled, exercise, function)
            return
        try:
            ahead = Ahead(function)
        except OSError:  # there is no source to send to another process
            yield here, lambda arguments: []
            return

        def call(arguments: Arguments, once: bool) -> Observation | str:
            if not ahead.cases:
                ahead.begin(*drawn())
            seen = ahead.call(arguments, exercise.spied)
            left_behind = isinstance(seen, Observation) and seen.failure and seen.failure.kind in LEFT_BEHIND
            return here(arguments, once) if left_behind else seen

        try:
            with ahead:
                yield call, lambda arguments: ahead.compiled()
        finally:
            let_go()

    def own_call(
        self, exercise: Exercise, function: Callable[..., Any], arguments: Arguments, once: bool
    ) -> Observation | str:
        seen = None
        if not interpreted():
            seen = ask_own(closure(function), lambda process: process.call(exercise.name, arguments, "triton", once))
        return seen or self.call(exercise, function, arguments, once)

    def values(
        self, exercise: Exercise, function: Callable[..., Any], arguments: Arguments, once: bool
    ) -> Observation | str:
        here = super().values if interpreted() else self.own_call
        return here(exercise, function, arguments, once)

    def each(self, function: Callable[[Item], Result], items: Sequence[Item]) -> Iterable[Result]:
        if interpreted():
            return super().each(function, items)
        with ThreadPoolExecutor(CORES) as pool:
            return list(pool.map(function, items))

    def is_compiled(self, exercise: Exercise) -> bool:
        return exercise.compiled is not None

    def compiled(self, exercise: Exercise, function: Callable[..., Any], arguments: Arguments) -> list[Compiled]:
        return compile_here(function, arguments)


def compile_here(function: Callable[..., Any], arguments: Arguments) -> list[Compiled]:
    """Compile what `function` launches in helper processes. Empty where no compiler finishes."""
    try:
        with Ahead(function) as ahead:
            ahead.begin([], arguments)
            return ahead.compiled()
    except OSError:  # there is no source
        return []
