"""Which names of a text stand for its own functions' variables, by Python's rules.

A name that a function binds is its variable throughout that function, and nowhere else: a parameter called `exec`
leaves `exec` in the next function what it is in Python.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from ...spec.code.names import DEFINITIONS, bound_by

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
Place = tuple[int, int]  # a line and a column


class Scopes:
    """within: of each node the function, class, comprehension or module in which its names are looked up.

    since: the names that the text binds in any case at its own level, and where it has done so.
    """

    def __init__(self, tree: ast.Module):
        self.within: dict[ast.AST, ast.AST] = {}
        self._bound: defaultdict[ast.AST, set[str]] = defaultdict(set)
        self._declared: defaultdict[ast.AST, set[str]] = defaultdict(set)  # by `global`
        self._outer: defaultdict[ast.AST, set[str]] = defaultdict(set)  # by `nonlocal`
        self._lost: set[str] = set()  # what is deleted somewhere, as the name of a handled exception is at its end
        self._tree = tree
        waiting: list[tuple[ast.AST, ast.AST]] = [(tree, tree)]
        while waiting:
            node, scope = waiting.pop()
            self.within[node] = scope
            self._note(node, scope)
            waiting += _parts(node, scope)
        self.since = {name: place for name, place in _bound_at_the_top(tree) if name not in self._lost}

    def _note(self, node: ast.AST, scope: ast.AST) -> None:
        if isinstance(node, ast.Global):
            self._declared[scope] |= {*node.names}
        elif isinstance(node, ast.Nonlocal):
            self._outer[scope] |= {*node.names}
        elif isinstance(node, ast.NamedExpr):  # its target belongs to what is around the comprehension
            while isinstance(scope, COMPREHENSIONS):
                scope = self.within[scope]
            self._bound[scope].add(node.target.id)
        elif isinstance(node, FUNCTIONS):
            self._bound[node] |= set(arguments_of(node))
        if isinstance(node, ast.ExceptHandler) or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del)):
            self._lost |= {*bound_by(node)}
        if not isinstance(node, ast.arg):
            self._bound[scope] |= {*bound_by(node)}

    def is_own(self, name: ast.Name) -> bool:
        """Whether what this name stands for was given to it by the text itself, whatever else bears the name."""
        scope = self.within[name]
        if isinstance(scope, ast.ClassDef):
            if name.id in self._bound[scope] | self._declared[scope]:
                return self._is_of_the_top(name)  # which is what Python finds as long as the class has not bound it
            scope = self.within[scope]
        while scope is not self._tree and name.id not in self._declared[scope]:
            if not isinstance(scope, ast.ClassDef) and name.id in self._bound[scope] - self._outer[scope]:
                return True
            scope = self.within[scope]
        return self._is_of_the_top(name)

    def _is_of_the_top(self, name: ast.Name) -> bool:
        """Whether a line of the file's own level has bound it before it is read here, and nothing takes it away."""
        return name.id in self.since and self.since[name.id] < (name.lineno, name.col_offset)


def _parts(node: ast.AST, scope: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """The nodes below this one, each with the scope in which its names are looked up."""
    inner: list[ast.AST] = []
    if isinstance(node, ast.Lambda):
        inner = [node.body]
    elif isinstance(node, DEFINITIONS):
        inner = [*node.body]
    elif isinstance(node, COMPREHENSIONS):
        inner = [part for part in ast.iter_child_nodes(node) if part is not node.generators[0]]
        yield node.generators[0].iter, scope
        inner += [node.generators[0].target, *node.generators[0].ifs]
    own = {*inner}
    yield from ((part, node) for part in inner)
    if not isinstance(node, COMPREHENSIONS):
        yield from ((part, scope) for part in ast.iter_child_nodes(node) if part not in own)


def arguments_of(node: ast.AST) -> list[str]:
    """The names of the arguments of a function or a lambda, the first one first; none of anything else."""
    given = getattr(node, "args", None)
    if not isinstance(given, ast.arguments):
        return []
    every = (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg)
    return [argument.arg for argument in every if argument]


def _bound_at_the_top(tree: ast.Module) -> Iterator[tuple[str, Place]]:
    """The names that statements of the file's own level bind in any case, and where the first such statement ends."""
    found: dict[str, Place] = {}
    for statement in tree.body:
        names = list(bound_by(statement))
        if isinstance(statement, ast.Assign):
            names = [target.id for target in statement.targets if isinstance(target, ast.Name)]
        elif isinstance(statement, ast.AnnAssign) and statement.value and isinstance(statement.target, ast.Name):
            names = [statement.target.id]
        place = statement.end_lineno or statement.lineno, statement.end_col_offset or 0
        for name in names:
            found.setdefault(name, place)
    yield from found.items()
