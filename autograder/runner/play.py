"""An object with a state, driven through operations: what each of them returns, or which error it raises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Step = tuple[str, Mapping[str, Any]]  # a method and its arguments


def play(kind: type, init: Mapping[str, Any], steps: Sequence[Step], errors: Sequence[str] = ()) -> list[Any]:
    """Make `kind(**init)` and call its methods one after another.

    errors: names of exceptions that are answers. Returns for each step a whole number, and behind it what the method
    returned: how many values those are, or -1 - i for the error number i. Any other exception is raised, with the
    number of its step (from 1) as its attribute `step`; 0 is the making of the object.
    """
    seen: list[Any] = []
    number = 0
    try:
        thing = kind(**init)
        for method, arguments in steps:
            number += 1
            try:
                values = _values(getattr(thing, method)(**arguments))
            except Exception as error:
                if type(error).__name__ not in errors:
                    raise
                seen.append(-1 - list(errors).index(type(error).__name__))
                continue
            seen += [len(values), *values]
    except Exception as error:
        error.step = number  # type: ignore[attr-defined]
        raise
    return seen


def _values(result: Any) -> list[Any]:
    if result is None:
        return []
    return list(result) if type(result) in (tuple, list) else [result]
