"""Code in the plainest of the spellings that say the same, so that it is read once for all of them. It is never run."""

from __future__ import annotations

import ast
import math
from collections import Counter, defaultdict
from copy import deepcopy
from itertools import chain
from typing import TypeVar

import numpy as np

from ...spec.code.names import bound_by

Node = TypeVar("Node", bound=ast.AST)


class Spelled(ast.NodeTransformer):
    """Makes x.name of getattr(x, "name"), and (x.a, x.b)[0], which names both, in a loop over the names ("a", "b");
    f(a=y) of f(**{"a": y}), or of a table over such names; and of `from math import *`, or numpy, an import of the
    names that are read.
    """

    def visit_Module(self, node: ast.Module) -> ast.AST:
        parts = [*ast.walk(node)]
        self.read = {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}
        self.functions = 0  # around what is visited
        self.looping: Counter[str] = Counter()  # variables of the loops around it
        bound = Counter(name for part in parts for name in bound_by(part))
        assigned = [part for part in node.body if isinstance(part, ast.Assign) and isinstance(part.value, ast.Tuple)]
        targets = [(target, part.value) for part in assigned for target in part.targets]
        self.tables = {t.id: value for t, value in targets if isinstance(t, ast.Name) and bound[t.id] == 1}
        loops: defaultdict[str, list[list[str]]] = defaultdict(list)
        for part in parts:
            if isinstance(part, ast.For | ast.comprehension) and isinstance(part.target, ast.Name):
                loops[part.target.id].append(self._texts(part.iter))
        # Variables that stand for nothing but texts in the code, whenever they are looked at.
        self.named = {n: [*chain(*of)] for n, of in loops.items() if all(of) and len(of) == bound[n]}
        return self.generic_visit(node)

    def _texts(self, node: ast.AST) -> list[str]:
        """The texts over which a loop goes; none if it may go over others."""
        if isinstance(node, ast.Name):
            node = self.tables.get(node.id, node)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return [*node.value]
        items = node.elts if isinstance(node, ast.Tuple | ast.List) else []
        texts = [item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)]
        return texts if len(texts) == len(items) else []

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        module = {"math": math, "numpy": np}.get(node.module or "")
        if module and not node.level and [alias.name for alias in node.names] == ["*"]:
            names = sorted(self.read & {*getattr(module, "__all__", dir(module))}) or ["pi"]
            node.names = [ast.copy_location(ast.alias(name), node.names[0]) for name in names]
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        of_functions = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        loops = [node] if isinstance(node, ast.For) and self.functions else getattr(node, "generators", [])
        inner = [loop.target.id for loop in loops if isinstance(loop.target, ast.Name)]
        self.functions += of_functions
        self.looping.update(inner)
        super().generic_visit(node)
        self.functions -= of_functions
        self.looping.subtract(inner)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        node.keywords = [plain for keyword in node.keywords for plain in self._plain(keyword)]
        match node:
            case ast.Call(func=ast.Name("getattr"), args=[holder, named, *default], keywords=[]) if len(default) <= 1:
                if names := self._names(named):
                    each: list[ast.expr] = [ast.Attribute(deepcopy(holder), name, ast.Load()) for name in names]
                    all_of_them = ast.Subscript(ast.Tuple(each, ast.Load()), ast.Constant(0), ast.Load())
                    read = all_of_them if each[1:] else each[0]
                    return _at(node, ast.IfExp(ast.Constant(True), read, default[0]) if default else read)
        return node

    def _names(self, node: ast.AST) -> list[str]:
        """The texts for which an expression may stand; none if it may stand for others."""
        if isinstance(node, ast.Name):  # but of the module's own level, where others may change it
            return self.named.get(node.id, []) if self.looping[node.id] else []
        return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []

    def _plain(self, keyword: ast.keyword) -> list[ast.keyword]:
        """What a table of arguments hands over, by name; the keyword itself where that cannot be told."""
        names: list[str] = []
        values: list[ast.expr] = []
        match keyword:
            case ast.keyword(arg=None, value=ast.Dict(keys=keys, values=values)):
                names = [key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
            case ast.keyword(arg=None, value=ast.DictComp(key=ast.Name(key), value=value, generators=[one])):
                if isinstance(one.target, ast.Name) and one.target.id == key and not one.ifs and key in self.named:
                    names = self._texts(one.iter)
                values = [deepcopy(value) for _ in names]
        if not names or len(names) != len(values):
            return [keyword]
        return [_at(keyword, ast.keyword(*pair)) for pair in zip(names, values, strict=True)]


def _at(where: ast.AST, node: Node) -> Node:
    return ast.fix_missing_locations(ast.copy_location(node, where))
