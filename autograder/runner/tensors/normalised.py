"""How many rows of an answer's results are outputs that have been divided by their sums of weights.

Attention over values that are all one is one, whatever the scores are, once it is normalised, and the sum of the
weights until then. So the values are ones in a call of its own, as wide as nothing else is. What is the same number in
several rows has been divided, too, since sums of weights are not alike; and what stays the same in a call with other
scores, though it is made of other numbers there, whatever it has been multiplied by. Between two exponentials an output
counts once: whoever puts it in its place again has not taken another key into it.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from . import read
from .copies import is_copying, is_made_alike
from .operators import Operators
from .powers import exponents_of
from .unseen import calls_unseen

WIDTH = 61
WIDTHS = WIDTH, WIDTH + 1  # of outputs, and of outputs beside their sums of weights
NEAR = 1e-3  # rounding takes float32 less far
A_LITTLE = 1 + 2**-14  # who goes by a sum of its own where the two are close overlooks it; a hundred chunks do not


def with_ones(arguments: dict[str, Any]) -> dict[str, Any]:
    """The same call without a mask, with ones for values."""
    v = arguments["v"]
    others = {"v": np.ones((*v.shape[:-1], WIDTH), v.dtype), "causal": False}
    return arguments | {name: value for name, value in others.items() if name in arguments}


def with_other_scores(arguments: dict[str, Any]) -> dict[str, Any]:
    """The same call with scores half as large, whose sums of weights are others."""
    return arguments | {"q": arguments["q"] * arguments["q"].dtype.type(0.5)}


@dataclass(frozen=True)
class Made:
    """A result as wide as the values, how many rows of it are known to have been divided, after how many exponentials,
    and of what it was made.
    """

    numbers: np.ndarray
    rows: int
    exponentials: int
    of: tuple[int, ...]

    def is_as(self, other: Made) -> bool:
        """Whether it is what came out in another call, made of other numbers there, and not 0."""
        if self.of == other.of or self.numbers.shape != other.numbers.shape or not self.numbers.any():
            return False
        return np.allclose(self.numbers, other.numbers, rtol=NEAR, atol=0)


class Normalised(Operators):
    """Context that lists in `rows` how many each of its operations' results has that has been divided, and is no view
    or copy, nor made of the values alone.

    altered: the place in that list of the result that is made a little larger.
    """

    def __init__(self, altered: int = -1) -> None:
        super().__init__()
        self.rows: list[int] = []
        self.made: list[Made] = []
        self.divisions: Counter[int] = Counter()  # exponentials -> rows that have been divided after so many
        self.exponentials = 0
        self.altered = altered

    def run(self, func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        out = func(*args, **kwargs)
        if not func.is_view and not 0 <= self.altered < len(self.rows):  # all is seen once that one is altered
            with calls_unseen():
                self.exponentials += bool(exponents_of(func, args))
                if rows := _rows_of_outputs(func, args, out):
                    if len(self.rows) == self.altered:
                        read.copy_into(out, read.times(out, A_LITTLE))
                    self.rows.append(rows)
                    self.divisions[self.exponentials] += rows
                if self.altered < 0 and _is_wide(out) and not (is_copying(func) or is_made_alike(func)):
                    of = tuple(hash(read.array_of(x).tobytes()) for x in args if isinstance(x, torch.Tensor))
                    self.made.append(Made(read.array_of(out).copy(), rows, self.exponentials, of))
        return out

    def divided(self, others: Normalised, queries: int) -> int:
        """Rows of all results that have been divided, between two exponentials as many as there are queries at most.
        others: the results of a call with other scores.
        """
        divisions = self.divisions.copy()
        if len(self.made) == len(others.made):
            for one, other in zip(self.made, others.made, strict=True):
                if not one.rows and one.is_as(other):
                    divisions[one.exponentials] += one.numbers.size // WIDTH
        return sum(min(rows, queries) for rows in divisions.values())


def _rows_of_outputs(func: Any, args: Any, out: Any) -> int:
    """Those of an operator's result, if it copies nothing and is given other numbers than ones."""
    if is_copying(func) or is_made_alike(func) or not (_is_output(out) and any(map(_is_other, args))):
        return 0
    return read.length_of(out) // WIDTH


def _is_output(result: Any) -> bool:
    """Whether it is as wide as the values, and all of it is one, or in several rows another number but 0."""
    if not _is_wide(result):
        return False
    low, high = map(float, read.extremes_of(result))
    alike = abs(high - low) < NEAR * abs(high) < math.inf
    return _are_one(low, high) or (alike and read.length_of(result) > WIDTHS[-1])


def _is_wide(result: Any) -> bool:
    return _has_numbers(result) and any(n in WIDTHS for n in read.size_of(result))


def _is_other(given: Any) -> bool:
    """Whether an operator's argument is a tensor of other numbers."""
    return _has_numbers(given) and not _are_one(*map(float, read.extremes_of(given)))


def _has_numbers(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and read.is_real(value) and read.length_of(value) > 0


def _are_one(*numbers: float) -> bool:
    return all(abs(x - 1) < NEAR for x in numbers)
