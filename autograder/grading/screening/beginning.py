"""What is run when an answer's file is run, before anything is counted.

The spies that count calls stand in the place of functions and classes only while an answer is called. What takes one of
them before, `LOAD = Memory.load` at the file's own level, calls it unseen. So a file, when it is run, defines functions
and classes and computes constants, and names nothing whose calls are counted.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator

from .scopes import FUNCTIONS

DEFINED = (ast.FunctionDef, ast.ClassDef)


def annotations(nodes: Iterable[ast.AST]) -> set[ast.AST]:
    """All parts of annotations."""
    found: set[ast.AST] = set()
    for node in nodes:
        for part in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if isinstance(part, ast.AST):
                found |= {*ast.walk(part)}
    return found


def taken_beforehand(
    tree: ast.Module, nodes: Iterable[ast.AST], annotating: set[ast.AST], watched: set[str]
) -> dict[ast.AST, str]:
    """What the file names or changes too early when it is run, and what is said of it. watched: the counted names."""
    defined: defaultdict[str, list[ast.AST]] = defaultdict(list)
    names = {name.partition(".")[0].partition(",")[0] for name in watched}
    for node in nodes:
        if isinstance(node, DEFINED):
            defined[node.name].append(node)
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.asname for alias in node.names if alias.asname and alias.name in names}
    found = {
        node: f"{ast.unparse(node)}, changed when the file is run,"
        for node in _run(tree.body)
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
    }
    kept = {node.value for node in nodes if isinstance(node, ast.AnnAssign) and _is_kept_by_its_name(node)}
    waiting, seen = [*_run(tree.body)], set[ast.AST]()
    while waiting:
        node = waiting.pop()
        if node in seen or node in annotating:
            continue
        seen.add(node)
        name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
        if name in names and isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Load):
            found[node] = f"{ast.unparse(node)}, taken when the file is run,"
        if isinstance(node, ast.Lambda):
            waiting += ast.walk(node.body)
        if node not in kept:
            waiting += [inner for there in defined.pop(name, ()) for inner in ast.walk(there)]
    return found


def _is_kept_by_its_name(node: ast.AnnAssign) -> bool:
    """Whether a function is the default of a field that is called as it is: no call of it that is run has another."""
    return isinstance(node.target, ast.Name) and isinstance(node.value, ast.Name) and node.target.id == node.value.id


def _run(statements: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes that are run, or looked up, with these: of a function its decorators and defaults, no bodies."""
    waiting = [*statements]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, FUNCTIONS):
            waiting += [*getattr(node, "decorator_list", ()), *node.args.defaults]
            waiting += [default for default in node.args.kw_defaults if default]
        elif isinstance(node, ast.ClassDef):
            waiting += [*node.decorator_list, *node.body]
        else:
            waiting += ast.iter_child_nodes(node)
