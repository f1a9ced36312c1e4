"""Tables for the terminal, in colour where it has colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.table import Table

# A sign and colour for each status of an exercise, in tables without room for a word.
SIGNS = {
    "pass": ("+", "green"),
    "partial": ("~", "yellow"),
    **dict.fromkeys(("fail", "error", "timeout", "memory"), ("-", "red")),
    "not_attempted": (".", "bright_black"),
}


LOOK = ("!", "bold magenta")  # any other status is for a person to review


def show(what: RenderableType) -> None:
    Console(highlight=False).print(what)


def table(*columns: str, right: Sequence[str] = ()) -> Table:
    made = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in columns:
        side: Any = "right" if column in right else "left"
        made.add_column(column, justify=side, overflow="fold", no_wrap=column in ("lesson", "exercise"))
    return made
