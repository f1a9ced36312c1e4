"""A command of the terminal that is written into a cell, where Python would take it for something else."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from ...spec.catalogue import exercises
from .line import telling

# Each as it is typed.
COMMANDS = {"reset": "reset EXERCISE", "submit": "submit FILE", "grade": "grade SUBMISSIONS --out results/"}
COMMANDS |= {name: name for name in ("doctor", "lab", "list", "progress", "check", "bench")}
ONLY_IN_TERMINALS = ("reset", "submit", "grade", "doctor", "lab")
IN_TERMINAL = "{0} is a command for a terminal (in JupyterLab: File, New, Terminal). Type it there: {1} {2}"
# `reset(...)` alone in a cell is %reset for IPython, which offers to delete all variables.
RESET = re.compile(r"\s*reset[ \t]*\(\W*(\w*)[^\n]*\)\s*\Z")
COMMAND = re.compile(rf"\s*(!?)tilewise[ \t]+(({'|'.join(COMMANDS)})\b[^\n]*)")
BARE = re.compile(r"\s*(reset|check|hint|trace|bench)[ \t]+(\w+)\s*\Z")  # as a command is typed, without `tilewise`
CALL = "In a cell {0} is called with parentheses: {0}({1})"


def in_terminal(name: str, typed: str = "") -> str:
    """A sentence on where a command is to be typed instead, and how; typed: all of it, if that is known."""
    return IN_TERMINAL.format(name, Path(sys.executable).with_name("tilewise"), typed or COMMANDS[name])


def told_of_terminal(lines: list[str]) -> list[str]:
    """An input transformer: a cell that begins with `tilewise COMMAND`, or is `reset(...)`, says where that belongs.

    So does `!tilewise COMMAND` where the shell would not find it; and `check NAME` says how it is written in a cell.
    """
    cell = "".join(lines)
    if reset := RESET.match(cell):
        return [telling(in_terminal("reset", f"reset {reset[1]}" if reset[1] else ""))]
    if (bare := BARE.match(cell)) and bare[2] in exercises():
        is_reset = bare[1] == "reset"
        return [telling(in_terminal("reset", f"reset {bare[2]}") if is_reset else CALL.format(bare[1], bare[2]))]
    found = COMMAND.match(cell)
    if found is None or (found[1] and shutil.which("tilewise")):
        return lines
    return [telling(in_terminal(found[3], found[2].rstrip()))]
