"""count_passes(f, x): how often numpy code touches main memory. A teaching instrument, not a grade.

numpy runs one operation at a time: each reads its operands from memory and writes its result back. Those elements are
counted, caches left out. A single number costs nothing once it has been read: it sits in a register.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np


@dataclass(repr=False)
class Passes:
    """What was counted: `rows` holds (operation, elements read, elements written) in the order of execution."""

    name: str
    elements: int
    rows: list[tuple[str, int, int]] = field(default_factory=list)

    @property
    def reads(self) -> int:
        return sum(row[1] for row in self.rows)

    @property
    def writes(self) -> int:
        return sum(row[2] for row in self.rows)

    @property
    def per_element(self) -> float:
        """Elements moved (read or written) for each element of the input."""
        return (self.reads + self.writes) / self.elements

    def note(self, operation: str, sources: Any, result: Any) -> Any:
        """Count one operation that read `sources` and wrote `result`; return the result as a counting array."""
        self.rows.append((operation, sum(map(_size, _arrays(sources))), sum(map(_size, _arrays(result)))))
        return _counted(result, self)

    def _table(self) -> Iterator[tuple[str, ...]]:
        """The rows for people: operations of one kind in one line (a loop has thousands), then the total."""
        yield "operation", "times", "read", "written"
        for kind in [*dict.fromkeys(row[0] for row in self.rows), "in all"]:
            same = [row for row in self.rows if kind in (row[0], "in all")]
            yield kind, f"{len(same):,}", f"{sum(r for _, r, _ in same):,}", f"{sum(w for _, _, w in same):,}"

    def _title(self) -> str:
        return f"{self.name}: {self.per_element:.2f} elements moved for each of the {self.elements:,} in x"

    def __str__(self) -> str:
        lines = (f"{kind:<16}{times:>8}{read:>14}{written:>14}" for kind, times, read, written in self._table())
        return "\n".join([self._title(), *lines])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in self._table())
        return f"<p>{escape(self._title())}</p><table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def count_passes(function: Callable[[Any], Any], x: np.ndarray) -> Passes:
    """Call `function(x)` on a copy of the array x (any shape) and count the elements that its numpy code moves.

    An operand counts with its own size, even where it is broadcast; views cost nothing. Arrays that are not made from
    x are not watched: write `np.empty_like(x)`, not `np.empty(n)`. Raises TypeError if x is not an array, or is empty.
    """
    if not isinstance(x, np.ndarray) or not x.size:
        raise TypeError("count_passes(function, x) needs a numpy array x with at least one element")
    passes = Passes(getattr(function, "__name__", "function"), x.size)
    function(_counted(x.copy(), passes))
    return passes


class Counted(np.ndarray):
    """An array that reports each operation on it to `passes`, and so does everything computed from it."""

    passes: Any

    def __array_finalize__(self, parent: Any) -> None:
        self.passes = getattr(parent, "passes", None)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = None, **options: Any) -> Any:
        given = {key: _plain(value) for key, value in options.items()}
        if out is not None:
            given["out"] = tuple(map(_plain, out))
        result = getattr(ufunc, method)(*map(_plain, inputs), **given)
        name = ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}"
        counted = self.passes.note(name, [*inputs, *options.values()], result)
        return counted if out is None else out[0]

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        before = len(self.passes.rows)
        result = super().__array_function__(function, types, args, kwargs)
        if function is np.copyto:
            return self.passes.note("copyto", args[1], args[0])
        # np.max, np.sum and most others end in a ufunc, which has counted itself by now; np.where and the like do not.
        if len(self.passes.rows) == before and function is not np.empty_like and _is_fresh(result, args):
            return self.passes.note(function.__name__, [*args, *kwargs.values()], result)
        return result

    def __getitem__(self, key: Any) -> Any:
        result = super().__getitem__(key)
        if not isinstance(result, np.ndarray):
            self.passes.rows.append(("x[i]", 1, 0))
        elif _is_fresh(result, self):
            self.passes.note("x[indices]", [key, result], result)
        return result

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value)
        self.passes.rows.append(("x[...] = y", sum(map(_size, _arrays([key, value]))), np.size(_plain(self)[key])))


def _reads_all(name: str) -> Callable[..., Any]:
    """The method of that name, counted. It is not a ufunc, although it reads its whole array."""

    def method(self: Counted, *args: Any, **kwargs: Any) -> Any:
        return self.passes.note(name, [self, *args], getattr(_plain(self), name)(*map(_plain, args), **kwargs))

    return method


for _name in ("argmax", "argmin", "astype", "copy", "dot"):
    setattr(Counted, _name, _reads_all(_name))


def _arrays(value: Any) -> Iterator[np.ndarray]:
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _arrays(item)


def _size(array: np.ndarray) -> int:
    """Elements that lie in memory: an axis of stride 0 is broadcast."""
    return math.prod(n for n, stride in zip(array.shape, array.strides, strict=True) if stride)


def _is_fresh(result: Any, sources: Any) -> bool:
    """Whether `result` has its own data and is not a view (or None, or a shape)."""
    data = isinstance(result, np.ndarray | np.generic)
    return data and not any(np.may_share_memory(_plain(result), _plain(array)) for array in _arrays(sources))


def _plain(value: Any) -> Any:
    return value.view(np.ndarray) if isinstance(value, Counted) else value


def _counted(value: Any, passes: Passes) -> Any:
    if type(value) is not np.ndarray:
        return value
    counted = value.view(Counted)
    counted.passes = passes
    return counted
