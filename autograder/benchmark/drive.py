"""`tilewise bench`, or `python -m autograder.benchmark` where only torch, Triton and numpy are installed."""

from __future__ import annotations

import argparse
import importlib.util
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from ..backends import PYTHON
from ..spec.user_error import UserError
from .measure import here, measure, why_not
from .problems.sizes import MEASURED, course_function

Function = Callable[..., Any]


def run(what: Sequence[str], out: Path | None = None) -> int:
    """Measure the functions in files or exercises by name, or all the course's; print the table, write the JSON.

    Returns the exit status: 1 if an answer was refused, else 0. Raises UserError if nothing can be measured here, or if
    there is nothing to measure.
    """
    note = why_not()
    if note:
        raise UserError(note)
    functions = [pair for one in what for pair in _functions(one)] if what else list(_course(MEASURED))
    if not functions:
        raise UserError(f"the course has no {' or '.join(what)} of its own to measure")
    if out and not out.resolve().parent.is_dir():
        raise UserError(f"{out.parent} is no folder; make it, or name another file for the JSON")
    begin = time.monotonic()

    def say(line: str) -> None:
        print(f"{time.monotonic() - begin:5.0f} s  {line}", file=sys.stderr, flush=True)

    command = " ".join(
        ["python -m autograder.benchmark", *(Path(w).name for w in what), *(["--json", out.name] if out else [])]
    )
    result = measure(functions, here(), command, say, save=out)
    try:
        from ..showing.terminal import show
        from .table import rich

        show(rich(result))
    except ModuleNotFoundError:  # no rich here
        print(result)
    return int(bool(result.refused))


def _functions(what: str) -> Iterator[tuple[str, Function]]:
    """The measured functions of a file, or the course's of that name."""
    if Path(what).suffix in (".py", ".ipynb"):
        yield from _in_file(Path(what))
    elif what in MEASURED:
        yield from _course([what])
    else:
        raise UserError(f"{what!r} is neither a file (.py, .ipynb) nor one of {', '.join(MEASURED)}")


def _course(names: Sequence[str] | dict[str, Any]) -> Iterator[tuple[str, Function]]:
    for name in names:
        function = course_function(name)
        if function:
            yield name, function


def _in_file(path: Path) -> Iterator[tuple[str, Function]]:
    """Run the file, which is the learner's own, in this process: what they want is its time on this GPU."""
    if not path.exists():
        raise UserError(f"there is no file {path}; check its name with ls")
    if path.suffix == ".py":
        module = _import(path)
    else:
        with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False, encoding="utf-8") as file:
            file.write(_as_module(path))  # Triton reads the source of its kernels from a file
        module = _import(Path(file.name))
    found = [(name, vars(module)[name]) for name in MEASURED if callable(vars(module).get(name))]
    if not found:
        raise UserError(f"{path.name} has none of {', '.join(MEASURED)}: nothing to measure")
    yield from found


def _import(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("answers", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _as_module(path: Path) -> str:
    """The setup cells and the answered exercises of a notebook, in the order of the course."""
    from ..grading.reading.submission import read_files
    from ..spec import notebook
    from ..spec.catalogue import exercises

    answers = read_files([path])[1].answers
    setup = notebook.setup_source(notebook.read(path.read_text(encoding="utf-8-sig")))
    parts = [setup, *(answers[name].source for name in exercises() if name in answers)]
    return "\n\n\n".join(map(PYTHON.runnable, parts))


def main(arguments: Sequence[str] | None = None) -> None:
    """The same command without the packages that `tilewise` needs."""
    parser = argparse.ArgumentParser("python -m autograder.benchmark", description="Measure speed on a GPU.")
    parser.add_argument(
        "what", nargs="*", metavar="FILE|NAME", help="your files, or exercises; all the course's if none"
    )
    parser.add_argument("--json", type=Path, metavar="OUT", help="write what was measured to this file")
    given = parser.parse_args(arguments)
    try:
        code = run(given.what, given.json)
    except UserError as mistake:
        print(f"bench: {mistake}.", file=sys.stderr)
        code = 2
    sys.exit(code)
