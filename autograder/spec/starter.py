"""From a solution's source to the two cells made from it: the starter with holes, and the solved cell with markers."""

from __future__ import annotations

import ast
import difflib
import re
import textwrap
from collections.abc import Iterator, Mapping

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
    """The names of the functions and methods with a hole in them: `raise NotImplementedError`, with no message, or
    nothing but `...` or `pass`.

    None where the source is not Python, or cannot be read.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []

    def is_hole(node: ast.AST) -> bool:
        return isinstance(node, ast.Raise) and isinstance(node.exc, ast.Name) and node.exc.id == HOLE

    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return [function.name for function in functions if _is_empty(function) or any(map(is_hole, ast.walk(function)))]


def _is_empty(function: ast.FunctionDef) -> bool:
    """Whether there is nothing in it, but for a docstring."""
    return all(isinstance(n, ast.Pass) or isinstance(getattr(n, "value", None), ast.Constant) for n in function.body)


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
