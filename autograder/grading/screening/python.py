"""Does an answer in Python use more than answers need?

The text is read, not run: names are followed as far as they can be told from it, and what cannot be told, such as an
attribute whose name is made while running, is more than answers need.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from ...spec.folders import KERNELS
from ...spec.starter import leading_to
from .allowed import BUILTINS, DUNDERS, METHODS, MODULES, NEVER, OF_VALUES
from .triton import beyond_triton, is_kernel, known_to_kernels

BY_NAME = {"getattr", "hasattr", "setattr"}  # functions that are told an attribute's name
INJECTED = {"interpreter_builder", "interpreter_semantic"}  # by Triton's interpreter into a kernel's globals
HIDDEN_ATTRIBUTE = re.compile(r"\{[^{}\s]*\.[^\W\d]|\{[^{}]*\._")  # of a string that is to be formatted
CLASSES = {"torch.Tensor", "numpy.ndarray"}  # of the libraries, whose methods are not to be changed
JIT = "triton.jit"
STREAMS = {"sys.stdout", "sys.stderr"}  # which are the same for all code, and may be changed to something else
ENVIRONMENT = {"CUDA_VISIBLE_DEVICES", "OMP_NUM_THREADS", "0", "1", ""}  # what a file may set for itself


def reaches_for(
    source: str,
    name: str = "",
    known: str = "",
    others: Iterable[str] = (),
    on_ranks: bool = False,
    compiles: bool = True,
) -> str | None:
    """The first thing in the code that answers do not need, and its line; None if there is none.

    name: of the exercise, to whose answer only that belongs which it uses. known: what is run before it. others: names
    that the code of other answers, which runs beside it, uses. on_ranks: whether ranks run it, which share a process
    and so all that libraries have made. compiles: whether Triton's compiler takes its kernels; where it refuses one it
    has said what is wrong.
    """
    try:
        tree = leading_to(name, source, others) if name else ast.parse(source)
        names = _names_of(known)
        before = ast.parse(known).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None  # the judge reports it in its own words
    try:
        reader = _Reader(**names.copied(), tree=tree, before=before, on_ranks=on_ranks, compiles=compiles)
        return next(reader.unneeded(), None)
    except RecursionError:
        return "code that is nested too deeply to be read"


@dataclass
class _Names:
    """What is known of the names in code that has been read."""

    modules: dict[str, str] = field(default_factory=dict)  # a name -> the module that it stands for
    theirs: set[str] = field(default_factory=set)  # names of what libraries define
    own: set[str] = field(default_factory=set)  # attributes that the code's own classes have
    bound: set[str] = field(default_factory=set)  # names that the code binds itself
    classes: set[str] = field(default_factory=set)  # names that may stand for the class of a value

    def copied(self) -> dict[str, Any]:
        """Its fields, for a reader that goes on from there."""
        return {name: value.copy() for name, value in vars(self).items()}

    def learn(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.split(".")[0]
                self.modules[alias.asname or first] = alias.name if alias.asname else first
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if f"{node.module}.{alias.name}" in MODULES:
                    self.modules[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                else:
                    self.theirs.add(alias.asname or alias.name)
        elif isinstance(node, ast.Assign) and _names_targets(node):
            module = self.module(node.value)  # xp = np
            if module:
                self.modules |= dict.fromkeys(_names_targets(node), module)
            elif isinstance(node.value, ast.Attribute) and self.module(node.value.value):  # Tensor = torch.Tensor
                self.theirs |= set(_names_targets(node))
        if isinstance(node, ast.ClassDef):
            self.own |= {name for statement in node.body for name in _names_stored(statement)}
            self.own |= {statement.name for statement in node.body if isinstance(statement, ast.FunctionDef)}
            slots = (statement for statement in node.body if "__slots__" in _names_stored(statement))
            self.own |= {text for statement in slots for text in _texts(statement)}
        elif isinstance(node, ast.Attribute) and _is_stored(node) and not self.module(node.value):
            self.own.add(node.attr)
        elif isinstance(node, ast.Call):
            called = _last_name(node.func)
            if called == "setattr" and len(node.args) > 1:
                self.own |= set(_texts(node.args[1]))
            if called in ("namedtuple", "make_dataclass", "NamedTuple"):
                self.own |= {word for text in _texts(node) for word in text.replace(",", " ").split()}
        if isinstance(node, ast.Assign | ast.NamedExpr | ast.For | ast.comprehension):
            value = node.iter if isinstance(node, ast.For | ast.comprehension) else node.value
            if _asks_for_a_class(value):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                self.classes |= {name for target in targets for name in _names_stored(target)}
        if isinstance(node, ast.Name) and _is_stored(node):
            self.bound.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self.bound.add(node.name)
        elif isinstance(node, ast.arg):
            self.bound.add(node.arg)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            self.bound |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}

    def module(self, node: ast.AST) -> str:
        """The library's module that an expression stands for, "" if none."""
        if isinstance(node, ast.Name):
            return self.modules.get(node.id, "")
        if isinstance(node, ast.Attribute):
            inside = self.module(node.value)
            return f"{inside}.{node.attr}" if f"{inside}.{node.attr}" in MODULES else ""
        return ""


@lru_cache(maxsize=32)
def _names_of(known: str) -> _Names:
    names = _Names(own=set(_of_the_course()))
    for node in ast.walk(ast.parse(known)):
        names.learn(node)
    return names


@dataclass(kw_only=True)
class _Reader(_Names):
    tree: ast.Module
    before: list[ast.stmt]
    on_ranks: bool
    compiles: bool
    nodes: list[ast.AST] = field(default_factory=list)
    above: dict[ast.AST, ast.AST] = field(default_factory=dict)
    in_kernels: dict[ast.AST, str] = field(default_factory=dict)  # what is not for Triton, and what is said of it

    def __post_init__(self) -> None:
        self.nodes = list(ast.walk(self.tree))
        for node in self.nodes:
            self.learn(node)
            for child in ast.iter_child_nodes(node):
                self.above[child] = node
        kernels = [node for node in self.nodes if isinstance(node, ast.FunctionDef) and is_kernel(node)]
        kernels *= self.compiles
        known = known_to_kernels([*self.before, *self.tree.body]) if kernels else set()
        for kernel in kernels:
            self.in_kernels |= dict(beyond_triton(kernel, known))

    def unneeded(self) -> Iterator[str]:
        nodes = [node for node in self.nodes if isinstance(node, ast.stmt | ast.expr | ast.pattern)]
        for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset)):
            for said in self._of(node):
                yield f"{said} in line {node.lineno}"

    def _of(self, node: ast.AST) -> Iterator[str]:
        if node in self.in_kernels:
            yield self.in_kernels[node]
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if not _may_be_imported(alias.name))
        elif isinstance(node, ast.ImportFrom):
            yield from self._imported(node)
        elif isinstance(node, ast.Name):
            yield from self._named(node)
        elif isinstance(node, ast.Attribute):
            yield from self._attribute(node)
        elif isinstance(node, ast.Call):
            yield from self._called(node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if node.name.startswith("__") and node.name not in METHODS:
                yield node.name
        elif isinstance(node, ast.ClassDef):
            if node.keywords or any(isinstance(base, ast.Name) and base.id == "type" for base in node.bases):
                yield f"{node.name}, a class of classes,"
        elif isinstance(node, ast.MatchClass):
            yield from (n for n in node.kwd_attrs if n in NEVER or n not in self.own | OF_VALUES or n.startswith("__"))
        elif isinstance(node, ast.Constant):
            if isinstance(node.value, str) and HIDDEN_ATTRIBUTE.search(node.value):
                yield "an attribute within a string"
        elif isinstance(node, ast.Await | ast.AsyncFor | ast.AsyncWith):
            yield "asynchronous code"

    def _imported(self, node: ast.ImportFrom) -> Iterator[str]:
        module = node.module or ""
        if node.level or not _may_be_imported(module):
            yield module or "a relative import"
        elif module.split(".")[0] == "kernels":
            yield from (f"{module}.{a.name}" for a in node.names if not _is_of_the_course(module, a.name))
        else:
            for alias in node.names:
                renamed = f"{module}.{alias.name}" == JIT and alias.asname
                if renamed or (alias.name not in MODULES[module] and f"{module}.{alias.name}" not in MODULES):
                    yield f"{module}.{alias.name}"

    def _named(self, node: ast.Name) -> Iterator[str]:
        if node.id in BY_NAME and node.id not in self.bound and not _is_called(node, self.above.get(node)):
            yield f"{node.id}, handed on,"
        elif node.id in INJECTED or (node.id.startswith("__") and node.id not in BUILTINS | METHODS):
            yield node.id
        elif _is_stored(node):
            if node.id in self.modules and not self._is_alias(node):
                yield f"{node.id}, a module that is changed to something else,"
        elif node.id in self.modules:
            above = self.above.get(node)
            if not isinstance(above, ast.Attribute) and not self._gets_a_name(node):
                yield f"the module {node.id}, handed on,"
        elif node.id == "jit" and node.id in self.theirs and not self._decorates(node):
            yield f"{node.id}, not as a decorator,"
        elif hasattr(builtins, node.id) and node.id not in BUILTINS and node.id not in self.bound:
            yield node.id

    def _gets_a_name(self, node: ast.AST) -> bool:
        """Whether a module is assigned to names alone, which are then known to be it."""
        above = self.above.get(node)
        return isinstance(above, ast.Assign) and above.value is node and bool(_names_targets(above))

    def _decorates(self, node: ast.AST) -> bool:
        """Whether a function is decorated by this, so that its text is read as a kernel's."""
        above = self.above.get(node)
        while isinstance(above, ast.Call) and above.func is node:
            node, above = above, self.above.get(above)
        return isinstance(above, ast.Expr) or (isinstance(above, ast.FunctionDef) and node in above.decorator_list)

    def _is_alias(self, node: ast.Name) -> bool:
        above = self.above.get(node)
        return isinstance(above, ast.Assign) and bool(self.module(above.value))

    def _attribute(self, node: ast.Attribute) -> Iterator[str]:
        module, text = self.module(node.value), _text(node)
        if node.attr in NEVER:
            yield text
        elif module:
            if module == "os":
                if not self._sets_the_environment(node):
                    yield text
            elif module.split(".")[0] == "kernels":
                if not _is_of_the_course(module, node.attr):
                    yield text
            elif not (node.attr in MODULES.get(module, ()) or f"{module}.{node.attr}" in MODULES):
                yield text
            elif _is_stored(node):
                yield f"{text}, changed,"
            elif f"{module}.{node.attr}" == JIT and not self._decorates(node):
                yield f"{text}, not as a decorator,"
            elif f"{module}.{node.attr}" in STREAMS and not self._is_written_to(node):
                yield f"{text}, handed on,"
            elif self.module(node) and not (isinstance(self.above.get(node), ast.Attribute) or self._gets_a_name(node)):
                yield f"the module {text}, handed on,"
            elif f"{module}.{node.attr}" in CLASSES and self._is_handed_on(node):
                yield f"{text}, handed on,"
        elif node.attr.startswith("__"):
            if node.attr not in DUNDERS:
                yield text
        elif _is_stored(node):
            root = _root(node)
            of_an_object = isinstance(root, ast.Name) and root.id not in self.classes
            if self._is_not_to_change(root) or (node.attr in OF_VALUES and not of_an_object):
                yield f"{text}, changed,"
        elif node.attr not in self.own and node.attr not in OF_VALUES:
            yield text

    def _is_written_to(self, node: ast.Attribute) -> bool:
        """Whether a stream is what something is printed to."""
        above = self.above.get(node)
        to = isinstance(above, ast.keyword) and above.arg == "file"
        return to or (isinstance(above, ast.Attribute) and above.attr in ("write", "flush"))

    def _is_theirs(self, root: ast.AST) -> bool:
        return isinstance(root, ast.Name) and (root.id in self.theirs or root.id in self.modules)

    def _is_not_to_change(self, root: ast.AST) -> bool:
        """Whether it is a library's, or on ranks may be: what libraries have made is the same for all of them."""
        return self._is_theirs(root) or (self.on_ranks and not self._is_a_ranks_own(root))

    def _is_a_ranks_own(self, root: ast.AST) -> bool:
        """Whether it is `self`, or a name that stands for nothing but instances of the code's own classes."""
        if not isinstance(root, ast.Name) or root.id == "self":
            return isinstance(root, ast.Name)
        made = [self.above[node] for node in self.nodes if _binds(node, root.id)]
        classes = {node.name for node in self.nodes if isinstance(node, ast.ClassDef)}
        values = (n.value for n in made if isinstance(n, ast.Assign | ast.AnnAssign | ast.NamedExpr))
        own = [value for value in values if isinstance(value, ast.Call) and _last_name(value.func) in classes]
        return bool(made) and len(own) == len(made)

    def _is_handed_on(self, node: ast.Attribute) -> bool:
        """Whether a library's class is a value here, and not in an annotation, the base of a class or asked about."""
        inner: ast.AST = node
        above = self.above.get(inner)
        while isinstance(above, ast.Tuple | ast.BinOp | ast.Subscript):
            inner, above = above, self.above.get(above)
        if isinstance(above, ast.Assign):  # Tensor = torch.Tensor
            return not all(isinstance(target, ast.Name) for target in above.targets)
        if isinstance(above, ast.Call):
            asks = isinstance(above.func, ast.Name) and above.func.id in ("isinstance", "issubclass")
            return not (asks or above.func is inner)
        return isinstance(above, ast.keyword | ast.Return | ast.List | ast.Dict | ast.Yield)

    def _sets_the_environment(self, node: ast.Attribute) -> bool:
        """Whether this is part of os.environ["TRITON_INTERPRET"] = "1", or the like, at the code's own level."""
        statement: ast.AST = node
        while statement in self.above and self.above[statement] is not self.tree:
            statement = self.above[statement]
        words = {str(n.value) for n in ast.walk(statement) if isinstance(n, ast.Constant)}
        harmless = words <= ENVIRONMENT or words <= {"TRITON_INTERPRET", "1"}
        return node.attr == "environ" and isinstance(statement, ast.Assign | ast.Expr) and harmless

    def _called(self, node: ast.Call) -> Iterator[str]:
        called = node.func.id if isinstance(node.func, ast.Name) else ""
        if called in BY_NAME and called not in self.bound:
            name = node.args[1] if len(node.args) > 1 else None
            if not (isinstance(name, ast.Constant) and isinstance(name.value, str)):
                yield f"{called} with a name that is made while running,"
            elif name.value in NEVER or (name.value.startswith("__") and name.value not in DUNDERS):
                yield f"{called} of {name.value}"
            elif called != "hasattr" and self.module(node.args[0]):
                yield f"{called} of the module {_text(node.args[0])}"
            elif called == "setattr" and (self._is_not_to_change(_root(node.args[0])) or name.value in OF_VALUES):
                yield f"{called} of {_text(node.args[0])}"
            elif called != "hasattr" and name.value not in self.own | OF_VALUES | DUNDERS:
                yield f"{called} of {name.value}"
        elif called == "type" and len(node.args) != 1:
            yield "type with several arguments"
        elif _last_name(node.func) == "wraps" and len(node.args) + len(node.keywords) != 1:
            yield "wraps of chosen attributes"


@cache
def _defined(path: Path) -> frozenset[str]:
    """The functions, classes and constants of a module."""
    found: set[str] = set()
    for node in ast.parse(path.read_text()).body if path.is_file() else ():
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            found |= set(_names_stored(node))
    return frozenset(found)


def _is_of_the_course(module: str, name: str) -> bool:
    """Whether a module of kernels/ defines the name, or is it."""
    path = KERNELS.joinpath(*module.split(".")[1:])
    return (path / f"{name}.py").is_file() or name in _defined(path.with_suffix(".py"))


@cache
def _of_the_course() -> frozenset[str]:
    """Attributes of the course's own classes, which answers build on."""
    found: set[str] = set()
    for path in KERNELS.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Attribute) and _is_stored(node):
                found.add(node.attr)
            elif isinstance(node, ast.FunctionDef):
                found.add(node.name)
            elif isinstance(node, ast.ClassDef):  # the fields of a dataclass
                fields = (statement for statement in node.body if isinstance(statement, ast.AnnAssign))
                found |= {name for field in fields for name in _names_stored(field)}
    return frozenset(found)


def _may_be_imported(module: str) -> bool:
    return module in MODULES or module.split(".")[0] == "kernels" or module == "os"


def _asks_for_a_class(node: ast.AST) -> bool:
    """Whether type() or __class__ stands in the code, and so may be what it gives."""
    for inner in ast.walk(node):
        called = isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.func.id == "type"
        if called or (isinstance(inner, ast.Attribute) and inner.attr == "__class__"):
            return True
    return False


def _is_stored(node: ast.Name | ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Store | ast.Del)


def _binds(node: ast.AST, name: str) -> bool:
    """Whether this is where a variable of that name gets a value."""
    if isinstance(node, ast.arg):
        return node.arg == name
    return isinstance(node, ast.Name) and node.id == name and _is_stored(node)


def _names_stored(node: ast.AST) -> Iterator[str]:
    """The variables that the code below a node binds."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and _is_stored(inner):
            yield inner.id


def _names_targets(node: ast.Assign) -> list[str]:
    """The variables that an assignment binds, where it binds nothing else: a = b = np."""
    names = [target.id for target in node.targets if isinstance(target, ast.Name)]
    return names if len(names) == len(node.targets) else []


def _texts(node: ast.AST) -> Iterator[str]:
    """The strings in the code below a node."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield inner.value


def _is_called(node: ast.AST, above: ast.AST | None) -> bool:
    return isinstance(above, ast.Call) and above.func is node


def _last_name(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _root(node: ast.AST) -> ast.AST:
    """What stands at the left end of a chain of attributes and indices."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node


def _text(node: ast.AST) -> str:
    text = ast.unparse(node)
    return text if len(text) <= 60 else "..." + text[-57:]
