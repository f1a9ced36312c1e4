"""What is asked of an answer besides its values: operations, calls, budgets, and that it compiles."""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ..backends import backend_of
from ..backends.assembly import Compiled
from ..backends.python import BITS, TO_NUMBERS, Python
from ..runner.arrays import BFLOAT16
from ..runner.failure import Kind
from ..runner.meters import METERS, Meter
from ..runner.meters.held import GROWS, KEEPS
from ..runner.meters.idle import BY_OTHERS, ENDED, KEPT, ONES, PRODUCTS
from ..runner.meters.operations import PAST_MEMORY
from ..runner.meters.spies import BEFORE, BY_NUMBERS, MADE, MAIN_MEMORY, MOST_TOLD, READER, ROWS, TOOK
from ..runner.meters.words import amount, counted, in_words
from ..runner.observe import Observation
from ..runner.translate import IN_BFLOAT16
from ..spec.code.leading import leading_to
from ..spec.code.names import names_in
from ..spec.exercise import Arguments, Bound, Exercise
from .cases import say_failure
from .prepare import Prepared
from .verdict import OverBudget


def asked_of_source(exercise: Exercise, source: str) -> list[OverBudget]:
    """What the syntax tree shows: forbidden names, and libraries in which nothing is measured."""
    if not exercise.engine.is_python:
        return []
    try:
        tree = Spelled().visit(leading_to(exercise.name, source))
    except (SyntaxError, ValueError):  # it cannot run either
        return []
    except (RecursionError, MemoryError):  # Python's compiler, in the child, may get further than ast.parse
        return [OverBudget("operations", "is nested so deeply that it cannot be read", 1, 0)]
    nodes = list(ast.walk(tree))
    found = [*_forbidden_in(exercise, nodes, source), *_other_libraries(exercise, nodes, source)]
    return found + (_calling_without_lines(nodes, source) if exercise.budget.steps else [])


class Spelled(ast.NodeTransformer):
    """Makes x.name of getattr(x, "name"), which says the same, so that it is read once for both."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Name("getattr"), args=[holder, ast.Constant(str(name)), *default], keywords=[]) if (
                len(default) <= 1
            ):
                read: ast.expr = ast.copy_location(ast.Attribute(holder, name, ast.Load()), node)
                if default:
                    read = ast.copy_location(ast.IfExp(ast.Constant(True), read, default[0]), node)
                return ast.fix_missing_locations(read)
        return node


def _forbidden_in(exercise: Exercise, nodes: list[ast.AST], source: str) -> list[OverBudget]:
    """The first forbidden name among attributes (np.logaddexp) and imports."""
    for node in nodes:
        names = _named(node)
        if isinstance(node, ast.keyword) and isinstance(node.value, ast.Constant) and node.value.value is True:
            names = [node.arg or ""] if node.arg in exercise.forbidden else []  # torch.zeros(n, requires_grad=True)
        for name in names:
            hit = _forbidden(exercise, name)
            if hit:
                return [_operation(FORBIDS.format(name, hit), getattr(node, "lineno", 0), source)]
    return []


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
        return "reads an argument past Memory, where nothing counts what is moved"
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
    return OverBudget("operations", said, 1, 0, *_quoted(source, line))


def measured_counts(exercise: Exercise, prepared: Prepared, seen: Observation) -> dict[str, Any]:
    """What was counted and, where the exercise bounds it, what was allowed; "uncounted": what is bounded and was not
    counted, since a meter is not there (of an interpreter of Triton that is not known, or on a GPU). Not what a call in
    bfloat16 does not count, since the same case in float16 does.
    """
    counts: dict[str, Any] = {}
    for meter in METERS:
        allowed = _allowed(exercise, prepared, meter, seen)
        if meter.name in seen.counts and not (meter.is_quiet and allowed is None):
            counts[meter.name] = seen.counts[meter.name]
            counts |= {} if allowed is None else {f"{meter.name}_allowed": allowed}
        elif allowed is not None and prepared.dtype != BFLOAT16:
            counts.setdefault("uncounted", []).append(meter.label)
    return counts


def _allowed(exercise: Exercise, prepared: Prepared, meter: Meter, seen: Observation) -> int | None:
    """How much of it this call may use, None where there is no bound, or it hangs on what is left to the function and
    does not show.
    """
    bound: Bound | None = getattr(exercise.budget, meter.bound)
    if bound is None or not (meter.everywhere or bound.everywhere or prepared.case.budget):
        return None
    arguments = exercise.with_defaults(prepared.arguments)
    try:
        allowed = bound.most(arguments)
    except KeyError as unsaid:
        if prepared.case.budget:
            raise
        sizes = _tiles_of_its_own(exercise, arguments, seen) if unsaid.args[0] in TILES else []
        if not sizes:
            return None
        allowed = max(bound.most(arguments | tiles) for tiles in sizes)
    if prepared.case.budget or meter.kind != "memory":
        return allowed
    return allowed + 2 * prepared.copied_bytes + exercise.engine.slack


TILES = ("tile_m", "tile_n")
ANOTHER_ORDER = 1e-5  # a sum's part by which it differs, at most, that is taken so
SIDES = {16, 32, 64, 128, 256}  # that a tile may have


def _tiles_of_its_own(exercise: Exercise, arguments: Arguments, seen: Observation) -> list[Arguments]:
    """The sizes that tiles may have which are left to the function, as its products, loads and programs show.

    A product is one of a tile of queries, a tile of keys, and the d numbers of a row. A tile may be multiplied in
    halves, which shows in the number of programs.
    """
    width = arguments["q"].shape[-1]
    sides = {side for product in seen.multiplied if width in product for side in _without(width, product)}
    programs = exercise.budget.programs
    sides |= {2 * side for side in sides if programs}
    sizes = [dict(zip(TILES, pair)) for pair in itertools.product(sides & SIDES, repeat=2)]
    sizes = [tiles for tiles in sizes if max(tiles.values()) * width <= seen.counts.get("widest_access", 0)]
    started = seen.counts.get("programs", 0)
    if not programs:
        return sizes
    given = [(tiles, arguments | tiles) for tiles in sizes]
    return [tiles for tiles, a in given if programs.at_least(a) <= started <= programs.most(a)]


def _without(width: int, product: Sequence[int]) -> list[int]:
    sides = list(product)
    sides.remove(width)
    return sides


def over_budget(exercise: Exercise, prepared: Prepared, seen: Observation, source: str) -> Iterable[OverBudget]:
    """The budgets that a call broke, one judgement for each kind of meter."""
    kinds: set[str] = set()  # that are broken
    arguments = exercise.with_defaults(prepared.arguments)
    bounded = [meter for meter in METERS if getattr(exercise.budget, meter.bound) is not None]
    for kind in dict.fromkeys(meter.kind for meter in bounded):
        broken = []
        for meter in (meter for meter in bounded if meter.kind == kind and kinds.isdisjoint(meter.follows)):
            count, allowed = seen.counts.get(meter.name), _allowed(exercise, prepared, meter, seen)
            if count is None and allowed is not None and exercise.engine.always_counts and not seen.failure:
                yield OverBudget(kind, f"keeps its {meter.label} from being counted", 1, 0)
            elif count is not None and allowed is not None:
                bound: Bound = getattr(exercise.budget, meter.bound)
                if bound.exactly and count != allowed:
                    broken.append((meter, count, allowed, "wanted are exactly"))
                elif not bound.exactly and meter.is_broken(count, allowed):
                    broken.append((meter, count, allowed, meter.bounded))
                elif prepared.case.budget and count < (least := bound.at_least(arguments)):
                    broken.append((meter, count, least, "at least"))
        if broken:
            kinds.add(kind)
            formulas = exercise.budget.formulas(meter for meter, *_ in broken)
            said = ", ".join(
                _over(*found) + (f" ({formula})" if formula else "") for found, formula in zip(broken, formulas)
            )
            quoted = _quoted(source, seen.lines[broken[0][0].name])
            used, most = sum(n for _, n, *_ in broken), sum(most for _, _, most, _ in broken)
            yield OverBudget(kind, said, used, most, *quoted)


def _over(meter: Meter, count: int, allowed: int, bounded: str) -> str:
    """ "loaded 812 B, allowed 400 B", to the last byte where the rounded amounts would be alike."""
    pair = [amount(meter, n) for n in (count, allowed)]
    if pair[0] != pair[1]:
        return f"{in_words(meter, meter.over, count)}, {bounded} {pair[1]}"
    return f"{meter.over.format(f'{count:,} B')}, {bounded} {allowed:,} B"


def miscalled(exercise: Exercise, prepared: Prepared, seen: Observation) -> Iterable[OverBudget]:
    """What a call that returned called too seldom or too often, and what it says of main memory that is not so."""
    for name, wanted in exercise.calls.items():
        number, asked = seen.called.get(name, 0), wanted(prepared.arguments)
        least, most = (asked[0], asked[-1]) if isinstance(asked, range) else (asked, math.inf)
        if number < least:
            fewer = f"{_made_of(name, number)}, at least {least} are asked for"
            none = f"never calls {name} in this case: that is the point of this exercise"
            yield OverBudget("calls", fewer if number else none, number, least)
        elif number > most:
            yield OverBudget("calls", f"{_made_of(name, number)}, allowed {most}", number, int(most))
        elif isinstance(asked, range) and number not in asked:
            yield OverBudget("calls", f"{_made_of(name, number)}, which is no multiple of {asked.step}", number, least)
    for name, (meaning, numbers) in exercise.takes.items():
        wanted_numbers = numbers(prepared.arguments).astype(float).tolist()
        given, made = ([*seen.numbers.get(name + what, ())] for what in (TOOK, MADE))
        missing = _not_given(wanted_numbers, given)
        if missing and seen.called.get(name):
            others = f" and {len(missing) - 1} more" if missing[1:] else ""
            said = (
                f"never gives {name} {missing[0]:.7g}{others}, of {counted(len(wanted_numbers), 'number')} that it has "
            )
            yield OverBudget("calls", f"{said}to take: {meaning}", len(missing), 0)
        strange = _not_given(given, [*wanted_numbers, *made, 0])
        goes_on = f"{name}{BY_NUMBERS}" in exercise.calls  # from what it has made, until all is used up
        if goes_on and strange and wanted_numbers and len(given) + len(made) < MOST_TOLD // 2:
            said = f"gives {name} {strange[0]:.7g}, which it has not made itself, and which is no {meaning}"
            yield OverBudget("calls", said, len(strange), 0)
    if exercise.tiles:
        tiles = {f"{ROWS}{first} to {last}" for first, last in exercise.tiles(prepared.arguments)}
        for name in [name for name in seen.called if name.startswith(ROWS) and name not in tiles][:1]:
            said = f"loads the rows {name.removeprefix(ROWS)} at once, which are no tile of the size that is given"
            yield OverBudget("calls", said, 1, 0)
    if MAIN_MEMORY in exercise.calls:
        for expected, found in zip(prepared.expected, seen.outputs or ()):
            name = expected.output.name
            moved = seen.called.get(f"{MAIN_MEMORY}.{name.removesuffix('s')}", 0)
            if name in ("loads", "stores") and found.size == 1 and moved != int(found.item()):
                said = f"returns {int(found.item()):,} {name}, but {moved:,} numbers went through Memory"
                yield OverBudget("calls", said, 1, 0)


def _not_given(wanted: Sequence[float], given: Iterable[float]) -> list[float]:
    """Which numbers were given to nobody, but for what sums in another order differ by."""
    there = np.sort([-np.inf, *given, np.inf])
    after = np.searchsorted(there, wanted)
    is_near = [np.isclose(there[at], wanted, rtol=ANOTHER_ORDER, atol=0) for at in (after, after - 1)]
    return [number for number, *near in zip(wanted, *is_near, strict=True) if not any(near)]


def _made_of(name: str, number: int) -> str:
    """So many calls, or so many numbers in all calls."""
    if BEFORE in name:
        first, _, second = name.partition(BEFORE)
        return f"leaves {counted(number, 'number')} to {first} before one call of {second}"
    function = name.removesuffix(BY_NUMBERS)
    if function != name:
        return f"leaves {counted(number, 'number')} to {function}"
    return f"makes {counted(number, 'call')} of {name}"


def called_for_show(exercise: Exercise, prepared: Prepared, seen: Observation) -> Iterable[OverBudget]:
    """What a call that returned called, or divided, without a need for what came of it."""
    for name in seen.idle:
        if name == ONES:
            bound = exercise.budget.normalised
            if bound and bound.least and prepared.case.budget:  # in others what came before may weigh nothing
                said = "divides the output on the way for show: what it returns is the same with another quotient"
                yield OverBudget("divisions", said, 0, 1)
            continue
        if name == BY_OTHERS:
            said = (
                f"what comes out is not made of the products of {PRODUCTS} alone: leave all of them to it, use what "
                "it returns, and read nothing from outputs that has not been written"
            )
            yield OverBudget("calls", said, 0, 1)
            continue
        if name == ENDED:
            said = f"it ends with an error where the products of {PRODUCTS} are other numbers, which no kernel has to"
            yield OverBudget("calls", said, 0, 1)
            continue
        if name.startswith(KEPT):
            said = f"{name} is read in name only: with other numbers there, most of yours stay what they are"
            yield OverBudget("calls", said, 0, 1)
            continue
        others = "all of yours" if name == READER or name.startswith(MAIN_MEMORY) else "most of yours"
        said = f"{name} is called in name only: with other results of it, {others} stay what they are"
        yield OverBudget("calls", said, 0, 1)
    for name in seen.constant:
        said = f"{name} is called for show: it is given the same numbers whatever the arguments are; give it theirs"
        yield OverBudget("calls", said, 0, 1)


def misread(exercise: Exercise, prepared: Prepared, seen: Observation) -> Iterable[OverBudget]:
    """The first operation in which the model read more tokens than it has to, or fewer, or an object's operation did
    not have them read in one step; of right values only.
    """
    if exercise.reads is None:
        return
    wanted = exercise.reads(prepared.arguments)
    methods = [method for method, _ in prepared.steps] if prepared.returns else [exercise.name]
    for number, (method, steps, due) in enumerate(zip(methods, seen.read, wanted), 1):
        where, read = f"{method}, operation {number}," if prepared.returns else "this function", sum(steps)
        if read != due:
            said = f"in {where} the model reads {counted(read, 'token')}, and it has to read {due}"
            yield OverBudget("calls", said, max(read, 1), due)
            return
        if prepared.returns and len(steps) > 1:
            said = f"in {where} the model makes {len(steps)} steps, and one has to read all {due} tokens"
            yield OverBudget("calls", said, len(steps), 1)
            return


def uncompiled(reports: Sequence[Compiled], source: str, launched: set[str]) -> Iterable[OverBudget]:
    for report in reports:
        if report.failure:
            failure = report.failure
            text = f"works only without a GPU: {report.target} refuses {report.kernel}: {say_failure(failure)}"
            if failure.kind == Kind.LEAVES_BFLOAT16:
                text = f"computes in float16 where {report.kernel} is given bfloat16: {failure.message}"
            own = failure.text in ("", _quoted(source, failure.line)[1])  # not of a kernel of another cell
            yield OverBudget("compile", text, 1, 0, *(_quoted(source, failure.line) if own else (0, "")))
    for said in _unlike_in_bfloat16(reports):
        yield OverBudget("compile", said, 1, 0)
    compiled = {report.kernel for report in reports}
    if compiled and launched and not compiled & launched:
        others = " and ".join(sorted(compiled)[:3])
        text = f"is untested: at the size of a real problem it launches other kernels than in the cases ({others})"
        yield OverBudget("compile", text, 1, 0)


def _unlike_in_bfloat16(reports: Sequence[Compiled]) -> Iterator[str]:
    """Without a GPU nothing runs a kernel in bfloat16: it has to ask there for what is seen to be right in float16."""
    for report in reports:
        others = [r.operations for r in reports if r.kernel == report.kernel and r.target != IN_BFLOAT16]
        if report.target == IN_BFLOAT16 and not report.failure and others and report.operations not in others:
            more, fewer = report.operations - others[0], others[0] - report.operations
            both = (more, "more"), (fewer, "less")
            counts = [f"{', '.join(sorted(some)[:4])} {word} often" for some, word in both if some]
            yield f"does other operations in {report.kernel} where it is given bfloat16: {' and '.join(counts)}"


def _quoted(source: str, number: int) -> tuple[int, str]:
    """A line's number and text; 0 and "" where the answer has no such line."""
    lines = source.splitlines()
    return (number, lines[number - 1].strip()) if 0 < number <= len(lines) else (0, "")
