"""Operations: what an answer names in its text, and what it runs, though it is forbidden or is not measured."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...backends import backend_of
from ...backends.python import BITS, TO_NUMBERS, Python
from ...runner.meters.held import GROWS, KEEPS
from ...runner.meters.operations import PAST_MEMORY
from ...runner.meters.words import counted
from ...runner.observe import Observation
from ...spec.code.leading import leading_to
from ...spec.code.names import DEFINITIONS, bound_by, names_in, names_used
from ...spec.code.unreached import without_unreached
from ...spec.exercise import Exercise
from ..verdict import OverBudget, quoted
from .spelled import Spelled


def asked_of_source(exercise: Exercise, source: str) -> list[OverBudget]:
    """What the syntax tree shows: forbidden names, and libraries in which nothing is measured."""
    if not exercise.engine.is_python:
        return []
    try:
        text = without_unreached(source)
        tree = Spelled().visit(leading_to(exercise.name, text))
    except (SyntaxError, ValueError):  # it cannot run either
        return []
    except (RecursionError, MemoryError):  # Python's compiler, in the child, may get further than ast.parse
        return [OverBudget("operations", "is nested so deeply that it cannot be read", 1, 0)]
    nodes = list(ast.walk(tree))
    found = [
        *_forbidden_in(exercise, nodes, source),
        *_other_libraries(exercise, _used_by(exercise, tree, text), source),
    ]
    return found + (_calling_without_lines(nodes, source) if exercise.budget.steps else [])


def _forbidden_in(exercise: Exercise, nodes: list[ast.AST], source: str) -> list[OverBudget]:
    """The first forbidden name among attributes (np.logaddexp) and imports."""
    for node in nodes:
        for name, hit in forbidden_by(exercise, node):
            return [_operation(FORBIDS.format(name, hit), getattr(node, "lineno", 0), source)]
    return []


def forbidden_by(exercise: Exercise, node: ast.AST) -> Iterator[tuple[str, str]]:
    """The names that stand here and are forbidden, and what they are forbidden as."""
    names = _named(node)
    if isinstance(node, ast.keyword) and isinstance(node.value, ast.Constant) and node.value.value is True:
        names = [node.arg or ""] if node.arg in exercise.forbidden else []  # torch.zeros(n, requires_grad=True)
    yield from ((name, hit) for name in names if (hit := _forbidden(exercise, name)))


# What calls a function for each of many things and has no lines: of Python, itertools, functools and numpy.
CALLING = {
    *("map", "filter", "filterfalse", "starmap", "accumulate", "takewhile", "dropwhile", "groupby", "frompyfunc"),
    *("vectorize", "fromiter", "cumsum", "cumulative_sum", "methodcaller"),
}


def _calling_without_lines(nodes: list[ast.AST], source: str) -> list[OverBudget]:
    """The first use of what goes through many things by itself, where lines are counted."""
    for node in nodes:
        names = _named(node) if not isinstance(node, ast.Name) else [node.id] * isinstance(node.ctx, ast.Load)
        hits = [name for name in names if name in CALLING]
        if isinstance(node, ast.ImportFrom) and node.module == "functools":
            hits += [name for name in names if name == "reduce"]
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "functools":
            hits += [node.attr] * (node.attr == "reduce")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            called, keys = node.func.id, {keyword.arg for keyword in node.keywords}
            hits += [called] * (called in ("sorted", "min", "max") and "key" in keys)
            hits += [called] * (called == "iter" and len(node.args) > 1)
        if hits:
            said = f"uses {hits[0]}, which goes through many things one by one: its steps cannot be counted"
            return [_operation(said, getattr(node, "lineno", 0), source)]
    return []


def _named(node: ast.AST) -> list[str]:
    """The attribute that is asked for, or the names and the module that an import statement names."""
    match node:
        case ast.Attribute(attr=name):
            return [name]
        case ast.Import(names=aliases):
            return [alias.name for alias in aliases]
        case ast.ImportFrom(names=aliases, module=module):
            return [*(alias.name for alias in aliases), module or ""]
    return []


def _is_used(node: ast.ImportFrom, read: set[str]) -> bool:
    """Whether a name that the statement imports is read: a lesson's setup imports more than each answer uses."""
    return any(alias.name == "*" or (alias.asname or alias.name) in read for alias in node.names)


def _used_by(exercise: Exercise, tree: ast.Module, source: str) -> list[ast.AST]:
    """The nodes of what the answer uses, directly or through others, but for annotations; and all imports.

    A lesson's setup beside it has more, which is written with other libraries. Where the text does not define the
    answer, all of it is looked at.
    """
    imports = [s for s in tree.body if isinstance(s, ast.Import | ast.ImportFrom)]
    plain = [s for s in tree.body if isinstance(s, ast.Import | ast.ImportFrom | ast.FunctionDef)]
    stay = {name for statement in plain for name in bound_by(statement)}  # what no use of their names changes
    leading: dict[str, list[ast.stmt]] = {}  # from a name to what binds it, or may change what it holds
    for statement in tree.body:
        if isinstance(statement, DEFINITIONS):
            leading.setdefault(statement.name, []).append(statement)
        elif not isinstance(statement, ast.Import | ast.ImportFrom):
            parts = [*ast.walk(statement)]
            names = {name for part in parts for name in bound_by(part)}
            for name in names | ({part.id for part in parts if isinstance(part, ast.Name)} - stay):
                leading.setdefault(name, []).append(statement)
    waiting, found = leading.pop(exercise.name, tree.body)[:], list[ast.AST](imports)
    while waiting:
        statement = waiting.pop()
        found += _without_annotations(statement)
        waiting += [s for name in names_used(statement, source) for s in leading.pop(name, [])]
    return found


def _without_annotations(statement: ast.stmt) -> Iterator[ast.AST]:
    """The statement's nodes, but for those of annotations."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        for name, value in ast.iter_fields(node):
            if name not in ("annotation", "returns"):
                parts = value if isinstance(value, list) else [value]
                waiting += [part for part in parts if isinstance(part, ast.AST)]


GIVEN = {"np": "numpy", "tl": "triton", "TensorDescriptor": "triton", "Tensor": "torch"}  # by a lesson's setup


def _other_libraries(exercise: Exercise, nodes: list[ast.AST], source: str) -> list[OverBudget]:
    """The first use of a library in which nothing is counted, where something is; by whatever name it is imported."""
    others = exercise.engine.unmeasured
    if not exercise.is_measured:
        others = tuple(library for library in others if library == "triton")  # it calls what its objects are made of
    free = names_in(source)
    read = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    names = {name: library for library in others for name in (library, *(n for n in GIVEN if GIVEN[n] == library))}
    imported = {name: module for node in nodes for name, module in _named_by(node) if module.split(".")[0] in others}
    for node in nodes:
        used = []
        if isinstance(node, ast.ImportFrom):
            used = [name for name in _named(node) if name.split(".")[0] in others and _is_used(node, read)]
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            used = [node.id] if node.id in names and node.id in free else []
            used += [imported[node.id]] if node.id in imported else []
        for name in used:
            said = (
                f"uses {name}, but this exercise is to be written in {exercise.engine.language}, where it is measured"
            )
            return [_operation(said, getattr(node, "lineno", 0), source)]
    return []


def _named_by(node: ast.AST) -> Iterator[tuple[str, str]]:
    """The names that an import statement gives to modules, and the module: import numpy.linalg as la."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.asname or alias.name.partition(".")[0], alias.name


def forbidden_at_run_time(exercise: Exercise, seen: Observation, source: str) -> list[OverBudget]:
    """Forbidden operations that were run, and those that lead out of what is measured."""
    backend = backend_of(exercise)
    for name, line in seen.operations.items():
        said = _said_of_operation(exercise, backend, name)
        if said:
            return [_operation(said, line, source)]
    return []


def _said_of_operation(exercise: Exercise, backend: Python, name: str) -> str:
    """What is wrong with an operation that was run; "" if nothing is."""
    if name == PAST_MEMORY:
        return "reads an argument past Memory, or writes to what lies there: nothing counts what is moved"
    if name.startswith(KEEPS):
        bounds_memory = exercise.budget.memory or exercise.budget.held
        return CANNOT_WEIGH.format(name.removeprefix(KEEPS)) if bounds_memory else ""
    if name.startswith(GROWS):
        size = int(name.removeprefix(GROWS))
        return f"keeps {counted(size, 'byte')} more after each call, of what it has returned, say: memory grows"
    hit = _forbidden(exercise, name)
    if hit:
        return FORBIDS.format(name, hit)
    operator = name.split(".")[1].rstrip("_") if name.startswith("aten.") else ""
    if operator and backend.operators is not None and operator not in {*backend.operators, *exercise.allowed}:
        return (
            f"calls torch's {AS_WRITTEN.get(operator, operator)}: the launcher may only allocate, take views and launch"
        )
    hides = exercise.is_bounded if name in TO_NUMBERS else exercise.is_measured
    if name in backend.ways_out and hides and name.split(".")[2].split()[0] not in exercise.allowed:
        said = "reads the bits of numbers as whole ones" if name == BITS else f"calls {name}"
        return f"{said}: stay within torch, because what is done outside it cannot be measured"
    return ""


CANNOT_WEIGH = (
    "keeps {} from call to call, whose memory cannot be weighed: keep numbers, texts, lists, tables, and tensors "
    "without gradients"
)
AS_WRITTEN = {"_to_copy": "to, float or half", "clone": "clone or contiguous"}  # what a learner writes for it

# What else is forbidden where a word is: other names of what does the same.
KIN = {
    "softmax": ("softmin",),
    "logsumexp": ("logcumsumexp",),
    "scaled_dot_product": ("multi_head_attention",),
    "amax": (
        *("max.dim", "max.default", "cummax", "topk", "sort", "argmax", "aminmax", "kthvalue", "quantile"),
        *("amin", "min.dim", "min.default", "cummin", "argmin"),  # of the negative
    ),
    "normalize": ("response_norm", "cosine", "renorm"),
    "autograd": ("complex",),  # a step along the imaginary axis differentiates to the last digit
}


def _forbidden(exercise: Exercise, name: str) -> str | None:
    name = name.rsplit("::", 1)[-1].lower()
    for word in exercise.forbidden:
        if word.lower() in name:
            return word
        if any(kin in name for kin in KIN.get(word, ())):
            return f"{word}, and what can stand in for it"
    return None


FORBIDS = "calls {}, but this exercise forbids {}: write what it does yourself"


def _operation(said: str, line: int, source: str) -> OverBudget:
    return OverBudget("operations", said, 1, 0, *quoted(source, line))
