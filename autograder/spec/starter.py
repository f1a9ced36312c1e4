"""From a solution's source to the two cells made from it: the starter with holes, and the solved cell with markers."""

from __future__ import annotations

import ast
import builtins
import difflib
import re
import symtable
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from .user_error import UserError

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
HOLE = "NotImplementedError"  # what an open hole raises
TASK = "TODO: write this part"
STUB = f"# {TASK}\nraise {HOLE}"
QUOTES, WIDTH = '"""', 92  # of a docstring
CUDA_STUB = f'// {TASK}\n#error "this part is not written yet"'

# A hole may begin with the learner's answer to an earlier exercise: "from NAME"; or with what stands in some of its
# holes, "from NAME 2,1"; or from one hole to another with the given lines between them, "from NAME 1-3".
_TOLD = re.compile(r"\s*(#|//) TODO: (write this part|your \w+ stands below).*")  # what a starter says of a hole
_FROM = r"(?: from (?P<name>\w+)(?: (?P<parts>\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*))?)?"
_MARK = re.compile(rf" *(?:// )?(?:{BEGIN}{_FROM}|{END} *)")
_REGION = re.compile(
    rf"^(?P<indent>[ ]*)(?P<slashes>// )?{BEGIN}{_FROM}\n(?P<code>.*?)^[ ]*(?:// )?{END}[ ]*\n?", re.S | re.M
)

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_WRAPPERS = {  # decorators that keep what they are given nowhere but under its name
    *("abstractmethod", "cached_property", "classmethod", "property", "staticmethod"),
    *("cache", "contextmanager", "dataclass", "final", "lru_cache", "total_ordering", "wraps"),
    *("enable_grad", "inference_mode", "no_grad", "once_differentiable", "autotune", "heuristics", "jit"),
}


def solved(source: str) -> str:
    """The source with its holes marked: as it stands if it has markers, else with markers around every body.

    Raises UserError if a marker has no partner: what it should hide would be seen.
    """
    for number, said in unpaired(source):
        raise UserError(f"line {number} of the source: {said}")
    if BEGIN in source:
        return source.rstrip("\n")
    lines = source.rstrip("\n").split("\n")
    for start, end in reversed(_bodies(source)):
        indent = " " * (len(lines[start]) - len(lines[start].lstrip(" ")))
        lines[start:end] = [indent + BEGIN, *lines[start:end], indent + END]
    return "\n".join(lines)


def unpaired(source: str) -> Iterator[tuple[int, str]]:
    """The markers of holes that have no partner, or are not alone on their line: the line's number and a sentence."""
    begun = 0
    for number, line in enumerate(source.splitlines(), 1):
        if BEGIN in line and begun:
            yield begun, f"{BEGIN} is not followed by {END}"
        elif END in line and not begun:
            yield number, f"{END} stands without {BEGIN} before it"
        if (BEGIN in line or END in line) and not _MARK.fullmatch(line):
            yield number, "the marker of a hole is not alone on its line"
        begun = number if BEGIN in line else 0 if END in line else begun
    if begun:
        yield begun, f"{BEGIN} is not followed by {END}"


def starter(source: str) -> str:
    """The source with its holes empty: what the learner opens."""
    return _REGION.sub(_empty, solved(source) + "\n").rstrip("\n")


def _empty(match: re.Match[str]) -> str:
    return _stub(match, f"{TASK}; run it as it is to put your {match['name']} here" if match["name"] else TASK)


def _stub(match: re.Match[str], task: str) -> str:
    lines = (CUDA_STUB if match["slashes"] else STUB).replace(TASK, task).split("\n")
    return "".join(f"{match['indent']}{line}\n" for line in lines)


def with_rules(source: str, name: str, rules: str) -> str:
    """The source with sentences added at the end of the docstring of the function or class `name`."""
    definitions = (node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef | ast.ClassDef))
    documented = next(node.body[0] for node in definitions if node.name == name)
    assert documented.end_lineno is not None
    lines, end, indent = source.split("\n"), documented.end_lineno, " " * documented.col_offset
    assert lines[end - 1].endswith(QUOTES)
    last = lines[end - 1].removesuffix(QUOTES).rstrip()
    added = textwrap.wrap(rules, WIDTH, initial_indent=indent, subsequent_indent=indent)
    kept = [last] if last else []
    above = (kept or lines[end - 2 : end - 1])[0]
    apart = documented.lineno == end or above.startswith(indent + " ")  # a summary, or a formula
    lines[end - 1 : end] = [*kept, *([""] if apart else []), *added, indent + QUOTES]
    return "\n".join(lines)


def open_holes(source: str) -> list[str]:
    """The names of the functions and methods with a hole in them: `raise NotImplementedError`, with no message.

    None where the source is not Python, or cannot be read.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []

    def is_hole(node: ast.AST) -> bool:
        return isinstance(node, ast.Raise) and isinstance(node.exc, ast.Name) and node.exc.id == HOLE

    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return [function.name for function in functions if any(map(is_hole, ast.walk(function)))]


@lru_cache(maxsize=256)
def names_in(source: str) -> frozenset[str]:
    """Names that the code uses, but for the variables of its functions; none if it does not parse."""
    try:
        tables = [symtable.symtable(source, "<names>", "exec")]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    found: set[str] = set()
    while tables:
        table = tables.pop()
        tables += table.get_children()
        used = (name for name in table.get_symbols() if name.is_referenced())
        found |= {name.get_name() for name in used if name.is_global() or table.get_type() in ("module", "class")}
    return frozenset(found)


def leading_to(name: str, source: str, others: Iterable[str] = ()) -> ast.Module:
    """The code without the bodies of those of its functions that `name` does not use, directly or through others.

    So a file that answers several exercises is judged for each by what belongs to it. Only a function's body is left
    out, and only if nothing but its name leads to it: what is run when a function or a class is defined stays, and so
    does all of what may be run by a decorator, by what a class is built on, or as one of Python's own functions, by
    code that is not in this text. others: names that such code uses. Raises as `ast.parse` does.
    """
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    own = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    own |= {node.name for node in nodes if isinstance(node, _DEFINITIONS)}
    taken = [alias for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names]
    own |= {alias.asname for alias in taken if alias.asname not in (None, alias.name)}
    named: dict[str, list[ast.stmt]] = {}
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            named.setdefault(statement.name, []).append(statement)
    shells = {statement: list(_run_at_once(statement, own)) for statement in tree.body}
    waiting = [part for parts in shells.values() for part in parts]
    waiting += [statement for used in (name, *others) for statement in named.pop(used, [])]
    kept: set[ast.stmt] = set()
    while waiting:
        kept.add(statement := waiting.pop())
        for node in ast.walk(statement):
            if isinstance(node, ast.Name):
                waiting += named.pop(node.id, [])
    tree.body = [part for statement in tree.body for part in ([statement] if statement in kept else shells[statement])]
    return tree


def _waits(statement: ast.FunctionDef | ast.ClassDef, own: set[str]) -> bool:
    """Whether nothing but its name leads to a function, or to those of a class. own: what the code calls so itself, and
    no library.
    """
    if getattr(statement, "type_params", ()) or not all(only_wraps(d, own) for d in statement.decorator_list):
        return False
    if isinstance(statement, ast.FunctionDef):
        return True
    inner = {part.name for part in statement.body if isinstance(part, _DEFINITIONS)}
    at_once = (part for method in statement.body for part in _run_at_once(method, own, at_top=False))
    named = {node.id for part in at_once for node in ast.walk(part) if isinstance(node, ast.Name)}
    return not (statement.bases or statement.keywords or inner & named)


def _is_pythons(name: str) -> bool:
    """Whether any code may call a function of this name, or Python itself."""
    return hasattr(builtins, name) or (name.startswith("__") and name.endswith("__"))


def only_wraps(decorator: ast.expr, own: set[str]) -> bool:
    """Whether this is a decorator of Python's or a library's that keeps what it is given nowhere else."""
    node = decorator.func if isinstance(decorator, ast.Call) else decorator
    last = node.attr if isinstance(node, ast.Attribute) else ast.unparse(node)
    while isinstance(node, ast.Attribute):
        node = node.value
    return last in _WRAPPERS and isinstance(node, ast.Name) and node.id not in own


def _run_at_once(statement: ast.stmt, own: set[str], at_top: bool = True) -> Iterator[ast.stmt]:
    """What of a statement may run before anything is called by its name."""
    taken_apart = ast.FunctionDef | ast.ClassDef if at_top else ast.FunctionDef
    if not isinstance(statement, taken_apart) or (at_top and _is_pythons(statement.name)) or not _waits(statement, own):
        yield statement
        return
    expressions: list[ast.expr | None] = [*statement.decorator_list]
    if isinstance(statement, ast.ClassDef):
        yield from (part for inner in statement.body for part in _run_at_once(inner, own, at_top=False))
    else:
        arguments = statement.args
        every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg)
        expressions += [*arguments.defaults, *arguments.kw_defaults, statement.returns]
        expressions += [argument.annotation for argument in every if argument]
    yield from (ast.copy_location(ast.Expr(part), part) for part in expressions if part)


def names_bound(source: str) -> set[str]:
    """Names that the code's own level imports or defines; none if it does not parse."""
    try:
        statements = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    imports = (s for s in statements if isinstance(s, ast.Import | ast.ImportFrom))
    bound = {(alias.asname or alias.name).partition(".")[0] for s in imports for alias in s.names}
    return bound | {s.name for s in statements if isinstance(s, ast.FunctionDef | ast.ClassDef)}


def without_magic(text: str) -> str:
    """A kernel's text without its cell's first line, %%cuda NAME (which may have become a comment)."""
    return re.sub(r"\A(?://\s*)?%%cuda.*\n?", "", text)


def unmarked(source: str) -> str:
    """The source without the lines that mark its holes."""
    return "\n".join(line for line in source.rstrip("\n").split("\n") if not _MARK.fullmatch(line))


def solutions(source: str) -> list[str]:
    """The code that fills each hole, with its indentation."""
    return [match["code"].rstrip("\n") for match in _REGION.finditer(solved(source) + "\n")]


def begun_by(source: str) -> list[tuple[str, list[tuple[int, int]]] | None]:
    """Of each hole the earlier exercise it opens with, and the first and last hole of each of its parts; or None."""
    found = []
    for match in _REGION.finditer(solved(source) + "\n"):
        ends = [[int(hole) for hole in part.split("-")] for part in (match["parts"] or "1").split(",")]
        found.append((match["name"], [(part[0], part[-1]) for part in ends]) if match["name"] else None)
    return found


def waiting(cell: str, source: str) -> list[str]:
    """The earlier exercises whose answers are to open in holes of the cell that are still as they were given out."""
    holes = _REGION.finditer(solved(source) + "\n")
    return [match["name"] for match in holes if match["name"] and (cell + "\n").count(_empty(match)) == 1]


def opened(cell: str, source: str, answers: Mapping[str, str]) -> str:
    """The cell with answers, each by its exercise's name, in those of its holes that wait for them.

    The line that makes a hole open stays, so the answer that was moved there does not count as one; so does all that
    the learner has written.
    """
    cell += "\n"
    for match in _REGION.finditer(solved(source) + "\n"):
        if match["name"] in answers:
            task = f"TODO: your {match['name']} stands below; change what is new and delete the next line"
            lines = textwrap.indent(answers[match["name"]], match["indent"])
            cell = cell.replace(_empty(match), f"{_stub(match, task)}{lines}\n")
    return cell.removesuffix("\n")


def between(marked: str, answer: str, first: int, last: int) -> str | None:
    """What stands in an answer where the source has its holes number `first` to `last`, counted from 1; "" if nothing.

    Its first line is not indented. None where the answer no longer has the given lines around them, or the source no
    such holes. A given line counts as there also without its comment. Of the given lines around the holes the nearest
    one may have been changed; it is then moved along with the answer.
    """
    given: list[str] = []
    holes: list[int] = []
    for line in _REGION.sub(lambda match: f"{match['indent']}{BEGIN}\n", marked + "\n").splitlines():
        if line.strip() == BEGIN:
            holes.append(len(given))
        elif line.strip():
            given.append(_bare(line))
    if not 1 <= first <= last <= len(holes):
        return None
    lines = _own(marked, answer.expandtabs(4)).splitlines()
    blocks = difflib.SequenceMatcher(None, given, [_bare(line) for line in lines], autojunk=False).get_matching_blocks()
    stands = {block.a + i: block.b + i for block in blocks for i in range(block.size)} | {len(given): len(lines)}
    above, below = holes[first - 1] - 1, holes[last - 1]
    lowest = holes[first - 2] if first > 1 else 0  # what lies beyond belongs to another hole
    highest = holes[last] if last < len(holes) else len(given) + 1
    begin = next((stands[line] for line in (above, above - 1) if line in stands and line >= lowest), None)
    end = next((stands[line] for line in (below, below + 1) if line in stands and line < highest), None)
    if begin is None or end is None or end <= begin:
        return None
    kept = "\n".join(line for line in lines[begin + 1 : end] if not _TOLD.fullmatch(line)).strip("\n").rstrip()
    return re.sub(rf"^ {{0,{len(kept) - len(kept.lstrip(' '))}}}", "", kept, flags=re.M)


def _own(marked: str, answer: str) -> str:
    """Of an answer in Python the last definition of each name that the source defines, in the source's order."""
    try:
        course, own = ast.parse(unmarked(marked)).body, ast.parse(answer).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return answer
    kinds = (ast.FunctionDef, ast.ClassDef)
    last = {statement.name: statement for statement in own if isinstance(statement, kinds)}
    lines, found = answer.splitlines(), []
    for statement in course:
        if isinstance(statement, kinds) and statement.name in last:
            mine = last[statement.name]
            begin = min([mine.lineno, *(decorator.lineno for decorator in mine.decorator_list)])
            found += lines[begin - 1 : mine.end_lineno]
    return "\n".join(found)


def _bare(line: str) -> str:
    """A line without the comment at its end."""
    return re.sub(r"\s+(#|//) .*", "", line).rstrip() or line.strip()


def _bodies(source: str) -> list[tuple[int, int]]:
    """The lines of every function's body after its docstring: indices of the first and of the one past the last."""
    found = []
    for function in ast.parse(source).body:
        assert isinstance(function, ast.FunctionDef) and function.end_lineno is not None
        documented = ast.get_docstring(function) is not None
        docstring_end = function.body[0].end_lineno
        assert docstring_end is not None and len(function.body) > documented
        found.append((docstring_end if documented else function.body[0].lineno - 1, function.end_lineno))
    return found
