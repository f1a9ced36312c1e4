"""Code that is never run where answers are graded: below `if __name__ == "__main__":`, or a switch that is off."""

from __future__ import annotations

import ast
import operator
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from .names import bound_by

MAIN = {"__name__": "answer"}  # what an answer is called where it is graded
COMPARED: dict[type, Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


class _Unknown(Exception):
    """What an expression is cannot be told from the text."""


@lru_cache(maxsize=256)
def without_unreached(source: str) -> str:
    """The source with `pass` in place of each statement below an `if` whose condition is false, in as many lines.

    The condition is made of constants, of `__name__`, and of names that are bound once in all of the text, at its own
    level, to a constant: DEBUG = False. A text that does not parse stays as it is.
    """
    if "if" not in source or "\r" in source:  # which ends lines for Python alone
        return source
    try:
        tree = ast.parse(source)
        known = MAIN | _constants(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return source
    gone: list[ast.stmt] = []
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and _is_false(node.test, known):
            gone += node.body
            waiting += node.orelse
        else:
            waiting += ast.iter_child_nodes(node)
    return blanked(source, gone)


def blanked(source: str, statements: Iterable[ast.stmt]) -> str:
    """The source with `pass` in place of these statements, none of which stands in another, in as many lines."""
    lines = source.encode().split(b"\n")
    for statement in sorted(statements, key=begin, reverse=True):
        (first, column), last, end = begin(statement), statement.end_lineno or 0, statement.end_col_offset or 0
        rest = lines[last - 1][end:]
        lines[first - 1 : last] = [lines[first - 1][:column] + b"pass" + rest, *[b""] * (last - first)]
    return b"\n".join(lines).decode()


def begin(statement: ast.stmt) -> tuple[int, int]:
    """Line, from 1, and column, in bytes, in which a statement and its decorators begin."""
    lines = [decorator.lineno for decorator in getattr(statement, "decorator_list", ())]
    return min([statement.lineno, *lines]), statement.col_offset


def _constants(tree: ast.Module) -> dict[str, Any]:
    """The names that are bound once, at the text's own level, and to a constant; none where a name may be any."""
    nodes = [*ast.walk(tree)]
    if any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in nodes):
        return {}
    times = Counter(name for node in nodes for name in bound_by(node))
    found: dict[str, Any] = {}
    for statement in tree.body:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(name)], value=ast.Constant(value))
                | ast.AnnAssign(target=ast.Name(name), value=ast.Constant(value))
            ) if times[name] == 1:
                found[name] = value
    return found


def _is_false(test: ast.expr, known: Mapping[str, Any]) -> bool:
    try:
        return not _value(test, known)
    except (_Unknown, TypeError, RecursionError):
        return False


def _value(node: ast.expr, known: Mapping[str, Any]) -> Any:
    """What an expression of constants is. Raises _Unknown where it is made of anything else."""
    match node:
        case ast.Constant(value):
            return value
        case ast.Name(name) if name in known:
            return known[name]
        case ast.UnaryOp(ast.Not(), operand):
            return not _value(operand, known)
        case ast.Compare(left, [how], [right]) if type(how) in COMPARED:
            return COMPARED[type(how)](_value(left, known), _value(right, known))
        case ast.BoolOp(ast.And(), parts) if any(_is_false(part, known) for part in parts):
            return False
        case ast.BoolOp(ast.Or(), parts) if all(_is_false(part, known) for part in parts):
            return False
    raise _Unknown
