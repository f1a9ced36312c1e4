"""The arguments of a case in one line, for people."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..runner.arrays import Stream, items_of
from ..runner.meters.words import counted

LONGEST = 300  # characters of a case's arguments that a card has room for
FEW = 16  # elements of an array that are shown one by one


def describe_arguments(arguments: dict[str, Any]) -> str:
    """The arguments in one line, e.g. "x: (3, 101) float32, tile=32"; for an object its operations."""
    if "steps" in arguments and "init" in arguments:
        steps = [
            method if method.startswith(".") and not given else f"{method}({describe_arguments(given)})"
            for method, given in arguments["steps"]
        ]
        return _with_an_end(f"made with {describe_arguments(arguments['init'])}", steps)
    return ", ".join(_describe(name, value) for name, value in arguments.items())


def _with_an_end(made: str, steps: list[str]) -> str:
    """The operations in at most LONGEST characters: the last ones, where it fails."""
    first = 0
    while first < len(steps) - 1 and len(made) + sum(len(step) + 2 for step in steps[first:]) > LONGEST - 30:
        first += 1
    left_out = [counted(first, "earlier operation")] if first else []
    return "; ".join([made, *left_out, *steps[first:]])


def _describe(name: str, value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{name}: {value.shape} {value.dtype}"
    if isinstance(value, np.generic):
        return f"{name}: {value.dtype}"
    if isinstance(value, Stream):
        items = items_of(value)
        last = "" if len({_shapes(i) for i in items}) < 2 else f", the last of {_shapes(items[-1])}"
        return f"{name}: a stream of {counted(len(items), 'item')} of {_shapes(items[0])}{last}"
    if isinstance(value, (list, tuple)) and value and all(isinstance(item, np.ndarray) for item in value):
        shapes = [_shapes(item) for item in value]
        alike = len(shapes) > 1 and len(set(shapes)) == 1
        return f"{name}: {len(shapes)} of {shapes[0]}" if alike else f"{name}: {' and '.join(shapes)}"
    if isinstance(value, float) and abs(value) >= 1e6 and float(f"{value:g}") == value:
        return f"{name}={value:g}"  # 3.12e+14, not 312000000000000.0
    return f"{name}={value}"


def _shapes(item: Any) -> str:
    if isinstance(item, tuple):
        return " and ".join(_shapes(x) for x in item)
    return f"{item.shape} {item.dtype}" if getattr(item, "ndim", 0) else "one number"


def numbers(arguments: dict[str, Any], yours: np.ndarray, expected: np.ndarray, name: str) -> list[tuple[str, str]]:
    """The arguments, the wrong output and the right one, number by number: (name, numbers) pairs; none if too many."""
    rows = [(key, value) for key, value in arguments.items() if isinstance(value, np.ndarray)]
    rows += [(f"your {name}", yours), (f"expected {name}", expected)]
    if len(rows) == 2 or any(value.size > FEW for _, value in rows) or not expected.size:
        return []
    return [(key, np.array2string(value, precision=5, separator=", ", max_line_width=78)) for key, value in rows]
