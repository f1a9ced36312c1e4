"""What can be read from an answer without running it."""

from __future__ import annotations

import ast


def names_in(source: str) -> set[str]:
    """Names that the code uses as variables or functions, from its syntax tree; none if it does not parse."""
    try:
        return {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
