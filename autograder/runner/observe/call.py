"""What is called, and how; and what there is of a case in other numbers, or by chance, that no answer can know."""

from __future__ import annotations

import contextlib
import random
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..arrays import arrays_in, changed, copy_argument, is_float
from ..engines.engine import Engine
from ..engines.results import to_arrays
from ..meters import CALLED_AGAIN
from ..meters.operations import home_of
from ..observation import Observation
from ..play import play
from ..wall.no_input import no_input

Again = Callable[[Any], "list[np.ndarray] | None"]  # what a function returns; None if that is no answer


@dataclass(frozen=True)
class Call:
    """The call of an answer that is observed; for what the fields mean see `observe`."""

    engine: Engine
    function: Callable[..., Any]
    arguments: dict[str, Any]
    once: bool
    spied: Sequence[str]
    anew: Callable[[], Any]
    values_only: bool = False

    @property
    def is_metered(self) -> bool:
        """Whether the engine's meters are in place."""
        return not (self.values_only and self.engine.only_counts)

    @property
    def is_of_object(self) -> bool:
        """Whether the function is a class, of which an object is driven through operations."""
        return isinstance(self.function, type)

    @property
    def home(self) -> str:
        """The answer's file."""
        return home_of(self.function)

    def hand_over(self) -> dict[str, Any]:
        """Fresh copies of the arguments, as the function is given them."""
        return self.engine.hand_over(copy_argument(self.arguments))

    def again(self, arguments: dict[str, Any] | None = None) -> Again:
        """What makes the call once more, of a function in place of this one, with other arguments where some are
        given: it returns the outputs, None if there is no answer.
        """
        return partial(_outputs, self.engine, self.arguments if arguments is None else arguments)

    def chance(self) -> random.Random:
        """Random numbers that no answer knows, and that are always the same of one case."""
        return random.Random(repr(self.arguments))


def _outputs(engine: Engine, arguments: dict[str, Any], function: Callable[..., Any]) -> list[np.ndarray] | None:
    with quiet(), engine.beside():
        given = engine.hand_over(copy_argument(arguments))
        if isinstance(function, type):
            result: Any = play(function, **given)
        else:
            result = engine.call(Observation(), function, given)
        return to_arrays(result, engine)[0]


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Within this context neither Python nor numpy warns, and input() asks nobody."""
    with warnings.catch_warnings(), np.errstate(all="ignore"), no_input():
        warnings.simplefilter("ignore")
        yield


@contextlib.contextmanager
def called_again() -> Iterator[None]:
    """Within this context what the function prints has been printed, or will be: see CALLED_AGAIN."""
    token = CALLED_AGAIN.set(True)
    try:
        yield
    finally:
        CALLED_AGAIN.reset(token)


def make_others_of(arrays: Iterable[np.ndarray]) -> None:
    """Put others in place of floating-point numbers and of words of bits, which may be any."""
    for x in arrays:
        if is_float(x.dtype) or x.dtype.kind == "u":
            x[...] = 2 * x + 1


def with_other_numbers(arguments: dict[str, Any]) -> dict[str, Any]:
    """Copies of the arguments that hold other numbers, of the same shapes."""
    with np.errstate(over="ignore"):
        copies: dict[str, Any] = changed(arguments, _other_if_number)
        make_others_of(arrays_in(copies))
    return copies


def _other_if_number(value: Any) -> Any:
    """A copy; of one of a stream's floating-point numbers, which no view changes, another one."""
    if isinstance(value, np.floating):
        return type(value)(2 * value + 1)
    return copy_argument(value)
