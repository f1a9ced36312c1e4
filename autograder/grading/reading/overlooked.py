"""What stands in a student's files and is no answer where answers are looked for: its author is told."""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Collection, Iterator

from ...spec import notebook
from ...spec.catalogue import exercises
from ...spec.code.names import DEFINITIONS
from .files import UTF_8, Files, kind_of

BY_ANOTHER = "define it by `def {}`, not by {}"
BELOW = "define it at the left margin, not below an `if`, a `try` or the like"
NO_CODE = "its cell is no code cell; in JupyterLab select it, and press Esc, Y"
MOST_PARSED = 1_000_000  # characters: a syntax tree takes some time and memory, and who is told here is told once
BEGUN = re.compile(r'(?:\A|"|\\n)(?:def|class) (\w+)|"solve-(\w+)"')  # in a notebook's JSON


def overlooked(given: Files, seen: Collection[str]) -> Iterator[str]:
    """A note on each exercise that a file answers where nobody looks: by a lambda or another name, below an `if`, in a
    cell that holds no code. What does not parse is passed over. seen: the exercises that are answered elsewhere.
    """
    left = MOST_PARSED
    for file, data in given.files:
        there = [name for name in exercises() if name not in seen and name.encode() in data]
        trees: list[tuple[ast.Module, bool]] = []
        for text, is_code in _cells(file, data) if there else ():
            left -= len(text)
            if left > 0:
                with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
                    trees.append((ast.parse(text), is_code))
        own = {name for tree, is_code in trees if is_code for name in _defined(tree.body)}
        for tree, is_code in trees:
            found = _out_of_place(tree, own) if is_code else dict.fromkeys(_defined(tree.body), NO_CODE)
            yield from (f"{name} in {file} is not graded: {why}" for name, why in found.items() if name in there)


def _cells(file: str, data: bytes) -> Iterator[tuple[str, bool]]:
    """The texts of a notebook's cells, or of a .py file, and whether they are code."""
    if kind_of(file) == ".py":
        yield data.decode(UTF_8, errors="replace"), True
    elif kind_of(file) == ".ipynb":
        with contextlib.suppress(ValueError):
            cells = notebook.read(data.decode(UTF_8)).cells
            yield from ((cell.source, cell.cell_type == "code") for cell in cells)


def _defined(statements: Collection[ast.stmt]) -> list[str]:
    return [each.name for each in statements if isinstance(each, DEFINITIONS)]


def _out_of_place(tree: ast.Module, own: Collection[str]) -> dict[str, str]:
    """What a module names or defines otherwise than by a `def` at the left margin, and what is to be done. own: the
    names of the file's own functions.
    """
    found: dict[str, str] = {}
    for statement in tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value:
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            by = "a lambda" if isinstance(statement.value, ast.Lambda) else "another function"
            if by == "a lambda" or _is_a_function(statement.value, own):
                found |= {to.id: BY_ANOTHER.format(to.id, by) for to in targets if isinstance(to, ast.Name)}
        elif not isinstance(statement, DEFINITIONS):
            found |= dict.fromkeys(_defined_below(statement), BELOW)
    return found


def _is_a_function(value: ast.expr, own: Collection[str]) -> bool:
    """Whether that is one of the file's own functions, or is made of one: partial(mine, causal=True)."""
    made_of = value.args if isinstance(value, ast.Call) else [value]
    return any(isinstance(each, ast.Name) and each.id in own for each in made_of)


def _defined_below(statement: ast.stmt) -> Iterator[str]:
    """The functions and classes that an `if`, a `try`, a loop or the like defines, and none within these."""
    waiting = [*ast.iter_child_nodes(statement)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, DEFINITIONS):
            yield node.name
        elif isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
            waiting += ast.iter_child_nodes(node)


def cut_off(data: bytes, found: Collection[str]) -> list[str]:
    """The exercises that a damaged notebook begins to answer, but for those that were found whole in it."""
    text = data.decode(errors="replace")
    begun = {name for pair in BEGUN.findall(text) for name in pair}
    return [name for name in exercises() if name in begun and name not in found]
