"""What is known of the names in a text: which stand for modules, for what libraries define, for classes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from ...spec.folders import KERNELS
from .allowed import MODULES
from .scopes import Scopes

SEVERAL = "several modules"  # what a name stands for that stands for more than one: none of their names may be used
TENSORS = {"torch.Tensor", "torch.distributed.Work", "torch.distributed.P2POp"}  # whose methods are not to be changed


@dataclass
class Names:
    """What is known of the names in code that has been read."""

    modules: dict[str, str] = field(default_factory=dict)  # a name -> the module that it stands for
    theirs: set[str] = field(default_factory=set)  # names of what libraries define
    own: set[str] = field(default_factory=set)  # attributes that the code's own classes have
    before: set[str] = field(default_factory=set)  # names that the code before this one has bound
    classes: set[str] = field(default_factory=set)  # names that stand for the class of a value
    tensors: set[str] = field(default_factory=set)  # names that stand for one of TENSORS

    def copied(self) -> dict[str, Any]:
        """Its fields, for a reader that goes on from there."""
        return {name: value.copy() for name, value in vars(self).items()}

    def learn(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.split(".")[0]
                self._stands_for(alias.asname or first, alias.name if alias.asname else first)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if f"{node.module}.{alias.name}" in MODULES:
                    self._stands_for(alias.asname or alias.name, f"{node.module}.{alias.name}")
                else:
                    self.theirs.add(alias.asname or alias.name)
                if f"{node.module}.{alias.name}" in TENSORS:
                    self.tensors.add(alias.asname or alias.name)
        elif isinstance(node, ast.Assign) and names_targets(node):
            self._assigned(node)
        self._own_attributes(node)
        if isinstance(node, ast.NamedExpr) and asks_for_a_class(node.value):
            self.classes.add(node.target.id)

    def _stands_for(self, name: str, module: str) -> None:
        self.modules[name] = module if self.modules.get(name, module) == module else SEVERAL

    def _assigned(self, node: ast.Assign) -> None:
        module = self.module(node.value)
        for name in names_targets(node):
            if module:  # xp = np
                self._stands_for(name, module)
            elif isinstance(node.value, ast.Attribute) and (inside := self.module(node.value.value)):
                self.theirs.add(name)  # Tensor = torch.Tensor
                self.tensors |= {name} if f"{inside}.{node.value.attr}" in TENSORS else set()
            elif asks_for_a_class(node.value):
                self.classes.add(name)

    def _own_attributes(self, node: ast.AST) -> None:
        if isinstance(node, ast.ClassDef):
            self.own |= {name for statement in node.body for name in names_stored(statement)}
            self.own |= {statement.name for statement in node.body if isinstance(statement, ast.FunctionDef)}
            slots = (statement for statement in node.body if "__slots__" in names_stored(statement))
            self.own |= {text for statement in slots for text in texts(statement)}
        elif isinstance(node, ast.Attribute) and is_stored(node) and not self.module(node.value):
            self.own.add(node.attr)
        elif isinstance(node, ast.Call):
            called = last_name(node.func)
            if called == "setattr" and len(node.args) > 1:
                self.own |= set(texts(node.args[1]))
            if called in ("namedtuple", "make_dataclass", "NamedTuple"):
                self.own |= {word for text in texts(node) for word in text.replace(",", " ").split()}

    def module(self, node: ast.AST) -> str:
        """The library's module that an expression stands for, "" if none."""
        if isinstance(node, ast.Name):
            return self.modules.get(node.id, "")
        if isinstance(node, ast.Attribute):
            inside = self.module(node.value)
            return f"{inside}.{node.attr}" if f"{inside}.{node.attr}" in MODULES else ""
        return ""


@lru_cache(maxsize=32)
def names_of(known: str) -> Names:
    """What is known of the names in what runs before an answer, and of the course's own classes."""
    tree = ast.parse(known)
    names = Names(own=set(of_the_course()), before=set(Scopes(tree).since))
    for node in ast.walk(tree):
        names.learn(node)
    return names


@lru_cache(maxsize=1)
def of_the_course() -> frozenset[str]:
    """Attributes of the course's own classes, which answers build on."""
    found: set[str] = set()
    for path in KERNELS.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Attribute) and is_stored(node):
                found.add(node.attr)
            elif isinstance(node, ast.FunctionDef):
                found.add(node.name)
            elif isinstance(node, ast.ClassDef):  # the fields of a dataclass
                fields = (statement for statement in node.body if isinstance(statement, ast.AnnAssign))
                found |= {name for field in fields for name in names_stored(field)}
    return frozenset(found)


def asks_for_a_class(node: ast.AST) -> bool:
    """Whether this is type(x), or x.__class__."""
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "type"
    return called or (isinstance(node, ast.Attribute) and node.attr == "__class__")


def is_stored(node: ast.Name | ast.Attribute | ast.Subscript) -> bool:
    return isinstance(node.ctx, ast.Store | ast.Del)


def names_stored(node: ast.AST) -> Iterator[str]:
    """The variables that the code below a node binds."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and is_stored(inner):
            yield inner.id


def names_targets(node: ast.Assign) -> list[str]:
    """The variables that an assignment binds, where it binds nothing else: a = b = np."""
    names = [target.id for target in node.targets if isinstance(target, ast.Name)]
    return names if len(names) == len(node.targets) else []


def texts(node: ast.AST) -> Iterator[str]:
    """The strings in the code below a node."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield inner.value


def last_name(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def root_of(node: ast.AST) -> ast.AST:
    """What stands at the left end of a chain of attributes and indices."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node
