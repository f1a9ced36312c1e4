"""Which objects in a text are certainly its own: instances of classes that it does not let out of its sight.

So are functions that it defines within a function: each call of that makes new ones.

`self` is one in a method that nothing but instances call. Where a class is a value, or a method is taken from it and
called with something else (`Row.items(stream)`), that is not certain of any of the text's objects.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from ...spec.code.leading import only_wraps
from ...spec.code.names import DEFINITIONS, bound_by
from .names import last_name
from .scopes import FUNCTIONS, Scopes, arguments_of

METHODS_OF_CLASSES = {"classmethod", "staticmethod"}
ASKING = {"isinstance", "issubclass"}


class Objects:
    """Those of one text. above: the node that each of its nodes stands in."""

    def __init__(
        self,
        nodes: Iterable[ast.AST],
        above: Mapping[ast.AST, ast.AST],
        scopes: Scopes,
        used: set[str],
    ):
        """used: names that other texts use."""
        self.above, self.scopes = above, scopes
        nodes = list(nodes)
        names = [node for node in nodes if isinstance(node, ast.Name)]
        self.times = Counter(name for node in nodes for name in bound_by(node))
        self.defined = {node.name: node for node in nodes if isinstance(node, ast.ClassDef)}
        parts = [part for kind in self.defined.values() for part in kind.body if isinstance(part, ast.FunctionDef)]
        self.methods = {part.name for part in parts if _is_method(part)}
        declared = [part for kind in self.defined.values() for part in kind.body if isinstance(part, ast.AnnAssign)]
        self.fields = {part.target.id for part in declared if isinstance(part.target, ast.Name)}
        stored = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
        taken = [alias for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names]
        self.renamed = stored | {node.name for node in nodes if isinstance(node, DEFINITIONS)}
        self.renamed |= {alias.asname for alias in taken if alias.asname not in (None, alias.name)}
        self.takes: dict[ast.AST, list[str]] = {
            node: arguments_of(node) for node in nodes if isinstance(node, FUNCTIONS)
        }
        let_out = used | {node.id for node in names if node.id in self.defined and self._is_let_out(node)}
        classes = {*self.defined} | {taken[0] for node, taken in self.takes.items() if taken and _gets_a_class(node)}
        let_out |= {*self.defined} if any(self._takes_a_method(node, classes) for node in nodes) else set()
        self.classes: set[str] = set()
        for name, kind in self.defined.items():  # in their order: a class is built on what stands above it
            if name not in let_out and self._is_plain(kind):
                self.classes.add(name)
        for name, kind in reversed(self.defined.items()):  # an object of a class is one of those that it is built on
            if name not in self.classes:
                self.classes -= {base.id for base in kind.bases if isinstance(base, ast.Name)}
        self.made: defaultdict[str, bool] = defaultdict(bool)
        for node in nodes:
            for name in bound_by(node):
                self.made[name] = self.made.get(name, True) and (self._is_made(node) or self._is_a_function(node))

    def is_own(self, node: ast.AST) -> bool:
        """Whether an expression is certainly an object of the text's own classes, or one of these."""
        if isinstance(node, ast.Call):
            return isinstance(node.func, ast.Name) and node.func.id in self.classes
        if not isinstance(node, ast.Name):
            return False
        return node.id in self.classes or self.made[node.id] or (node.id == "self" and self._is_self(node))

    def _is_self(self, node: ast.Name) -> bool:
        """Whether it is the first argument of a method of such a class, and nothing else."""
        return getattr(self._kind_of(node), "name", "") in self.classes

    def is_first(self, node: ast.AST) -> bool:
        """Whether it is the first argument of a method of whatever class, and nothing else."""
        return isinstance(node, ast.Name) and self._kind_of(node) is not None

    def _kind_of(self, node: ast.Name) -> ast.ClassDef | None:
        """The class of whose method it is the first argument, None if of none."""
        scope = self.scopes.within[node]
        while not isinstance(scope, ast.Module) and node.id not in self.takes.get(scope, ()):
            scope = self.scopes.within[scope]
        kind = self.above.get(scope)
        if not (isinstance(kind, ast.ClassDef) and _is_method(scope)):
            return None
        return kind if self.takes[scope][0] == node.id and node.id not in self.renamed else None

    def _is_made(self, node: ast.AST) -> bool:
        """Whether a variable is bound here to a new object of such a class, or to none."""
        above = self.above.get(node)
        if not (isinstance(above, ast.Assign | ast.AnnAssign | ast.NamedExpr) and isinstance(node, ast.Name)):
            return False
        is_none = isinstance(above.value, ast.Constant) and above.value.value is None
        return is_none or (isinstance(above.value, ast.Call) and self.is_own(above.value))

    def _is_a_function(self, node: ast.AST) -> bool:
        """Whether it defines a function as it is written, a new one in each call of another."""
        plain = isinstance(node, ast.FunctionDef) and not node.decorator_list
        return plain and isinstance(self.scopes.within[node], FUNCTIONS)

    def _is_plain(self, kind: ast.ClassDef) -> bool:
        """Whether a class is built on such classes alone, and by nothing that gets hold of its methods."""
        bases = all(
            isinstance(base, ast.Name) and base.id in self.classes | {"object", "NamedTuple"} for base in kind.bases
        )
        parts = [kind, *(part for part in kind.body if isinstance(part, DEFINITIONS))]
        wrapped = all(only_wraps(d, self.renamed) for part in parts for d in part.decorator_list)
        loose = [node for part in kind.body if not isinstance(part, DEFINITIONS) for node in ast.walk(part)]
        named = any(isinstance(node, ast.Name) and node.id in self.methods for node in loose)
        return bases and wrapped and not named and not kind.keywords and self.times[kind.name] == 1

    def _is_let_out(self, node: ast.Name) -> bool:
        """Whether a class is a value here: not made an object of, asked about, built on, or in an annotation."""
        inner: ast.AST = node
        above = self.above.get(inner)
        while isinstance(above, ast.Tuple | ast.BinOp | ast.Subscript | ast.List):
            inner, above = above, self.above.get(above)
        if isinstance(above, ast.Call):
            asks = isinstance(above.func, ast.Name) and above.func.id in ASKING
            return not (above.func is node or (asks and inner in above.args[1:]))
        if isinstance(above, ast.AnnAssign):
            return above.annotation is not inner
        annotates = isinstance(above, ast.arg) or (isinstance(above, ast.FunctionDef) and above.returns is inner)
        return not (annotates or isinstance(above, ast.Attribute | ast.ClassDef | ast.MatchClass))

    def _takes_a_method(self, node: ast.AST, classes: set[str]) -> bool:
        """Whether a method is taken from a class, and so may be called with any object."""
        if not isinstance(node, ast.Attribute) or node.attr not in self.methods:
            return False
        return isinstance(node.value, ast.Name) and node.value.id in classes


def _gets_a_class(node: ast.AST) -> bool:
    """Whether it is a function that gets its class first."""
    return any(last_name(decorator) == "classmethod" for decorator in getattr(node, "decorator_list", ()))


def _is_method(part: ast.AST) -> bool:
    """Whether it is a function that gets the object first."""
    if not isinstance(part, ast.FunctionDef):
        return False
    return not any(last_name(decorator) in METHODS_OF_CLASSES for decorator in part.decorator_list)
