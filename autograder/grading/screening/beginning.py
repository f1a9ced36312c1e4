"""What is run when an answer's file is run, before anything is counted.

The spies that count calls stand in the place of functions and classes only while an answer is called. What takes one of
them before, `LOAD = Memory.load` at the file's own level, calls it unseen. So a file, when it is run, defines functions
and classes and computes constants, and names nothing whose calls are counted.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

from ...spec.code.names import bound_by
from .libraries import words
from .names import names_targets
from .scopes import FUNCTIONS

LOADS, OF_LISTS = words("load store"), words("append")
STAYING = (  # where it may stand without a call
    ast.ClassDef | ast.Attribute | ast.BoolOp | ast.IfExp | ast.Assign | ast.If | ast.UnaryOp
)
DEFINED = (ast.FunctionDef, ast.ClassDef)
FROM = {"partial": "functools", "deque": "collections"}  # where what is known by these names is imported from
TAKING_ALL = words("all any deque list max min set sorted sum tuple")  # who keep nothing that is still to be called


def in_annotations(nodes: Iterable[ast.AST]) -> set[ast.AST]:
    """All parts of annotations."""
    found: set[ast.AST] = set()
    for node in nodes:
        for part in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if isinstance(part, ast.AST):
                found |= {*ast.walk(part)}
    return found


def counted(watched: Iterable[str]) -> tuple[set[str], set[str]]:
    """The functions and classes, and the methods, that are meant by the names of what is counted."""
    parts = [name.partition(",")[0].partition(".") for name in watched]
    owners = {owner for owner, _, _ in parts}
    methods = {method for _, _, method in parts if method} | (LOADS if "Memory" in owners else frozenset())
    return owners, methods - OF_LISTS


def taken_beforehand(
    tree: ast.Module, nodes: Iterable[ast.AST], annotating: set[ast.AST], watched: set[str]
) -> dict[ast.AST, str]:
    """What the file names or changes too early when it is run, and what is said of it. watched: the counted names."""
    defined: defaultdict[str, list[ast.AST]] = defaultdict(list)
    names, _ = counted(watched)
    for node in nodes:
        if isinstance(node, DEFINED):
            defined[node.name].append(node)
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.asname for alias in node.names if alias.asname and alias.name in names}
    found: dict[ast.AST, str] = {
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


def running(tree: ast.Module, is_one: Callable[[ast.AST], bool]) -> set[int]:
    """Which statements at the file's own level, definitions apart, run or name such a node, or a function that does."""
    named: defaultdict[str, set[str]] = defaultdict(set)
    reaching = set[str]()
    for function in (node for node in ast.walk(tree) if isinstance(node, DEFINED)):
        parts = [*ast.walk(function)]
        named[function.name] |= {part.id for part in parts if isinstance(part, ast.Name)}
        reaching |= {function.name} if any(map(is_one, parts)) else set()
    while more := {name for name, others in named.items() if name not in reaching and others & reaching}:
        reaching |= more
    found = set[int]()
    for place, statement in enumerate(tree.body):
        parts = [] if isinstance(statement, DEFINED) else [*_run([statement])]
        if any(is_one(part) or (isinstance(part, ast.Name) and part.id in reaching) for part in parts):
            found.add(place)
    return found


def kept_from_calls(
    nodes: Iterable[ast.AST], above: Mapping[ast.AST, ast.AST], annotating: set[ast.AST], watched: set[str]
) -> dict[ast.AST, str]:
    """What is counted and handed on, to be called where it is not seen: the spies come and go with each call.

    It may get a name of its own, or some of its arguments beforehand, by partial(); so that name is followed as well.
    """
    names, methods = counted(watched)
    imports = (ast.Import, ast.ImportFrom)
    bound = {name for node in nodes if not isinstance(node, imports) for name in bound_by(node)}
    bound |= {name for node in nodes if isinstance(node, imports) for name in _brought(node)}
    given = [pair for node in nodes if isinstance(node, ast.Assign) for pair in _pairs(node)]
    kept = set[ast.AST]()
    while more := [(name, value) for name, value in given if value not in kept and _stands(value, names, methods)]:
        names |= {name for name, _ in more}
        kept |= {value for _, value in more}
    found: dict[ast.AST, str] = {}
    for node in nodes:
        if isinstance(node, ast.MatchClass) and methods.intersection(node.kwd_attrs):
            found[node] = f"a pattern with {', '.join(node.kwd_attrs)}, not called where it is named,"
        is_read = isinstance(getattr(node, "ctx", None), ast.Load)
        if node in annotating or not is_read or node in kept or _is_called(node, above, bound, kept):
            continue
        over = above.get(node)
        of_a_class = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in names
        taken = isinstance(node, ast.Attribute) and (node.attr in methods or of_a_class)
        stays = _asks_whether(over) or (isinstance(over, STAYING) and not _is_stored_away(over))
        if taken or (isinstance(node, ast.Name) and node.id in names and not stays):
            found[node] = f"{ast.unparse(node)}, not called where it is named,"
    return found


def _brought(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """The names that an import gives to other things than those that are known here by them."""
    for alias in node.names:
        known = isinstance(node, ast.Import) or FROM.get(alias.name) == node.module
        if alias.asname not in (None, alias.name) or not known:
            yield alias.asname or alias.name


def _pairs(node: ast.Assign) -> Iterator[tuple[str, ast.expr]]:
    """The names that a statement gives, each with the value that it gets: load, store = hbm.load, hbm.store. None if
    it keeps the value in another place, too.
    """
    if not all(isinstance(target, ast.Name | ast.Tuple) for target in node.targets):
        return
    for target in node.targets:
        match target, node.value:
            case ast.Name(name), value:
                yield name, value
            case ast.Tuple(targets), ast.Tuple(values) if len(targets) == len(values):
                both = zip(targets, values, strict=True)
                yield from ((to.id, value) for to, value in both if isinstance(to, ast.Name))


def _stands(value: ast.AST, names: set[str], methods: set[str]) -> bool:
    """Whether a value is one of what is counted: attend or causal_attention, hbm.load, partial(hbm.load, "K")."""
    match value:
        case ast.BoolOp(values=parts):
            return any(_stands(part, names, methods) for part in parts)
        case ast.Name(name):
            return name in names
        case ast.Attribute(attr=name):
            return name in methods
        case ast.Call(args=[function, *_]) if _is_partial(value):
            return _stands(function, names, methods)
    return False


def _is_partial(call: ast.Call) -> bool:
    match call.func:
        case ast.Name("partial") | ast.Attribute(ast.Name("functools"), "partial"):
            return True
    return False


def _is_called(node: ast.AST, above: Mapping[ast.AST, ast.AST], bound: set[str], kept: set[ast.AST]) -> bool:
    """Whether it is called where it stands, mapped at once, or given some arguments to be called so, or by a name."""
    over = above.get(node)
    if not isinstance(over, ast.Call):
        return False
    if over.func is node or _is_mapped(node, over, above, bound):
        return True
    gets_some = _is_partial(over) and over.args[:1] == [node] and bound.isdisjoint({"partial", "functools"})
    return gets_some and (over in kept or _is_called(over, above, bound, kept))


def _is_mapped(node: ast.AST, over: ast.Call, above: Mapping[ast.AST, ast.AST], bound: set[str]) -> bool:
    """Whether it is called at once on what it is mapped over, as f in list(map(f, numbers)), both Python's own, in
    x, y = map(f, numbers), or in a loop over that.
    """
    match over:
        case ast.Call(func=ast.Name("map"), args=[function, *_]) if function is node and "map" not in bound:
            match outer := above.get(over):
                case ast.Call(func=ast.Name(taker), args=[taken, *_]) if taker in TAKING_ALL and taken is over:
                    return taker not in bound
                case ast.Assign(targets=[ast.Tuple()]) | ast.For() | ast.Starred():
                    return True
                case ast.comprehension():
                    return outer is not None and not isinstance(above.get(outer), ast.GeneratorExp)  # which waits
    return False


def _asks_whether(node: ast.AST | None) -> bool:
    """Whether it is a comparison in which no side has a say: attend is None."""
    return isinstance(node, ast.Compare) and all(isinstance(way, ast.Is | ast.IsNot) for way in node.ops)


def _is_stored_away(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Assign) and not names_targets(node)


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
