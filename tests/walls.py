"""The walls that SECURITY.md names, each on a machine that may permit more: what it does without is turned off.

That happens in the interpreter behind the wall, before it asks the kernel for anything.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from autograder.grading.session import discard_sandbox
from autograder.processes import wall
from autograder.processes.wall import best_level
from autograder.runner import zygote
from autograder.runner.wall import landlock

LEVELS = [level for level in ("bubblewrap", "limits") if level == "limits" or best_level() == level]
NO_NAMESPACES, NO_LANDLOCK = "zygote._can_unshare = lambda: False", "landlock.version = lambda: 0"


@dataclass(frozen=True)
class Wall:
    """namespaces: whether a submission gets some of its own."""

    level: str
    namespaces: bool = True
    landlock: bool = True


WALLS = {
    "A": Wall("bubblewrap"),
    "A without nesting": Wall("bubblewrap", namespaces=False),
    "A without nesting and Landlock": Wall("bubblewrap", namespaces=False, landlock=False),
    "B": Wall("limits"),
    "B without Landlock": Wall("limits", landlock=False),
    "C": Wall("limits", namespaces=False),
    "D": Wall("limits", namespaces=False, landlock=False),
}
ONES = [name for name in ("A", "B", "C") if WALLS[name].level in LEVELS]  # at which most is tried, the strongest first
EVERY_WALL = "TILEWISE_EVERY_WALL" in os.environ  # set by `make proof`


def here() -> list[str]:
    """What walls are made of on this machine."""
    spaces = "user namespaces" if zygote._can_unshare() else "no user namespaces"
    return [best_level(), spaces, f"Landlock {landlock.version()}"]


def attempts(table: Iterable[Any], but: Iterable[Any]) -> list[Any]:
    """Each row of a table of hostile submissions, with the name of a wall: all behind the strongest, and all but some
    behind one of the others, by turns; behind each of them in `make proof`.

    They come wall by wall, so that its interpreters are started once.
    """
    turns = itertools.cycle(ONES[1:])
    strongest, *others = ONES
    rows = {strongest: list(table)} | {name: [] for name in others}
    for hostile in (row for row in rows[strongest] if row not in but):
        for name in others if EVERY_WALL else [next(turns)]:
            rows[name].append(hostile)
    return [pytest.param(name, row, id=f"{row.name}-{name}") for name in ONES for row in rows[name]]


@contextmanager
def behind(name: str) -> Iterator[str]:
    """The wall's level; within this context every sandbox that is started stands behind it. Skips what is missing."""
    made = WALLS[name]
    if made.level not in LEVELS:
        pytest.skip("no bubblewrap on this machine")
    if made.namespaces and not zygote._can_unshare():
        pytest.skip("no user namespaces on this machine")
    if made.landlock and landlock.version() < 1:
        pytest.skip("no Landlock in this kernel")
    without = [*([] if made.namespaces else [NO_NAMESPACES]), *([] if made.landlock else [NO_LANDLOCK])]
    code = ["from runner import zygote", "from runner.wall import landlock", *without, "zygote.main()"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wall, "BOOT", wall.PATHS + "; ".join(code))
        discard_sandbox()
        yield made.level
        discard_sandbox()
