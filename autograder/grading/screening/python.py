"""Does an answer in Python use more than answers need?

The text is read, not run: names are followed as far as they can be told from it, and what cannot be told, such as an
attribute whose name is made while running, is more than answers need.
"""

from __future__ import annotations

import ast
import builtins
import re
import string
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ...judging.limits.spelled import Spelled
from ...spec.catalogue import exercises
from ...spec.code.leading import leading_to, only_wraps
from ...spec.code.names import bound_by, names_in
from ...spec.folders import KERNELS
from .allowed import (
    BASES,
    BUILTINS,
    CONTAINERS,
    DUNDERS,
    ENUMERATIONS,
    GET_LOGGER,
    INTERFACE,
    METHODS,
    MODULES,
    NAMED_BY_FILES,
    NEVER,
    OF_CONTAINERS,
    OF_VALUES,
)
from .beginning import counted, in_annotations, kept_from_calls, running, taken_beforehand
from .libraries import TENSOR, words
from .names import (
    COMPOSED,
    Names,
    asks_for_a_class,
    fields_of_the_course,
    is_stored,
    methods_of_the_course,
    names_of,
    names_stored,
    names_targets,
    of_the_course,
    root_of,
    texts,
)
from .objects import ASKING, Objects
from .scopes import COMPREHENSIONS, Scopes, arguments_of
from .theirs import of_others
from .triton import beyond_triton, is_kernel, known_to_kernels

BY_NAME = {"getattr", "hasattr"}  # functions that are told an attribute's name
# By Triton's interpreter into a kernel's globals, and by notebooks into theirs.
INJECTED = {"interpreter_builder", "interpreter_semantic", "get_ipython"}
ASKED = BY_NAME | {"type", "super"}  # what is called where it is named
HIDDEN_ATTRIBUTE = re.compile(r"\{[^{}\s]*\.[^\W\d]|\{[^{}]*\._")  # of a string that is to be formatted
JIT, ALLOCATOR, WRAPS = "triton.jit", "triton.set_allocator", "functools.wraps"
DECORATORS = words(
    f"{JIT} dataclasses.dataclass functools.cached_property functools.total_ordering enum.unique typing.overload"
)
# Whose memory of what has been copied holds what answers do not need.
COPIES = words("copy.copy copy.deepcopy dataclasses.asdict dataclasses.astuple")
CATCHES = "warnings.catch_warnings"
SILENCERS = words("warnings.filterwarnings warnings.simplefilter")
CONFIGURES = "logging.basicConfig"
NAMED_TUPLES, NAMESPACES = "collections.namedtuple", "types.SimpleNamespace"
OF_A_PROPERTY = {"setter", "deleter"}  # which decorate what is one with it
SAYING = {"str", "repr", "print"}
COMPLAINTS = {"TypeError", "ValueError"}  # errors that keep what they are given in `args` alone
OF_PARAMETERS = {"args", "kwargs"}
PARTS_OF_A_TYPE = "typing.get_args"
TABLES, FIELDS = "collections.defaultdict", "dataclasses.field"  # make objects of a class, and let it out to nobody
ALIASED = (ast.Name, ast.Attribute, ast.Subscript, ast.BinOp)  # what stands for a type, and is no array of them
BEYOND = (ast.AsyncFunctionDef, ast.Global)  # statements that no answer needs
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
    watched: Iterable[str] = (),
) -> str | None:
    """The first thing in the code that answers do not need, and its line; None if there is none.

    name: of the exercise, to whose answer only that belongs which it uses. known: what is run before it. others: names
    that the code of other answers, which runs beside it, uses. on_ranks: whether ranks run it, which share a process
    and so all that libraries have made. compiles: whether Triton's compiler takes its kernels; where it refuses one it
    has said what is wrong. watched: the functions and classes whose calls are counted, once the file has been run.
    """
    try:
        others = {*others}
        tree = leading_to(name, source, others | names_in(known)) if name else ast.parse(source)
        names = names_of(known)
        before = ast.parse(known).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None  # the judge reports it in its own words
    try:
        how: dict[str, Any] = {"on_ranks": on_ranks, "compiles": compiles, "watched": {*watched}}
        reader = _Reader(**names.copied(), tree=Spelled().visit(tree), others=others, beforehand=before, **how)
        return next(reader.unneeded(), None)
    except RecursionError:
        return "code that is nested too deeply to be read"


def suspects(
    source: str,
    known: str = "",
    others: Iterable[str] = (),
    watched: Iterable[str] = (),
    refused: Callable[[ast.AST], bool] = lambda node: False,
) -> set[int]:
    """Which of the statements at the file's own level hold something that answers do not need, by their places in it.

    known, others: as for `reaches_for`. watched: what must not be named when the file is run. refused: what no answer
    in it may name. None where the text does not parse.
    """
    try:
        tree, names, before = ast.parse(source), names_of(known), ast.parse(known).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    how: dict[str, Any] = {"beforehand": before, "on_ranks": False, "compiles": False, "watched": set()}
    reader = _Reader(**names.copied(), tree=Spelled().visit(tree), others={*others}, **how)
    nodes = [[*ast.walk(statement)] for statement in reader.tree.body]
    found = {i for i, parts in enumerate(nodes) if any(reader.holds_unneeded(part) for part in parts)}
    counting, _ = counted(watched)
    early = running(reader.tree, lambda node: isinstance(node, ast.Name) and node.id in counting)
    return found | early | running(reader.tree, refused)


@dataclass(kw_only=True)
class _Reader(Names):
    tree: ast.Module
    others: set[str]  # names that other answers use
    beforehand: list[ast.stmt]
    on_ranks: bool
    compiles: bool
    watched: set[str]
    nodes: list[ast.AST] = field(default_factory=list)
    above: dict[ast.AST, ast.AST] = field(default_factory=dict)
    harmless: dict[ast.AST, bool] = field(default_factory=dict)  # statements that name the environment
    said: dict[ast.AST, str] = field(default_factory=dict)  # of what is not for Triton, or taken beforehand

    def __post_init__(self) -> None:
        self.nodes = [self.tree]
        for node in self.nodes:  # which grows by those below it
            self.learn(node)
            for child in ast.iter_child_nodes(node):
                self.above[child] = node
                self.nodes.append(child)
        self.scopes = Scopes(self.tree)
        self.objects = Objects(self.nodes, self.above, self.scopes, self.others)
        self.bound = Counter(name for node in self.nodes for name in bound_by(node) if not self._gives_a_class(node))
        self.annotating = in_annotations(self.nodes)
        self.aliases: set[str] = set()  # names of this text that stand for types alone: Pair = tuple[float, float]
        given = [node for node in self.nodes if isinstance(node, ast.Assign | ast.AnnAssign)]
        for statement in sorted(given, key=lambda node: node.lineno):
            if isinstance(statement.value, ALIASED) and self._is_type(statement.value):
                self.aliases |= {n for n in names_stored(statement) if self.bound[n] == 1 and n not in self.others}
        parts = (*self.nodes, *(part for statement in self.beforehand for part in ast.walk(statement)))
        classes = [part for part in parts if isinstance(part, ast.ClassDef)]
        self.containers = {kind.name for kind in classes if self._container(kind.bases)}
        self.counted, _ = counted(self.watched)
        self.said |= kept_from_calls(self.nodes, self.above, self.annotating, self.watched)
        self.said |= taken_beforehand(self.tree, self.nodes, self.annotating, self.watched)
        kernels = [node for node in self.nodes if isinstance(node, ast.FunctionDef) and is_kernel(node)]
        kernels *= self.compiles
        known = known_to_kernels([*self.beforehand, *self.tree.body]) if kernels else set()
        for kernel in kernels:
            self.said |= dict(beyond_triton(kernel, known))

    def _gives_a_class(self, node: ast.AST) -> bool:
        """Whether a name is bound by an import, or to what is known to be a library's."""
        above = self.above.get(node)
        known = isinstance(above, ast.Assign) and (self.meant(above.value) or self.is_composed(above.value))
        return isinstance(node, ast.Import | ast.ImportFrom) or bool(known)

    def unneeded(self) -> Iterator[str]:
        kinds = (ast.stmt, ast.expr, ast.pattern, ast.excepthandler)
        nodes = [node for node in self.nodes if isinstance(node, kinds)]
        for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset)):
            for said in self._of(node):
                yield f"{said} in line {node.lineno}"

    def holds_unneeded(self, node: ast.AST) -> bool:
        return next(self._of(node), None) is not None

    def _of(self, node: ast.AST) -> Iterator[str]:
        within_a_class = isinstance(self.scopes.within.get(node), ast.ClassDef)
        if node in self.said:
            yield self.said[node]
        elif isinstance(node, ast.Import | ast.ImportFrom) and within_a_class:
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
            yield from self._class(node)
        elif isinstance(node, ast.MatchClass):
            names = (n for n in node.kwd_attrs if n in NEVER | FORMATS or n.startswith("__") or not self._is_known(n))
            yield from names
        elif isinstance(node, ast.Constant):
            if isinstance(node.value, str) and HIDDEN_ATTRIBUTE.search(node.value):
                yield "an attribute within a string"
        elif isinstance(node, BEYOND) or type(node).__name__ == "TypeAlias":
            yield f"{_text(node)},"
        for decorator in getattr(node, "decorator_list", ()):
            if not (self._is_for_functions(decorator) or self._is_own_decorator(decorator)):
                yield f"the decorator {_text(decorator)},"
        if getattr(node, "type_params", ()):
            yield "a parameter for types"
        if node in self.annotating and isinstance(node, (*COMPREHENSIONS, ast.Call, ast.NamedExpr, ast.Lambda)):
            yield f"{_text(node)}, an annotation,"
        bound = [*bound_by(node)]
        if not isinstance(node, ast.Name | ast.arg):
            yield from (name for name in bound if name.startswith("__") and name not in METHODS)
        yield from (f"{name}, defined by a class," for name in bound if within_a_class and name in INTERFACE)

    def _class(self, node: ast.ClassDef) -> Iterator[str]:
        if self._is_plain_container(node):
            return
        if node.keywords or not all(map(self._is_built_on, node.bases)):
            yield f"{node.name}, a class that is built on others than answers' are,"
        elif any(self.meant(base) & ENUMERATIONS for base in node.bases) and not _is_enumeration(node):
            yield f"{node.name}, an enumeration of more than constants,"

    def _container(self, bases: list[ast.expr]) -> type | None:
        """The container that stands alone among the bases of a class, None if none does."""
        base = bases[0] if len(bases) == 1 else None
        meant = self.meant(base) if base else frozenset[str]()
        if isinstance(base, ast.Name) and not meant and base.id not in {*self.bound, *self.before}:
            meant = frozenset({base.id})
        return CONTAINERS.get(next(iter(meant))) if len(meant) == 1 else None

    def _is_plain_container(self, node: ast.ClassDef) -> bool:
        """Whether a class adds methods to a container, and takes away none: who looks into it sees what is in there.

        It stands on that alone, and no class on it.
        """
        kind = self._container(node.bases)
        if not kind or node.keywords or node.decorator_list:
            return False
        names = {name for part in self.nodes if self.scopes.within.get(part) is node for name in bound_by(part)}
        names |= {part.attr for part in self.nodes if isinstance(part, ast.Attribute) and is_stored(part)}
        return not any(name.startswith("__") or hasattr(kind, name) for name in names - OF_CONTAINERS)

    def _is_built_on(self, base: ast.AST) -> bool:
        """Whether it is a class of an answer's, of the course's or an exception, or one of BASES."""
        if isinstance(base, ast.Subscript):  # Generic[T]
            base = base.value
        if meant := self.meant(base):
            return all(thing in BASES or thing.startswith("kernels.") for thing in meant)
        if isinstance(base, ast.Call):
            return NAMED_TUPLES in self.meant(base.func)
        if not isinstance(base, ast.Name):
            return isinstance(base, ast.Attribute) and self.module(base.value).startswith("kernels")
        if self._is_pythons(base):
            kind = getattr(builtins, base.id)
            return kind is object or (isinstance(kind, type) and issubclass(kind, Exception))
        if base.id in self.containers:
            return False
        return base.id in self.objects.defined or base.id in self.before or base.id in exercises()

    def _is_for_functions(self, decorator: ast.expr) -> bool:
        """Whether a decorator is a library's or Python's, or of a property above."""
        of_a_property = isinstance(decorator, ast.Attribute) and decorator.attr in OF_A_PROPERTY
        return of_a_property or only_wraps(decorator, self.objects.renamed)

    def _is_own_decorator(self, decorator: ast.expr) -> bool:
        """Whether it is a function of this text that gets functions of this text alone, and none whose calls count."""
        name = decorator.func if isinstance(decorator, ast.Call) else decorator
        node = self.above[decorator]
        plain = isinstance(node, ast.FunctionDef) and not is_kernel(node) and node.name not in self.counted
        outside = not isinstance(self.scopes.within[node], ast.ClassDef)
        return plain and outside and isinstance(name, ast.Name) and self._only_decorates(name.id)

    def _only_decorates(self, name: str) -> bool:
        """Whether a function of this text is called nowhere but as a decorator."""
        here = any(isinstance(statement, ast.FunctionDef) and statement.name == name for statement in self.tree.body)
        named = (node for node in self.nodes if isinstance(node, ast.Name) and node.id == name)
        return here and self.bound[name] == 1 and name not in self.others and all(map(self._decorates, named))

    def _wraps_plainly(self, call: ast.Call) -> bool:
        """Whether a function is made to look like another, which a decorator of this text is given."""
        outer = [node for node in self._around(call) if isinstance(node, ast.FunctionDef)]
        given = {name for node in outer[1:] for name in arguments_of(node)}
        one = _has_one_argument(call) and isinstance(call.args[0], ast.Name) and call.args[0].id in given
        return one and self.above[outer[-1]] is self.tree and self._only_decorates(outer[-1].name)

    def _around(self, node: ast.AST) -> Iterator[ast.AST]:
        while node in self.above:
            node = self.above[node]
            yield node

    def _imported(self, node: ast.ImportFrom) -> Iterator[str]:
        module = node.module or ""
        if node.level or not _may_be_imported(module):
            yield module or "a relative import"
        elif module.split(".")[0] == "kernels":
            yield from (f"{module}.{a.name}" for a in node.names if not _is_of_the_course(module, a.name))
        else:
            for alias in node.names:
                renamed = f"{module}.{alias.name}" == JIT and alias.asname
                if renamed or (alias.name not in MODULES.get(module, ()) and f"{module}.{alias.name}" not in MODULES):
                    yield f"{module}.{alias.name}"

    def _named(self, node: ast.Name) -> Iterator[str]:
        if node.id in ASKED and self._is_pythons(node) and not self._asks(node):
            yield f"{node.id}, handed on,"
        elif said := self._of_a_library(node):
            yield said
        elif node.id in INJECTED or (node.id.startswith("__") and not self._may_be_named(node)):
            yield node.id
        elif is_stored(node):
            if node.id in self.modules and not self._is_alias(node):
                yield f"{node.id}, a module that is changed to something else,"
        elif node.id in self.modules:
            above = self.above.get(node)
            if not isinstance(above, ast.Attribute) and not self._gets_a_name(node):
                yield f"the module {node.id}, handed on,"
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

    def _asks(self, node: ast.Name) -> bool:
        """Whether `type` is asked about one value, or stands in an annotation, and `super` is asked for no other."""
        above = self.above.get(node)
        if isinstance(above, ast.Call) and above.func is node:
            wanted = {"type": 1, "super": 0}.get(node.id, len(above.args))
            return not above.keywords and len(above.args) == wanted
        return node.id == "type" and node in self.annotating

    def _may_be_named(self, node: ast.Name) -> bool:
        """Whether a name of Python's own kind is read, or is given another of them: __radd__ = __add__."""
        if not is_stored(node):
            return node.id in BUILTINS | METHODS
        above = self.above.get(node)
        value = above.value if isinstance(above, ast.Assign) and node in above.targets else None
        again = isinstance(value, ast.Name) and value.id in METHODS
        return node.id in NAMED_BY_FILES or (node.id in METHODS and again)

    def _of_a_library(self, node: ast.Name | ast.Attribute) -> str:
        """What is wrong with the place in which something of a library's stands; "" if nothing is."""
        meant, above = self.meant(node), self.above.get(node)
        if not meant or is_stored(node):
            return ""
        call = above if isinstance(above, ast.Call) and above.func is node else None
        if meant & DECORATORS and not self._decorates(node):
            return f"{_text(node)}, not as a decorator,"
        if WRAPS in meant and not (call and self._decorates(node) and self._wraps_plainly(call)):
            return f"{_text(node)}, not of what a decorator is given,"
        if NAMED_TUPLES in meant and not (call and _names_fields(call)):
            return f"{_text(node)} of names that are made while running,"
        if NAMESPACES in meant and not (_names_attributes(call) if call else self._is_compared_with(node)):
            return f"{_text(node)} of names that do not stand in the code,"
        if meant & COPIES and not (call and _has_one_argument(call)):
            return f"{_text(node)} of more than one argument, or handed on,"
        if meant & SILENCERS and not (call and _ignores(call)):
            return f"{_text(node)} that does more than ignore, or is handed on,"
        if CATCHES in meant and (call is None or call.args or call.keywords):
            return f"{_text(node)} that records, or is handed on,"
        if GET_LOGGER in meant and not (call and _is_plainly_named(call) and self._logs(call)):
            return f"{_text(node)} with a name that is made while running, or handed on,"
        if CONFIGURES in meant and not (call and self._is_plainly_configured(call)):
            return f"{_text(node)} that does more than choose a level and a format, or is handed on,"
        if self.is_class(node) and ((call and meant & BASES) or not self._stands_as_a_class(node)):
            return f"{_text(node)}, a class, handed on,"
        return ""

    def _is_compared_with(self, node: ast.AST) -> bool:
        """Whether a class stands in an annotation, or something is asked whether it is of that class."""
        match self.above.get(node):
            case ast.Call(func=ast.Name() as func, args=[_, kind]) if kind is node and func.id in ASKING:
                return self._is_pythons(func)
        return node in self.annotating

    def _logs(self, logger: ast.Call) -> bool:
        """Whether a logger gets a name, or is told something, where it is made."""
        return isinstance(self.above.get(logger), ast.Attribute) or self._gets_a_name(logger)

    def _is_plainly_configured(self, call: ast.Call) -> bool:
        plain = (isinstance(k.value, ast.Constant) or self._is_of(k.value, "logging") for k in call.keywords)
        return not call.args and {k.arg for k in call.keywords} <= {"level", "format"} and all(plain)

    def _is_of(self, node: ast.AST, module: str) -> bool:
        return any(thing.rpartition(".")[0] == module for thing in self.meant(node))

    def _stands_as_a_class(self, node: ast.expr) -> bool:
        """Whether a library's class is made objects of, asked for a method, compared with, built on, or part of a type.

        Who gets hold of it otherwise might change it: it is the same for all code.
        """
        top: ast.AST = node
        above = self.above.get(top)
        while isinstance(above, ast.Tuple | ast.List | ast.BinOp | ast.Subscript):
            top, above = above, self.above.get(above)
        if not self._is_type(top):
            return False
        if isinstance(above, ast.Call):
            name = above.func.id if isinstance(above.func, ast.Name) and self._is_pythons(above.func) else ""
            kept = name == "map" or self.meant(above.func) in ({TABLES}, {PARTS_OF_A_TYPE})
            return above.func is node or (name in ASKING and top in above.args[1:]) or (kept and above.args[0] is top)
        if isinstance(above, ast.Attribute):
            return top is node
        if isinstance(above, ast.Compare):
            return self._compares(above)
        if isinstance(above, ast.Assign):  # Tensor = torch.Tensor
            return bool(names_targets(above)) and self.scopes.within[above] is self.tree
        if isinstance(above, ast.keyword):
            call = self.above[above]
            return above.arg == "default_factory" and isinstance(call, ast.Call) and self.meant(call.func) == {FIELDS}
        of_a_statement = ast.ClassDef | ast.ExceptHandler | ast.Raise | ast.MatchClass | ast.Expr
        return node in self.annotating or isinstance(above, of_a_statement) or self._decorates(node)

    def _is_type(self, node: ast.AST) -> bool:
        """Whether an expression is made of classes and of nothing that might get hold of them: tuple[Tensor, int]."""
        if isinstance(node, ast.Name):
            times = self.bound[node.id]  # by what is no import, and no other name of a class
            if node.id in self.aliases:
                return True
            if node.id in self.objects.defined or self._is_pythons_class(node):
                return times == (node.id in self.objects.defined)
            return not times and (bool(self.meant(node)) or node.id in self.before or node.id in exercises())
        if isinstance(node, ast.Subscript):
            return self._is_type(node.value) and self._is_type(node.slice)
        if isinstance(node, ast.Tuple | ast.List):
            return all(map(self._is_type, node.elts))
        if isinstance(node, ast.BinOp):
            return isinstance(node.op, ast.BitOr) and self._is_type(node.left) and self._is_type(node.right)
        return isinstance(node, ast.Constant) or bool(self.meant(node))

    def _is_pythons_class(self, node: ast.Name) -> bool:
        return self._is_pythons(node) and isinstance(getattr(builtins, node.id), type)

    def _compares(self, node: ast.Compare) -> bool:
        """Whether classes are compared with classes alone, none of which has a say in it."""
        return all(asks_for_a_class(side) or self._is_type(side) for side in (node.left, *node.comparators))

    def _is_asked_about(self, node: ast.Call) -> bool:
        """Whether type(x) is compared, named or written, or makes another of one's own."""
        above = self.above.get(node)
        if self._is_complaint(node):
            return True
        if isinstance(above, ast.Call):
            of_itself = isinstance(node.args[0], ast.Name) and self.objects.is_first(node.args[0])
            says = isinstance(above.func, ast.Name) and above.func.id in SAYING and self._is_pythons(above.func)
            return of_itself if above.func is node else says
        if isinstance(above, ast.Attribute):
            return above.attr == "__name__"
        return isinstance(above, ast.FormattedValue) or (isinstance(above, ast.Compare) and self._compares(above))

    def _is_complaint(self, node: ast.AST) -> bool:
        """Whether it goes into an error's message, alone or in a tuple, where no code here is handed an error."""
        above = self.above.get(node)
        handlers = (n for n in self.above if isinstance(n, ast.ExceptHandler | ast.FunctionDef))
        if any(n.name if isinstance(n, ast.ExceptHandler) else n.name == "__exit__" for n in handlers):
            return False
        if isinstance(above, ast.Tuple):
            node, above = above, self.above.get(above)
        if isinstance(above, ast.Assert):
            return node is above.msg
        if not (isinstance(above, ast.Call) and node in above.args and isinstance(above.func, ast.Name)):
            return False
        raised = self.above.get(above)
        is_pythons = above.func.id in COMPLAINTS and self._is_pythons(above.func)
        return is_pythons and isinstance(raised, ast.Raise) and above is raised.exc

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
        return isinstance(above, ast.Expr) or (
            isinstance(above, ast.FunctionDef | ast.ClassDef) and node in above.decorator_list
        )

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
            elif said := self._of_a_library(node):
                yield said
            elif f"{module}.{node.attr}" in STREAMS and not self._is_written_to(node):
                yield f"{text}, handed on,"
            elif self.module(node) and not (isinstance(self.above.get(node), ast.Attribute) or self._gets_a_name(node)):
                yield f"the module {text}, handed on,"
        elif is_stored(node):
            if self._changes(node.value, node.attr):
                yield f"{text}, changed,"
        elif node.attr.startswith("__"):
            if node.attr not in DUNDERS and not (node.attr == "__class__" and self._is_named(node)):
                yield text
        elif node.attr in FORMATS:
            if not _is_plain_text(node.value):
                yield f"{text} of a text that is made while running,"
        elif any(
            fits(node) for fits in (self._guards_the_allocator, self._asks_for_a_flag, self._locks, self._annotates)
        ):
            return
        elif not self._is_known(node.attr, node.value) or _tells_the_device(node):
            yield text

    def _guards_the_allocator(self, node: ast.Attribute) -> bool:
        """Whether Triton's allocator is set if a tensor is on a GPU, and nothing else hangs on that: if x.is_cuda."""
        test: ast.AST = node
        match above := self.above[node]:
            case ast.Compare(ops=[ast.Eq()], comparators=[ast.Constant("cuda")]):
                test, above = above, self.above[above]
        match above:
            case ast.If(body=[ast.Expr(ast.Call(func=setter, args=[ast.Name()], keywords=[]))], orelse=[]):
                return above.test is test and self.meant(setter) == {ALLOCATOR}
        return False

    def _asks_for_a_flag(self, node: ast.Attribute) -> bool:
        """Whether an array is asked how it lies in memory: x.flags["C_CONTIGUOUS"]."""
        above = self.above.get(node)
        is_one = isinstance(above, ast.Attribute | ast.Subscript) and above.value is node and not is_stored(above)
        return node.attr == "flags" and is_one

    def _annotates(self, node: ast.Attribute) -> bool:
        """Whether it is a part of a ParamSpec, in an annotation: *args: P.args."""
        return node.attr in OF_PARAMETERS and node in self.annotating and self.meant(node.value) == {COMPOSED}

    def _locks(self, node: ast.Attribute) -> bool:
        """Whether an array is made to be read alone: x.setflags(write=False)."""
        match self.above.get(node):
            case ast.Call(func=func, args=[], keywords=[ast.keyword("write", ast.Constant(False))]) if func is node:
                return node.attr == "setflags"
        return False

    def _is_named(self, node: ast.Attribute) -> bool:
        """Whether a class is asked for its name: x.__class__.__name__."""
        above = self.above.get(node)
        return isinstance(above, ast.Attribute) and above.attr == "__name__" and not is_stored(above)

    def _changes(self, holder: ast.AST, attribute: str) -> bool:
        """Whether what gets an attribute may be another's, or more than an object of an answer's."""
        root = root_of(holder)
        if not isinstance(root, ast.Name) or self._is_not_to_change(root):
            return True
        if attribute in INTERFACE or attribute.startswith("__") or attribute in NEVER:
            return True
        if self.objects.is_own(holder) or attribute in fields_of_the_course():
            return False
        if attribute in OF_VALUES:
            return not self.objects.is_first(holder) and attribute not in self.objects.fields - TENSOR
        return attribute in self.objects.methods | of_others() | methods_of_the_course()

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

    def _called(self, node: ast.Call) -> Iterator[str]:
        called = node.func.id if isinstance(node.func, ast.Name) and self._is_pythons(node.func) else ""
        if called in BY_NAME:
            name = node.args[1] if len(node.args) > 1 else None
            if called == "getattr" or not (isinstance(name, ast.Constant) and isinstance(name.value, str)):
                yield f"{called} with a name that is made while running,"
            elif name.value in NEVER | FORMATS or (name.value.startswith("__") and name.value not in DUNDERS):
                yield f"{called} of {name.value}"
        elif called == "type" and len(node.args) == 1 and not self._is_asked_about(node):
            yield f"{_text(node)}, handed on,"


def _is_enumeration(node: ast.ClassDef) -> bool:
    """Whether a class of an Enum has members, and they are numbers or texts: so it makes no other class by a call."""
    members = [part for part in node.body if isinstance(part, ast.Assign)]
    plain = all(isinstance(m.value, ast.Constant | ast.UnaryOp | ast.Call | ast.Tuple) for m in members)
    named = [name for member in members for name in names_targets(member) or ["_"]]
    rest = all(isinstance(part, ast.Assign | ast.FunctionDef | ast.Expr) for part in node.body)
    return bool(members) and plain and rest and not any(name.startswith("_") for name in named)


def _tells_the_device(node: ast.Attribute) -> bool:
    """x.device.type: an answer that asks where it runs may do something else where nobody counts."""
    return node.attr == "type" and isinstance(node.value, ast.Attribute) and node.value.attr == "device"


def _has_one_argument(node: ast.Call) -> bool:
    return len(node.args) == 1 and not node.keywords and not isinstance(node.args[0], ast.Starred)


def _ignores(node: ast.Call) -> bool:
    """Whether a filter of warnings silences, so that nobody is told by it which warnings have come."""
    return bool(node.args) and isinstance(node.args[0], ast.Constant) and node.args[0].value == "ignore"


def _is_plainly_named(node: ast.Call) -> bool:
    """Whether a logger's name stands in the text, or is the module's: what is made while running would be kept."""
    plain = (isinstance(n, ast.Constant) or (isinstance(n, ast.Name) and n.id == "__name__") for n in node.args)
    return all(plain) and not node.keywords


def _names_fields(node: ast.Call) -> bool:
    """Whether a named tuple is made of names that stand in the code, and that are no tensor's."""
    plain = all(
        isinstance(n, ast.Constant | ast.List | ast.Tuple | ast.Load) for arg in node.args for n in ast.walk(arg)
    )
    fields = {word for text in texts(node) for word in text.replace(",", " ").split()}
    kept = not any(keyword.arg != "defaults" for keyword in node.keywords)
    return plain and kept and not fields & INTERFACE


def _names_attributes(node: ast.Call) -> bool:
    """Whether an object without a class of its own is given attributes by names in the code, that are no tensor's."""
    names = {keyword.arg or "__" for keyword in node.keywords}
    return not node.args and not names & INTERFACE and not any(name.startswith("__") for name in names)


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


def _may_be_imported(module: str) -> bool:
    return module in MODULES or module.split(".")[0] == "kernels" or module == "os"


def _text(node: ast.AST) -> str:
    text = ast.unparse(node).partition("\n")[0].removesuffix(":")
    return text if len(text) <= 60 else "..." + text[-57:]
