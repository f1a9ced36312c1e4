"""What stands in a student's files and is no answer where answers are looked for: its author is told."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from ...spec import notebook
from ...spec.catalogue import exercises
from .files import UTF_8, Files, kind_of

# What a statement at the left margin gives a name: a lambda, or what has another name. In a notebook's JSON, too.
BOUND = re.compile(
    r'^(?:[ \t]*")?(\w+)[ \t]*(?::[^=\n]*)?=[ \t]*(lambda\b|(?!None\b|True\b|False\b)[A-Za-z_][\w.]*'
    r'(?=[ \t]*(?:#.*|\\n.*|",?)?$))',
    re.M,
)
INDENTED = re.compile(r'^(?:[ \t]*"[ \t]+|[ \t]+)(?:async )?def (\w+)\((?!self\b|cls\b)', re.M)
BEGUN = re.compile(r'(?:\A|")(?:def|class) (\w+)|"solve-(\w+)"')  # in a notebook's JSON


def overlooked(given: Files, seen: Collection[str]) -> Iterator[str]:
    """A note on each exercise that a file answers where nobody looks: by a lambda or another name, below an `if`, in a
    cell that holds no code.
    """
    for file, data in given.files:
        text = data.decode(errors="replace")
        for name, value in dict.fromkeys(BOUND.findall(text)):
            if name in exercises() and name not in seen:
                by = "a lambda" if value.startswith("lambda") else "another function"
                yield f"{name} in {file} is not graded: define it by `def {name}`, not by {by}"
        for name in dict.fromkeys(INDENTED.findall(text)):
            if name in exercises() and name not in seen:
                yield f"{name} in {file} is not graded: define it at the left margin, below no `if` and in no class"
        for name in _in_prose(file, data) - set(seen):
            yield f"{name} in {file} is not graded: its cell is no code cell; in JupyterLab select it, and press Esc, Y"


def _in_prose(file: str, data: bytes) -> set[str]:
    """The exercises that cells of a notebook define which hold no code."""
    if kind_of(file) != ".ipynb":
        return set()
    try:
        cells = [cell.source for cell in notebook.read(data.decode(UTF_8)).cells if cell.cell_type != "code"]
    except ValueError:
        return set()
    return {name for name in exercises() if any(notebook.defines(cell, name) and "```" not in cell for cell in cells)}


def cut_off(data: bytes, found: Collection[str]) -> list[str]:
    """The exercises that a damaged notebook begins to answer, but for those that were found whole in it."""
    text = data.decode(errors="replace")
    begun = {name for pair in BEGUN.findall(text) for name in pair}
    return [name for name in exercises() if name in begun and name not in found]
