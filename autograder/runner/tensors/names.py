"""What an operator of torch is called. With its overload's name, as torch writes it: "aten.add.out"."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

Fact = TypeVar("Fact")


def of_operator(fact: Callable[[Any], Fact]) -> Callable[[Any], Fact]:
    """What is so of an operator alone, found out when it is first met and kept under its address: several are asked for
    at every operator that runs, and torch works out the hash of one in Python.
    """
    known: dict[int, tuple[Fact, Any]] = {}

    @wraps(fact)
    def looked_up(func: Any) -> Fact:
        found = known.get(id(func))
        if found is None:
            found = known[id(func)] = fact(func), func  # which is held, so that no other gets its address
        return found[0]

    return looked_up


whole_name = of_operator(str)


@of_operator
def name_of(func: Any) -> str:
    """Without it, the same for all overloads: "aten.add"."""
    return str(func.overloadpacket)


@of_operator
def base_name(func: Any) -> str:
    """The same for what writes in place, too: "aten.add" of "aten.add_"."""
    return name_of(func).rstrip("_")
