"""What an engine is; and what is so of most of them: answers are Python code that takes and returns tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from ..meters.spies import Spies
    from ..observation import Observation


class Between(Protocol):
    """What meters are told and asked between two operations of an object."""

    def note_held(self) -> None:
        """Only what is kept is alive."""

    def writes_at(self, memory: int) -> int:
        """How often the memory at an address has been written to, by whichever view of it."""


class Uncounted:
    """What stands between two operations where nothing is counted."""

    def note_held(self) -> None:
        pass

    def writes_at(self, memory: int) -> int:
        return 0


Metering = Iterator[Between]


class Engine:
    """How a call of an answer is made in one back end, and what is so of its answers.

    language: what they are written in, and measured in. unmeasured: libraries in which nothing is counted then.
    is_python: whether they are Python code; if not, each is a text in CUDA C++, which a given function launches.
    launches_triton: whether they are Triton kernels, with a function that does nothing but launch them. has_ranks:
    whether an answer runs on several ranks at once. takes_tensors: whether it is given torch's tensors and has to
    return such; if not, numpy's arrays, or numbers. may_use_gpu: whether its tensors may lie on a GPU.
    counts_lines: whether it counts line by line of Python: that takes long, and is done only where a bound asks for it.
    always_counts: whether it counts on every machine all that has a bound.
    only_counts: whether its meters do no more than count, so that a call without them comes to the same values.
    slack: bytes that a small case may take besides its bound: torch's meter counts its scalars.
    """

    language: str = "torch"
    unmeasured: tuple[str, ...] = ()
    is_python = True
    launches_triton = False
    has_ranks = False
    takes_tensors = True
    may_use_gpu = False
    counts_lines = False
    always_counts = True
    only_counts = False
    slack = 1 << 10

    @property
    def on_gpu(self) -> bool:
        """Whether a GPU runs the answers in this process."""
        return False

    @property
    def calls_twice(self) -> bool:
        """Whether a call with small arguments is made twice, first with other numbers."""
        return not self.has_ranks

    def as_given(self, values: Any) -> Any:
        """Arguments, or results, as a function takes or returns them: tensors that share the arrays' memory."""
        from ..arrays import as_torch

        return as_torch(values) if self.takes_tensors else values

    def hand_over(self, copies: dict[str, Any]) -> dict[str, Any]:
        """The arguments as the function is given them; on a GPU, where it runs there."""
        given: dict[str, Any] = self.as_given(copies)
        if not self.on_gpu:
            return given
        from .memory import to_gpu

        return {name: to_gpu(value) for name, value in given.items()}

    def call(self, seen: Observation, function: Callable[..., Any], given: dict[str, Any]) -> Any:
        """What the function returns. What it did may be noted in `seen`, where no meter notes it."""
        return function(**given)

    def finish(self) -> None:
        """Wait for what the call has begun. Raises what a kernel did wrong."""
        if self.on_gpu:
            import torch

            torch.cuda.synchronize()

    def at_its_place(self, spied: Sequence[str]) -> AbstractContextManager[Any]:
        """Within this context a call that is made once is made where offsets are large, if some of `spied` says so."""
        return nullcontext()

    def beside(self) -> AbstractContextManager[Any]:
        """Within this context a call is made beside one in which nothing was found, for its values alone."""
        return nullcontext()

    def meters(
        self, seen: Observation, given: dict[str, Any] | None, home: str, spies: Spies | None = None
    ) -> AbstractContextManager[Between]:
        """Within this context what is done is counted, and noted in `seen` at its end.

        given: what the function was given, None for an object. home: the answer's file. Of what it calls from another,
        the line of the call is named: a card quotes the answer.
        """
        raise NotImplementedError(f"{type(self).__name__} counts nothing")
