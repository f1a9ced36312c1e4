"""Notebooks: which cell is which, taking the answers out of one, whole or damaged, and putting them into another."""

from __future__ import annotations

import ast
import contextlib
import itertools
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

SOLVE, CHECK = "solve-", "check-"

# How a cell's text begins, whichever of its fields is written first.
BEGINS = re.compile(r'\{\s*"(?:attachments|cell_type|execution_count|id|metadata|outputs|source)"\s*:')
# A notebook that was saved as a script: where a cell begins, what one of the course's always holds, and what is text.
BY_JUPYTER = r"# In\[[ \d]*\]:"
BY_ANY = rf"{BY_JUPYTER}|# ?%%(?!\w).*"
OURS = re.compile(r"^(?:#!? ?)?(?:%|get_ipython\(\)\.run_line_magic\(['\"])load_ext\W+autograder\b", re.M)
NO_CODE = re.compile(r"\[(?:markdown|md|raw)\]")

MOST_READ_IN_VAIN = 20_000_000  # characters: a file may be made so that each try reads all that follows
PASSED = 50  # characters before a try, whose lines an error of JSON counts, take the time of one that is read
MOST_CELLS = 10_000  # of a damaged notebook: many times what lessons have

Notebook = Any  # nbformat's NotebookNode: a dict with attribute access
Cell = Any


def read(text: str) -> Notebook:
    """Parse a notebook of any format since 3. Raises ValueError with one sentence if it is not one."""
    try:
        notebook = nbformat.convert(nbformat.reader.reads(text), 4)
        notebook.cells = [c for c in notebook.cells if all(isinstance(c.get(k), str) for k in ("cell_type", "source"))]
        return notebook
    except Exception:
        raise ValueError("not a Jupyter notebook") from None


def of_script(text: str) -> Notebook | None:
    """The code cells of a notebook that was saved as a Python script, by Jupyter, VS Code or jupytext; None if it is
    another file. One that is only divided into cells by `# %%` is another file: they are run together.
    """
    begins = BY_ANY if OURS.search(text) else BY_JUPYTER
    _, *parts = re.split(rf"^({begins})$", text, flags=re.M)
    cells = [cell for head, cell in zip(parts[::2], parts[1::2], strict=True) if not NO_CODE.search(head)]
    return new_notebook(cells=[new_code_cell(_as_typed(_without_prose(cell))) for cell in cells]) if parts else None


def _without_prose(cell: str) -> str:
    """What stands in a script between two cells, without what was said below the first, which has become comments."""
    lines = cell.strip("\n").split("\n")
    while lines and (not lines[-1] or lines[-1].startswith("#")):
        lines.pop()
    return "\n".join(lines)


def _as_typed(cell: str) -> str:
    """A cell that a magic takes whole, of which a script has made a call, or a comment of its first line."""
    if call := re.fullmatch(r"get_ipython\(\)\.run_cell_magic\((.*)\)", cell, re.S):
        with contextlib.suppress(SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
            magic, line, body = ast.literal_eval(f"({call[1]})")
            return f"%%{magic} {line}\n{body}"
    return re.sub(r"\A#!? ?%%(?=\w)", "%%", cell)  # VS Code writes #!%%


def is_json(data: bytes) -> bool:
    """Whether a file is whole, whatever it says."""
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


def salvaged(text: str) -> Notebook | None:
    """The code cells that are whole in the text of a notebook that cannot be read; None if there is none."""
    cells = list(itertools.islice(filter(None, map(_code_cell, _objects(text))), MOST_CELLS))
    return new_notebook(cells=cells) if cells else None


def _objects(text: str) -> Iterator[Any]:
    """What reads as JSON from where a cell may begin: nothing in a cell, but what lies in anything else, too."""
    decoder, at, in_vain = json.JSONDecoder(), 0, 0
    while in_vain < MOST_READ_IN_VAIN and (begins := BEGINS.search(text, at)):
        try:
            found, at = decoder.raw_decode(text, begins.start())
            yield found
            if "cell_type" not in found:  # the notebook itself may begin as a cell does
                in_vain += at - begins.start()
                at = begins.start() + 1
        except json.JSONDecodeError as error:
            in_vain += error.pos - begins.start() + error.pos // PASSED
            at = begins.start() + 1
        except (RecursionError, ValueError):  # nested too deeply; a number of too many digits
            return


def _code_cell(found: Any) -> Cell | None:
    """The cell, without outputs and all that does not say which it is."""
    if not isinstance(found, dict) or found.get("cell_type") != "code":
        return None
    source = found.get("source", found.get("input"))  # as it was called before format 4
    lines: list[Any] = source if isinstance(source, list) else [source]
    if not all(isinstance(line, str) for line in lines):
        return None
    metadata = found.get("metadata")
    nbgrader = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    known = {"nbgrader": nbgrader} if isinstance(nbgrader, dict) else {}
    return new_code_cell("".join(lines), metadata=known)


def as_text(notebook: Notebook) -> str:
    return f"{nbformat.writes(notebook)}\n"


def trust_as(before: Notebook, text: str) -> None:
    """Have JupyterLab trust the outputs in the text of a notebook if it trusts those of `before`, whose they are.

    Never raises: without it the cards in the notebook lose their pictures.
    """
    from nbformat.sign import NotebookNotary  # here, as what grades has no use for it

    made = nbformat.reads(text, as_version=4)
    if not any(outputs(made)):
        return
    with contextlib.suppress(Exception), NotebookNotary() as notary:
        if notary.check_signature(before):
            notary.sign(made)


def grade_id(cell: Cell) -> str:
    """nbgrader's id of the cell, "" if it has none or a malformed one."""
    found = _dict(_dict(cell.get("metadata")).get("nbgrader")).get("grade_id")
    return found if isinstance(found, str) else ""


def question(cell: Cell) -> str:
    """The name of the question that the cell answers, "" if it answers none."""
    found = _dict(_dict(cell.get("metadata")).get("tilewise")).get("question")
    return found if isinstance(found, str) else ""


def setup_source(notebook: Notebook) -> str:
    """The source of the cells tagged `setup`, without magics: what every exercise may rely on."""
    return "\n\n".join(cell.source for cell in notebook.cells if is_setup(cell))


def is_setup(cell: Cell) -> bool:
    return cell.cell_type == "code" and "setup" in _tags(cell)


def exercise_names(notebook: Notebook) -> list[str]:
    """Names of the exercises that the notebook holds a solution cell for, in order."""
    return [grade_id(c).removeprefix(SOLVE) for c in notebook.cells if grade_id(c).startswith(SOLVE)]


def answers(
    notebook: Notebook, names: Iterable[str], is_starter: Callable[[str, str], bool] = lambda name, cell: False
) -> dict[str, str]:
    """The source of the cell that answers each exercise, found by its grade_id or, failing that, by what it defines.

    Of several candidates the last one that is not the starter counts: is_starter(name, cell) tells. Where the cell made
    for it is as it was given out, that is one written elsewhere.
    """
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    found: dict[str, str] = {}
    for name in names:
        defining = [c for c in code if defines(c.source, name)]
        own = [c.source for c in code if grade_id(c) == SOLVE + name]
        kinds = [c.source for c in defining if c.source in own], [c.source for c in defining], own
        touched = [[cell for cell in cells if not is_starter(name, cell)] for cells in kinds]
        best = next(filter(None, (*touched, *kinds)), None)
        if best:
            found[name] = best[-1]
    return found


def split(notebook: Notebook, names: Iterable[str]) -> list[str]:
    """The exercises whose cell was split: the next begins inside of a function, which Python does not take alone."""
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    above = [first for first, second in itertools.pairwise(code) if begins_inside(second)]
    return [name for name in names if any(defines(source, name) for source in above)]


def begins_inside(source: str) -> bool:
    """Whether the first line of a cell's code is indented."""
    return re.match(r"(?:[ \t]*(?:#.*)?\n)*[ \t]+[^\s#]", source) is not None


def defines(source: str, name: str) -> bool:
    """Whether a cell defines the function at its top level, or the CUDA kernel, of that name.

    Judged by the text, so that a syntax error elsewhere does not matter.
    """
    source = _as_read(source)
    if name not in source:
        return False
    name = re.escape(name)
    found = rf"^(?:(?:async )?def|class) {name}\b|\A%%cuda[ \t]+{name}\s*$|__global__[^;{{}}]{{0,400}}?\b{name}\s*\("
    return re.search(found, source, re.M) is not None


@lru_cache(maxsize=1024)
def _as_read(source: str) -> str:
    """The text as Python reads names."""
    return source if source.isascii() else unicodedata.normalize("NFKC", source)


def graft(released: Notebook, theirs: dict[str, str], numbers: dict[str, str] | None = None) -> Notebook:
    """The released notebook with the solution cells replaced by `theirs` (by exercise) and questions by `numbers`."""
    grafted = nbformat.from_dict(released)
    for cell in grafted.cells:
        name = grade_id(cell).removeprefix(SOLVE) if grade_id(cell).startswith(SOLVE) else ""
        if name in theirs:
            cell.source = theirs[name]
        if question(cell) in (numbers or {}):
            cell.source = (numbers or {})[question(cell)]
    return grafted


def question_cells(notebook: Notebook) -> dict[str, str]:
    """The source of the cell that answers each question."""
    return {question(c): c.source for c in notebook.cells if question(c)}


def outputs(notebook: Notebook) -> Iterator[Any]:
    """Every output of every code cell."""
    for cell in notebook.cells:
        yield from cell.get("outputs", [])


def _tags(cell: Cell) -> list[str]:
    tags = _dict(cell.get("metadata")).get("tags")
    return [t for t in tags if isinstance(t, str)] if isinstance(tags, list) else []


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
