"""What is known of the names in a text: which stand for modules, for what libraries define, for classes."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

import numpy as np

from ...spec import interpreter
from ...spec.folders import KERNELS
from .allowed import BASES, GET_LOGGER, LOGGER, MODULES
from .scopes import Scopes

SEVERAL = "several modules"  # what a name stands for that stands for more than one: none of their names may be used
COMPOSED = "typing.Union"  # what a name stands for that is given tuple[Tensor, Tensor], or Tensor | None
OF_ANY_TYPE = frozenset(("typing.NewType", "typing.ParamSpec", "typing.TypeVar"))  # what makes a name of one
TYPES = (  # the nodes of which an expression of classes is made
    *(ast.Name, ast.Attribute, ast.Subscript, ast.BinOp, ast.Tuple, ast.List, ast.Constant),
    *(ast.BitOr, ast.expr_context),
)
IMMUTABLE = 1 << 8  # among a class's flags: Python lets nobody change it


@dataclass
class Names:
    """What is known of the names in code that has been read."""

    modules: dict[str, str] = field(default_factory=dict)  # a name -> the module that it stands for
    theirs: dict[str, frozenset[str]] = field(default_factory=dict)  # a name -> what libraries define by that name
    own: set[str] = field(default_factory=set)  # attributes that the code's own classes have
    before: set[str] = field(default_factory=set)  # names that the code before this one has bound

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
                    self._means(alias.asname or alias.name, {f"{node.module}.{alias.name}"})
        elif isinstance(node, ast.Assign) and names_targets(node):
            self._assigned(node)
        self._own_attributes(node)

    def _stands_for(self, name: str, module: str) -> None:
        self.modules[name] = module if self.modules.get(name, module) == module else SEVERAL

    def _assigned(self, node: ast.Assign) -> None:
        module = self.module(node.value)
        for name in names_targets(node):
            if module:  # xp = np
                self._stands_for(name, module)
            elif meant := self.meant(node.value):
                self._means(name, meant)  # Tensor = torch.Tensor
            elif self.is_composed(node.value):
                self._means(name, {COMPOSED})

    def _means(self, name: str, things: set[str] | frozenset[str]) -> None:
        self.theirs[name] = self.theirs.get(name, frozenset()) | things

    def meant(self, node: ast.AST) -> frozenset[str]:
        """What a library defines that an expression may stand for, as in {"torch.Tensor"}."""
        if isinstance(node, ast.Name):
            return self.theirs.get(node.id, frozenset())
        inside = self.module(node.value) if isinstance(node, ast.Attribute) else ""
        return frozenset({f"{inside}.{node.attr}"}) if inside and isinstance(node, ast.Attribute) else frozenset()

    def is_class(self, node: ast.AST) -> bool:
        """Whether it may stand for a library's class that code can change, or for what `typing` makes of classes."""
        return any(map(is_changeable, self.meant(node)))

    def is_composed(self, node: ast.AST) -> bool:
        """Whether it is made of classes, one of which is a library's, or stands for any: Tensor | None, TypeVar()."""
        if isinstance(node, ast.Call):
            return bool(self.meant(node.func) & OF_ANY_TYPE)
        parts = [*ast.walk(node)]
        whole = isinstance(node, ast.Subscript | ast.BinOp) and all(isinstance(part, TYPES) for part in parts)
        return whole and any(map(self.is_class, parts))

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
            if called == "namedtuple":
                self.own |= {word for text in texts(node) for word in text.replace(",", " ").split()}
            elif called == "SimpleNamespace":
                self.own |= {keyword.arg for keyword in node.keywords if keyword.arg}

    def module(self, node: ast.AST) -> str:
        """The library's module that an expression stands for, "" if none; so is a logger, which all code shares."""
        if isinstance(node, ast.Name):
            return self.modules.get(node.id, "")
        if isinstance(node, ast.Attribute):
            inside = self.module(node.value)
            return f"{inside}.{node.attr}" if f"{inside}.{node.attr}" in MODULES else ""
        return LOGGER if isinstance(node, ast.Call) and GET_LOGGER in self.meant(node.func) else ""


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
    functions = (node.name for node in _of_the_kernels() if isinstance(node, ast.FunctionDef))
    return fields_of_the_course().union(functions)


@lru_cache(maxsize=1)
def fields_of_the_course() -> frozenset[str]:
    """Those of them that objects are given, and so may be given anew."""
    found: set[str] = set()
    for node in _of_the_kernels():
        if isinstance(node, ast.Attribute) and is_stored(node):
            found.add(node.attr)
        elif isinstance(node, ast.ClassDef):  # the fields of a dataclass
            fields = (statement for statement in node.body if isinstance(statement, ast.AnnAssign))
            found |= {name for field in fields for name in names_stored(field)}
    return frozenset(found)


@lru_cache(maxsize=1)
def methods_of_the_course() -> frozenset[str]:
    """Those of them that are its classes' methods."""
    kinds = (node for node in _of_the_kernels() if isinstance(node, ast.ClassDef))
    return frozenset(part.name for kind in kinds for part in kind.body if isinstance(part, ast.FunctionDef))


def _of_the_kernels() -> Iterator[ast.AST]:
    for path in KERNELS.glob("*.py"):
        yield from ast.walk(ast.parse(path.read_text()))


@cache
def is_changeable(thing: str) -> bool:
    """Whether what a library calls so is a class whose attributes Python lets code change, or a form of `typing`."""
    module, _, name = thing.rpartition(".")
    if module == "typing" or thing in BASES:
        return name not in ("TYPE_CHECKING", "final")
    if module not in MODULES or module.partition(".")[0] in ("autograder", "matplotlib"):
        return False
    interpreter.choose()
    try:
        value = getattr(importlib.import_module(module), name, None)
    except ImportError:  # of Triton, where there is none
        return name == "TensorDescriptor"
    kind = value if isinstance(value, type) and not issubclass(value, np.generic) else None
    return kind is not None and not kind.__flags__ & IMMUTABLE


def asks_for_a_class(node: ast.AST) -> bool:
    """Whether this is type(x)."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "type"


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
