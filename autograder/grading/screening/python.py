"""Does an answer in Python use more than answers need?

The text is read, not run: names are followed as far as they can be told from it, and what cannot be told, such as an
attribute whose name is made while running, is more than answers need.
"""

from __future__ import annotations

import ast
import builtins
import re
import string
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from ...spec.folders import KERNELS
from ...spec.starter import leading_to, names_in
from .allowed import BUILTINS, DUNDERS, METHODS, MODULES, NEVER, OF_VALUES
from .names import (
    Names,
    asks_for_a_class,
    is_stored,
    last_name,
    names_of,
    names_stored,
    names_targets,
    of_the_course,
    root_of,
)
from .objects import ASKING, Objects
from .scopes import Scopes, bound_by
from .theirs import of_others
from .triton import beyond_triton, is_kernel, known_to_kernels

BY_NAME = {"getattr", "hasattr", "setattr"}  # functions that are told an attribute's name
INJECTED = {"interpreter_builder", "interpreter_semantic"}  # by Triton's interpreter into a kernel's globals
HIDDEN_ATTRIBUTE = re.compile(r"\{[^{}\s]*\.[^\W\d]|\{[^{}]*\._")  # of a string that is to be formatted
CLASSES = {"torch.Tensor", "numpy.ndarray"}  # of the libraries, whose methods are not to be changed
JIT = "triton.jit"
WRAPS = "functools.wraps"
UNNAMED = {JIT, WRAPS}  # what is known by its name alone, and so keeps it
SAYING = ASKING | {"str", "repr", "print"} | {name for name in BUILTINS if name.endswith(("Error", "Exception"))}
FORMATS = {"format", "format_map"}
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
        others = {*others}
        tree = leading_to(name, source, others | names_in(known)) if name else ast.parse(source)
        names = names_of(known)
        before = ast.parse(known).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None  # the judge reports it in its own words
    try:
        reader = _Reader(
            **names.copied(), tree=tree, others=others, beforehand=before, on_ranks=on_ranks, compiles=compiles
        )
        return next(reader.unneeded(), None)
    except RecursionError:
        return "code that is nested too deeply to be read"


@dataclass(kw_only=True)
class _Reader(Names):
    tree: ast.Module
    others: set[str]  # names that other answers use
    beforehand: list[ast.stmt]
    on_ranks: bool
    compiles: bool
    nodes: list[ast.AST] = field(default_factory=list)
    above: dict[ast.AST, ast.AST] = field(default_factory=dict)
    harmless: dict[ast.AST, bool] = field(default_factory=dict)  # statements that name the environment
    in_kernels: dict[ast.AST, str] = field(default_factory=dict)  # what is not for Triton, and what is said of it

    def __post_init__(self) -> None:
        self.nodes = list(ast.walk(self.tree))
        for node in self.nodes:
            self.learn(node)
            for child in ast.iter_child_nodes(node):
                self.above[child] = node
        self.scopes = Scopes(self.tree)
        self.objects = Objects(self.nodes, self.above, self.scopes, self.classes, self.others)
        kernels = [node for node in self.nodes if isinstance(node, ast.FunctionDef) and is_kernel(node)]
        kernels *= self.compiles
        known = known_to_kernels([*self.beforehand, *self.tree.body]) if kernels else set()
        for kernel in kernels:
            self.in_kernels |= dict(beyond_triton(kernel, known))

    def unneeded(self) -> Iterator[str]:
        kinds = (ast.stmt, ast.expr, ast.pattern, ast.excepthandler)
        nodes = [node for node in self.nodes if isinstance(node, kinds)]
        for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset)):
            for said in self._of(node):
                yield f"{said} in line {node.lineno}"

    def _of(self, node: ast.AST) -> Iterator[str]:
        if node in self.in_kernels:
            yield self.in_kernels[node]
        elif isinstance(node, ast.Import | ast.ImportFrom) and isinstance(self.scopes.within[node], ast.ClassDef):
            yield "an import within a class"
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
        elif isinstance(node, ast.ClassDef):
            if node.keywords or any(isinstance(base, ast.Name) and base.id == "type" for base in node.bases):
                yield f"{node.name}, a class of classes,"
        elif isinstance(node, ast.MatchClass):
            names = (n for n in node.kwd_attrs if n in NEVER | FORMATS or n.startswith("__") or not self._is_known(n))
            yield from names
        elif isinstance(node, ast.Constant):
            if isinstance(node.value, str) and HIDDEN_ATTRIBUTE.search(node.value):
                yield "an attribute within a string"
        elif isinstance(node, ast.AsyncFunctionDef):
            yield "asynchronous code"
        if not isinstance(node, ast.Name | ast.arg):
            yield from (name for name in bound_by(node) if name.startswith("__") and name not in METHODS)

    def _imported(self, node: ast.ImportFrom) -> Iterator[str]:
        module = node.module or ""
        if node.level or not _may_be_imported(module):
            yield module or "a relative import"
        elif module.split(".")[0] == "kernels":
            yield from (f"{module}.{a.name}" for a in node.names if not _is_of_the_course(module, a.name))
        else:
            for alias in node.names:
                renamed = f"{module}.{alias.name}" in UNNAMED and alias.asname
                if renamed or (alias.name not in MODULES[module] and f"{module}.{alias.name}" not in MODULES):
                    yield f"{module}.{alias.name}"

    def _named(self, node: ast.Name) -> Iterator[str]:
        if node.id in BY_NAME and self._is_pythons(node) and not _is_called(node, self.above.get(node)):
            yield f"{node.id}, handed on,"
        elif node.id == "type" and self._is_pythons(node) and not self._is_asked_about(node):
            yield "type, handed on,"
        elif (node.id in self.classes and not is_stored(node) and not self._is_asked_about(node)) or (
            node.id in self.tensors and self._is_handed_on(node)
        ):
            yield f"{node.id}, a class, handed on,"
        elif node.id in INJECTED or (node.id.startswith("__") and node.id not in BUILTINS | METHODS):
            yield node.id
        elif is_stored(node):
            if node.id in self.modules and not self._is_alias(node):
                yield f"{node.id}, a module that is changed to something else,"
        elif node.id in self.modules:
            above = self.above.get(node)
            if not isinstance(above, ast.Attribute) and not self._gets_a_name(node):
                yield f"the module {node.id}, handed on,"
        elif node.id in ("jit", "wraps") and node.id in self.theirs and not self._decorates(node):
            yield f"{node.id}, not as a decorator,"
        elif node.id not in BUILTINS and self._is_pythons(node):
            yield node.id

    def _is_pythons(self, node: ast.Name) -> bool:
        """Whether a name may stand for what Python itself calls so."""
        return hasattr(builtins, node.id) and node.id not in self.before and not self.scopes.is_own(node)

    def _is_known(self, attribute: str, holder: ast.AST | None = None) -> bool:
        """Whether answers need an attribute, or it is one of their own; of the holder's, if others have it too."""
        if attribute in OF_VALUES:
            return True
        is_free = attribute in of_the_course() or attribute not in of_others()
        return attribute in self.own and (is_free or (holder is not None and self.objects.is_own(holder)))

    def _is_asked_about(self, node: ast.AST) -> bool:
        """Whether a class of a value is made objects of, compared, named or given a name, and nothing else."""
        above = self.above.get(node)
        if isinstance(above, ast.Call):
            called = above.func
            asks = isinstance(called, ast.Name) and called.id in SAYING and self._is_pythons(called)
            fills = isinstance(called, ast.Attribute) and called.attr in FORMATS
            return called is node or asks or fills
        if isinstance(above, ast.Assign):
            return asks_for_a_class(node) and bool(names_targets(above))
        if isinstance(above, ast.NamedExpr):
            return asks_for_a_class(node)
        if isinstance(above, ast.Tuple):
            return self._is_asked_about(above)
        if isinstance(above, ast.BinOp):  # "%s" % type(x)
            return isinstance(above.left, ast.Constant)
        if isinstance(above, ast.FunctionDef | ast.AnnAssign):
            return node is (above.returns if isinstance(above, ast.FunctionDef) else above.annotation)
        return isinstance(above, ast.Attribute | ast.Compare | ast.FormattedValue | ast.Subscript | ast.arg | ast.Expr)

    def _gets_a_name(self, node: ast.AST) -> bool:
        """Whether a module is assigned to names alone, which are then known to be it."""
        above = self.above.get(node)
        inside_a_class = isinstance(self.scopes.within[node], ast.ClassDef)  # where it becomes an attribute
        gets_one = isinstance(above, ast.Assign) and above.value is node and bool(names_targets(above))
        return gets_one and not inside_a_class

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
            elif is_stored(node):
                yield f"{text}, changed,"
            elif f"{module}.{node.attr}" in UNNAMED and not self._decorates(node):
                yield f"{text}, not as a decorator,"
            elif f"{module}.{node.attr}" in STREAMS and not self._is_written_to(node):
                yield f"{text}, handed on,"
            elif self.module(node) and not (isinstance(self.above.get(node), ast.Attribute) or self._gets_a_name(node)):
                yield f"the module {text}, handed on,"
            elif f"{module}.{node.attr}" in CLASSES and self._is_handed_on(node):
                yield f"{text}, handed on,"
        elif is_stored(node):
            if self._changes(node.value, node.attr):
                yield f"{text}, changed,"
        elif node.attr.startswith("__"):
            if node.attr not in DUNDERS or (node.attr == "__class__" and not self._is_asked_about(node)):
                yield text
        elif node.attr in FORMATS:
            if not _is_plain_text(node.value):
                yield f"{text} of a text that is made while running,"
        elif not self._is_known(node.attr, node.value):
            yield text

    def _changes(self, holder: ast.AST, attribute: str) -> bool:
        """Whether what gets an attribute may be another's, or more than an object."""
        root = root_of(holder)
        of_a_class = asks_for_a_class(root) or "__class__" in _chain(holder) or last_name(root) in self.classes
        of_a_value = attribute in OF_VALUES and not isinstance(root, ast.Name)
        dunder = attribute.startswith("__") and attribute.endswith("__")
        return (
            dunder or of_a_class or of_a_value or self._is_not_to_change(root) or not self._is_known(attribute, holder)
        )

    def _is_written_to(self, node: ast.Attribute) -> bool:
        """Whether a stream is what something is printed to."""
        above = self.above.get(node)
        to = isinstance(above, ast.keyword) and above.arg == "file"
        return to or (isinstance(above, ast.Attribute) and above.attr in ("write", "flush"))

    def _is_theirs(self, root: ast.AST) -> bool:
        return isinstance(root, ast.Name) and (root.id in self.theirs or root.id in self.modules)

    def _is_not_to_change(self, root: ast.AST) -> bool:
        """Whether it is a library's, or on ranks may be: what libraries have made is the same for all of them."""
        return self._is_theirs(root) or (self.on_ranks and not self.objects.is_own(root))

    def _is_handed_on(self, node: ast.AST) -> bool:
        """Whether a library's class is a value here, and not in an annotation, the base of a class or asked about."""
        inner: ast.AST = node
        above = self.above.get(inner)
        while isinstance(above, ast.Tuple | ast.List | ast.BinOp | ast.Subscript):
            if isinstance(above, ast.Subscript) and above.slice is inner and not is_stored(above):
                return not self._is_of_no_text(above.value)  # Callable[[Tensor], Tensor]
            inner, above = above, self.above.get(above)
        if isinstance(above, ast.Assign):  # Tensor = torch.Tensor
            kept = inner is node or (isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.BitOr))  # Tensor | None
            return not (kept and names_targets(above))
        if isinstance(above, ast.Call):
            asks = isinstance(above.func, ast.Name) and above.func.id in ASKING
            return not (asks or above.func is inner)
        return isinstance(inner, ast.List) or isinstance(
            above, ast.keyword | ast.Return | ast.List | ast.Dict | ast.Yield
        )

    def _is_of_no_text(self, node: ast.AST) -> bool:
        """Whether it is a library's, or Python's."""
        root = root_of(node)
        return self._is_theirs(root) or (isinstance(root, ast.Name) and self._is_pythons(root))

    def _sets_the_environment(self, node: ast.Attribute) -> bool:
        """Whether this is part of os.environ["TRITON_INTERPRET"] = "1", or the like, at the code's own level."""
        statement: ast.AST = node
        while statement in self.above and self.above[statement] is not self.tree:
            statement = self.above[statement]
        if statement not in self.harmless:
            words = {str(n.value) for n in ast.walk(statement) if isinstance(n, ast.Constant)}
            allowed = words <= ENVIRONMENT or words <= {"TRITON_INTERPRET", "1"}
            self.harmless[statement] = isinstance(statement, ast.Assign | ast.Expr) and allowed
        return node.attr == "environ" and self.harmless[statement]

    def _may_be_asked_for(self, name: str, holder: ast.AST) -> bool:
        return name in DUNDERS - {"__class__"} or self._is_known(name, holder)

    def _called(self, node: ast.Call) -> Iterator[str]:
        called = node.func.id if isinstance(node.func, ast.Name) and self._is_pythons(node.func) else ""
        if called in BY_NAME:
            name = node.args[1] if len(node.args) > 1 else None
            if not (isinstance(name, ast.Constant) and isinstance(name.value, str)):
                yield f"{called} with a name that is made while running,"
            elif name.value in NEVER | FORMATS or (name.value.startswith("__") and name.value not in DUNDERS):
                yield f"{called} of {name.value}"
            elif called != "hasattr" and self.module(node.args[0]):
                yield f"{called} of the module {_text(node.args[0])}"
            elif called == "setattr" and (self._changes(node.args[0], name.value) or name.value in OF_VALUES):
                yield f"{called} of {_text(node.args[0])}"
            elif called != "hasattr" and not self._may_be_asked_for(name.value, node.args[0]):
                yield f"{called} of {name.value}"
        elif called == "type" and len(node.args) != 1:
            yield "type with several arguments"
        elif called == "type" and not self._is_asked_about(node):
            yield f"{_text(node)}, handed on,"
        elif last_name(node.func) == "wraps" and len(node.args) + len(node.keywords) != 1:
            yield "wraps of chosen attributes"


@cache
def _defined(path: Path) -> frozenset[str]:
    """The functions, classes and constants of a module."""
    found: set[str] = set()
    for node in ast.parse(path.read_text()).body if path.is_file() else ():
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            found |= set(names_stored(node))
    return frozenset(found)


def _is_of_the_course(module: str, name: str) -> bool:
    """Whether a module of kernels/ defines the name, or is it."""
    path = KERNELS.joinpath(*module.split(".")[1:])
    return (path / f"{name}.py").is_file() or name in _defined(path.with_suffix(".py"))


def _is_plain_text(node: ast.AST) -> bool:
    """Whether it is a text, in quotes and whole, that names no attribute of what it is filled with."""
    if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        return False
    waiting = [node.value]
    while waiting:
        try:
            for _, name, form, _ in string.Formatter().parse(waiting.pop()):
                waiting += [form] if form else []
                if "." in (name or ""):
                    return False
        except ValueError:
            return False
    return True


def _chain(node: ast.AST) -> Iterator[str]:
    """The attributes in a chain of attributes and indices."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Attribute):
            yield node.attr
        node = node.value


def _may_be_imported(module: str) -> bool:
    return module in MODULES or module.split(".")[0] == "kernels" or module == "os"


def _is_called(node: ast.AST, above: ast.AST | None) -> bool:
    return isinstance(above, ast.Call) and above.func is node


def _text(node: ast.AST) -> str:
    text = ast.unparse(node)
    return text if len(text) <= 60 else "..." + text[-57:]
