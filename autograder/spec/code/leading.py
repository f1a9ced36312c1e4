"""What of a file that answers several exercises belongs to one of them."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator

from .names import DEFINITIONS

_WRAPPERS = {  # decorators that keep what they are given nowhere but under its name
    *("abstractmethod", "cached_property", "classmethod", "property", "staticmethod"),
    *("cache", "contextmanager", "dataclass", "final", "lru_cache", "overload", "total_ordering", "unique", "wraps"),
    *("enable_grad", "errstate", "inference_mode", "no_grad", "once_differentiable", "autotune", "heuristics", "jit"),
}


def leading_to(name: str, source: str, others: Iterable[str] = ()) -> ast.Module:
    """The code without the bodies of those of its functions that `name` does not use, directly or through others.

    So a file that answers several exercises is judged for each by what belongs to it. Only a function's body is left
    out, and only if nothing but its name leads to it: what is run when a function or a class is defined stays, and so
    does all of what may be run by a decorator, by what a class is built on, or as one of Python's own functions, by
    code that is not in this text. others: names that such code uses. Raises as `ast.parse` does.
    """
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    own = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    own |= {node.name for node in nodes if isinstance(node, DEFINITIONS)}
    taken = [alias for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names]
    own |= {alias.asname for alias in taken if alias.asname not in (None, alias.name)}
    named: dict[str, list[ast.stmt]] = {}
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            named.setdefault(statement.name, []).append(statement)
    shells = {statement: list(_run_at_once(statement, own)) for statement in tree.body}
    waiting = [part for parts in shells.values() for part in parts]
    waiting += [statement for used in (name, *others) for statement in named.pop(used, [])]
    kept: set[ast.stmt] = set()
    while waiting:
        kept.add(statement := waiting.pop())
        for node in ast.walk(statement):
            if isinstance(node, ast.Name):
                waiting += named.pop(node.id, [])
    tree.body = [part for statement in tree.body for part in ([statement] if statement in kept else shells[statement])]
    return tree


def _waits(statement: ast.FunctionDef | ast.ClassDef, own: set[str]) -> bool:
    """Whether nothing but its name leads to a function, or to those of a class. own: what the code calls so itself, and
    no library.
    """
    if getattr(statement, "type_params", ()) or not all(only_wraps(d, own) for d in statement.decorator_list):
        return False
    if isinstance(statement, ast.FunctionDef):
        return True
    inner = {part.name for part in statement.body if isinstance(part, DEFINITIONS)}
    at_once = (part for method in statement.body for part in _run_at_once(method, own, at_top=False))
    named = {node.id for part in at_once for node in ast.walk(part) if isinstance(node, ast.Name)}
    return not (statement.bases or statement.keywords or inner & named)


def _is_pythons(name: str) -> bool:
    """Whether any code may call a function of this name, or Python itself."""
    return hasattr(builtins, name) or (name.startswith("__") and name.endswith("__"))


def only_wraps(decorator: ast.expr, own: set[str]) -> bool:
    """Whether this is a decorator of Python's or a library's that keeps what it is given nowhere else."""
    node = decorator.func if isinstance(decorator, ast.Call) else decorator
    last = node.attr if isinstance(node, ast.Attribute) else ast.unparse(node)
    while isinstance(node, ast.Attribute):
        node = node.value
    return last in _WRAPPERS and isinstance(node, ast.Name) and node.id not in own


def _run_at_once(statement: ast.stmt, own: set[str], at_top: bool = True) -> Iterator[ast.stmt]:
    """What of a statement may run before anything is called by its name."""
    taken_apart = ast.FunctionDef | ast.ClassDef if at_top else ast.FunctionDef
    if not isinstance(statement, taken_apart) or (at_top and _is_pythons(statement.name)) or not _waits(statement, own):
        yield statement
        return
    expressions: list[ast.expr | None] = [*statement.decorator_list]
    if isinstance(statement, ast.ClassDef):
        yield from (part for inner in statement.body for part in _run_at_once(inner, own, at_top=False))
    else:
        arguments = statement.args
        every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg)
        expressions += [*arguments.defaults, *arguments.kw_defaults, statement.returns]
        expressions += [argument.annotation for argument in every if argument]
    yield from (ast.copy_location(ast.Expr(part), part) for part in expressions if part)
