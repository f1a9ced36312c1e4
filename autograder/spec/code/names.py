"""The names that code uses, and those that it binds."""

from __future__ import annotations

import ast
import re
import symtable
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@lru_cache(maxsize=256)
def names_in(source: str) -> frozenset[str]:
    """Names that the code uses, but for the variables of its functions; none if it does not parse."""
    try:
        tables = [symtable.symtable(source, "<names>", "exec")]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    found: set[str] = set()
    while tables:
        table = tables.pop()
        tables += table.get_children()
        used = (name for name in table.get_symbols() if name.is_referenced())
        found |= {name.get_name() for name in used if name.is_global() or table.get_type() in ("module", "class")}
    return frozenset(found)


def names_used(statement: ast.stmt, source: str) -> set[str]:
    """Names that a statement of this source uses, but for the variables of its functions."""
    nodes = [*ast.walk(statement)]
    names = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store)}
    if not isinstance(statement, DEFINITIONS) or not names_in(source):
        return names  # or the text is too deep to be told
    around = {n.id for d in statement.decorator_list for n in ast.walk(d) if isinstance(n, ast.Name)}
    return names & (around | names_in("\n".join(_lines(source)[statement.lineno - 1 : statement.end_lineno])))


@lru_cache(maxsize=8)
def _lines(source: str) -> list[str]:
    """The lines that Python counts, split once for all statements."""
    return re.split(r"\r\n|\r|\n", source)


def names_bound(source: str) -> set[str]:
    """Names that the code's own level imports or defines; none if it does not parse."""
    try:
        statements = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    binding = ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef
    return {name for statement in statements if isinstance(statement, binding) for name in bound_by(statement)}


def bound_by(node: ast.AST) -> Iterable[str]:
    """The names to which this node itself gives a value, or takes it away."""
    names = _NAMES.get(type(node))  # of most nodes there are none, and this is asked of each of them often
    return names(node) if names else ()


def _imported(node: Any) -> list[str]:
    return [(alias.asname or alias.name).partition(".")[0] for alias in node.names]


def _named(node: Any) -> list[str]:
    return [node.name] if node.name else []


_NAMES: dict[type, Callable[[Any], Iterable[str]]] = {
    ast.Name: lambda node: () if isinstance(node.ctx, ast.Load) else (node.id,),
    ast.arg: lambda node: (node.arg,),
    ast.MatchMapping: lambda node: [node.rest] if node.rest else [],
    **dict.fromkeys((ast.Import, ast.ImportFrom), _imported),
    **dict.fromkeys((*DEFINITIONS, ast.ExceptHandler, ast.MatchAs, ast.MatchStar), _named),
}
