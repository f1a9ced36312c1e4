"""A command of the terminal that is written into a cell, where Python would take it for something else."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from .line import telling

# Each as it is typed.
COMMANDS = {"reset": "reset EXERCISE", "submit": "submit FILE", "grade": "grade SUBMISSIONS --out results/"}
COMMANDS |= {name: name for name in ("doctor", "lab", "list", "progress", "check", "bench")}
ONLY_IN_TERMINALS = ("reset", "submit", "grade", "doctor", "lab")
IN_TERMINAL = "{0} is a command for a terminal (in JupyterLab: File, New, Terminal). Type it there: {1} {2}"
# `reset(...)` alone in a cell is %reset for IPython, which offers to delete all variables.
RESET = re.compile(r"\s*reset[ \t]*\(\W*(\w*)[^\n]*\)\s*\Z")
COMMAND = re.compile(rf"\s*tilewise[ \t]+(({'|'.join(COMMANDS)})\b[^\n]*)")


def in_terminal(name: str, typed: str = "") -> str:
    """A sentence on where a command is to be typed instead, and how; typed: all of it, if that is known."""
    return IN_TERMINAL.format(name, Path(sys.executable).with_name("tilewise"), typed or COMMANDS[name])


def told_of_terminal(lines: list[str]) -> list[str]:
    """An input transformer: a cell that begins with `tilewise COMMAND`, or is `reset(...)`, says where that belongs."""
    cell = "".join(lines)
    if reset := RESET.match(cell):
        return [telling(in_terminal("reset", f"reset {reset[1]}" if reset[1] else ""))]
    found = COMMAND.match(cell)
    return [telling(in_terminal(found[2], found[1].rstrip()))] if found else lines
