"""%%cuda NAME takes a kernel from its cell, %cuda NAME from NAME.cu beside the notebook."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

from simt import kernel
from simt.errors import CompileError
from simt.source import define, text_in

from ..backends.cuda import CudaFunction
from ..processes.files import write_atomically
from ..spec.catalogue import exercises, near_exercise
from ..spec.user_error import UserError
from .live import ahead
from .live.line import Line, tell, telling, waiting
from .starters import begun

BEGINS = re.compile(r"\s*(//|/\*|#include|extern\b|__global__|template\b)")  # what CUDA C++ begins with, and no Python
NEARLY = re.compile(r"^[ \t]*(?!%cuda\b)%+[ \t]*cuda\b", re.M | re.I)  # below the first line, or not quite %%cuda

ONE_SIGN = "%cuda {0} takes the kernel from {0}.cu. This cell holds it: begin it with %%cuda {0}, and run it again."


def register(shell: InteractiveShell) -> None:
    """Register both magics in the session."""
    magics: Any = shell.magics_manager
    magics.register_function(lambda line, cell: define_from_cell(shell, line, cell), "cell", "cuda")
    magics.register_function(lambda line: define_from_file(shell, line), "line", "cuda")


def define_from_cell(shell: InteractiveShell, line: str, cell: str) -> None:
    """%%cuda NAME: the kernel of an exercise, checked at once, or one of your own, for kernel[grid, block](arguments).

    Raises UserError if no name is given, and CompileError if a kernel of your own does not compile.
    """
    name = line.strip()
    if not name.isidentifier():
        raise UserError("%%cuda takes the name of the kernel that the cell defines, as in %%cuda warp_softmax")
    text = f"// %%cuda {name}\n{cell}"  # so that lines keep their numbers
    if _is_exercise(name):
        shell.push({name: CudaFunction(name, text)}, interactive=False)
        return
    define(name, text)
    mine, below = kernel(name), Line()

    def says(seconds: float) -> str:
        doing = ahead.DOING if ahead.is_at_work() else "compiling"
        return f"{name}: {doing}, {seconds:.0f} s; press I I to stop"

    try:
        with waiting(says, below):
            ahead.wait()
            mine.compile()
    except CompileError as error:
        if near := near_exercise(name):
            raise UserError(f"{error}\n{name} is no exercise; did you mean {near}?") from None
        raise
    finally:
        below.clear()
    shell.push({name: mine}, interactive=False)


def define_from_file(shell: InteractiveShell, line: str) -> None:
    """%cuda NAME: the kernel of an exercise from NAME.cu, which is made from the starter if it is not there.

    The file is read again at every check. A hole of it that is to open with an earlier answer does so here, as in a
    cell. Raises UserError if there is no such exercise.
    """
    name = line.strip()
    if not _is_exercise(name):
        names = ", ".join(filter(_is_exercise, exercises()))
        raise UserError(f"%cuda takes the name of a CUDA exercise, not {name!r}; those are: {names}")
    path = Path(f"{name}.cu").absolute()
    made = not path.exists()
    text = exercises()[name].starter + "\n" if made else text_in(path.read_bytes())
    opened, said = begun(exercises()[name], text)
    if made or opened is not None:
        write_atomically(path, opened or text)
    if made:
        tell(f"{path.name} was made; edit it, save it, and check({name}) reads it again.")
    if said:
        tell(said)
    shell.push({name: CudaFunction(name, path=path)}, interactive=False)


def _is_exercise(name: str) -> bool:
    exercise = exercises().get(name)
    return exercise is not None and not exercise.engine.is_python


def told_from_python(lines: list[str]) -> list[str]:
    """An input transformer: a kernel whose first line is not quite %%cuda NAME is no mistake in Python."""
    cell = "".join(lines)
    from_file = re.match(r"\s*%cuda[ \t]+(\w+)[ \t]*\n", cell)
    if from_file and BEGINS.match(cell, from_file.end()):
        return [telling(ONE_SIGN.format(from_file[1]))]
    name = re.search(r"\b__global__\s+void\s+(?:__launch_bounds__\([^)]*\)\s*)?(\w+)", cell)
    if not name or re.match(r"%%cuda\s", cell) or not (BEGINS.match(cell) or NEARLY.search(cell)):
        return lines
    return [telling(f"This is CUDA C++: make %%cuda {name[1]} the first line of this cell, and run it again.")]
