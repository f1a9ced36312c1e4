"""Submissions of softmax that try to fool the grader, to break it, or are merely unlucky, and what each must get.

Each starts from the right answers. `given` replaces some, `edit` changes the notebook, `files` adds to what is handed
in. In a source, COURSE stands for the folder of the nbgrader course and ROOT for that of this project.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.authoring import build
from autograder.spec.catalogue import exercise_named, lesson_named
from autograder.spec.folders import ROOT
from autograder.spec.notebook import as_text

LESSON = lesson_named("softmax")
NOTEBOOK = f"{LESSON.stem}.ipynb"
EXERCISES = [exercise.name for exercise in LESSON.exercises]
Outcome = tuple[str, float]  # status and points

RIGHT: dict[str, Outcome] = {"naive_softmax": ("pass", 1), "safe_softmax": ("pass", 2), "log_sum_exp": ("pass", 2)}
NOTHING: dict[str, Outcome] = dict.fromkeys(RIGHT, ("not_attempted", 0))
SECRET_OF_ANOTHER = "what the neighbour wrote"


@dataclass(frozen=True)
class Hostile:
    """One submission. expected: status and points by exercise, where not those of the right answers."""

    name: str
    expected: Mapping[str, Outcome] = field(default_factory=dict)
    given: Mapping[str, str] = field(default_factory=dict)
    edit: Callable[[Any], Any] | None = None
    files: Mapping[str, bytes] = field(default_factory=dict)
    said: str = ""  # must stand in the result
    notes: str = ""  # must stand in the notes of the rebuilt notebook

    @property
    def outcome(self) -> dict[str, Outcome]:
        return RIGHT | dict(self.expected)

    @property
    def points(self) -> float:
        return round(sum(points for _, points in self.outcome.values()), 4)

    def handed_in(self, course: Path = Path("/nowhere")) -> dict[str, bytes]:
        """The files, by name."""
        data = copy.deepcopy(SOLVED)
        for name, source in self.given.items():
            cell_of(data, f"solve-{name}")["source"] = source.replace("COURSE", str(course)).replace("ROOT", str(ROOT))
        made = self.edit(data) if self.edit else data
        text = made if isinstance(made, bytes) else json.dumps(data).encode()
        return {NOTEBOOK: text} | dict(self.files)


SOLVED = json.loads(as_text(build.solved_notebook(LESSON)))
UNTOUCHED = json.loads(as_text(build.student_notebook(LESSON)))


def cell_of(data: Any, grade_id: str) -> Any:
    """The cell with nbgrader's id `grade_id`."""
    return next(c for c in data["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == grade_id)


def safe(body: str, before: str = "") -> dict[str, str]:
    """A cell that answers safe_softmax by `body`, after the lines `before`."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return {"safe_softmax": f"{before}\ndef safe_softmax(x):\n{lines}"}


def safe_gets(status: str, points: float = 0) -> dict[str, Outcome]:
    return {"safe_softmax": (status, points)}


RIGHT_BODY = """\
m = x.max(axis=-1, keepdims=True)
e = np.exp(x - np.where(np.isneginf(m), 0, m))
l = e.sum(axis=-1, keepdims=True)
return e / np.where(l == 0, 1, l)"""

READ = """
def look():
    import glob, os, sys
    found = []
    for path in ["COURSE/seed", "COURSE/gradebook.db", *glob.glob("COURSE/*/*/*/*"), *glob.glob("COURSE/source/*/*"),
                 "ROOT/kernels/softmax.py", "ROOT/autograder/exercises/softmax.py", "/etc/passwd", "../seed",
                 *glob.glob("/proc/[0-9]*/environ"), *glob.glob("/proc/[0-9]*/cmdline"), "/proc/self/environ",
                 f"/proc/{os.getppid()}/environ", f"/proc/{os.getppid()}/cmdline", *glob.glob("/root/*")]:
        try:
            with open(path, "rb") as file:
                found.append(path + ":" + repr(file.read(300)))
        except OSError:
            pass
    return " ".join(found + [f"{k}={v}" for k, v in os.environ.items()] + sys.argv + os.listdir("."))
"""


def change_cells(data: Any) -> None:
    """Edit the check cells, delete one, delete the setup, add the untouched starter again, turn everything round."""
    cell_of(data, "check-naive_softmax")["source"] = "1.0"
    data["cells"].remove(cell_of(data, "check-log_sum_exp"))
    data["cells"] = [c for c in data["cells"] if "setup" not in c["metadata"].get("tags", [])]
    data["cells"].append(copy.deepcopy(cell_of(UNTOUCHED, "solve-safe_softmax")))
    data["cells"].reverse()


def flip_metadata(data: Any) -> None:
    """Every field of every nbgrader cell, and the cells' ids."""
    for cell in data["cells"]:
        about = cell["metadata"].get("nbgrader")
        if about:
            about |= {"grade": not about["grade"], "solution": not about["solution"], "locked": not about["locked"]}
            about |= {"task": True, "points": 1000, "schema_version": 99, "cell_type": "raw", "checksum": "0"}
            about |= {"comment": "full marks", "score": 1000}
            cell["metadata"] |= {"deletable": True, "editable": True, "tags": ["setup"]}
    ids = [cell["metadata"]["nbgrader"]["grade_id"] for cell in data["cells"] if "nbgrader" in cell["metadata"]]
    for cell in data["cells"]:
        if "nbgrader" in cell["metadata"]:
            cell["metadata"]["nbgrader"]["grade_id"] = ids.pop()
    data["metadata"] = {"kernelspec": {"name": "bash", "display_name": "x", "language": "bash"}, "tilewise": 3}


def delete_solutions(data: Any) -> None:
    """No cell carries an nbgrader id any more; the answers stand in cells of the student's own."""
    for cell in data["cells"]:
        cell["metadata"] = {}


def break_cells(data: Any) -> None:
    """Cells of every wrong type beside the right ones."""
    cell_of(data, "check-log_sum_exp")["cell_type"] = "markdown"
    cell_of(data, "check-log_sum_exp")["outputs"] = [{"output_type": "execute_result", "data": 5}]
    data["cells"][0]["source"] = 7
    data["cells"][1]["metadata"] = {"nbgrader": "no table", "tags": "setup", "tilewise": [1]}
    data["cells"].append({"cell_type": "code", "metadata": {"nbgrader": {"grade_id": ["x"]}}, "source": "1"})


def lies_about_its_format(data: Any) -> None:
    """And its cells lie where another format has them, behind metadata that begin as a cell does."""
    cells = data.pop("cells")
    data |= {"metadata": [1], "nbformat": "99", "nbformat_minor": {}, "worksheets": [0, {"cells": cells}]}


def cells_in_a_table(data: Any) -> None:
    data["cells"] = {str(i): cell for i, cell in enumerate(data["cells"])}


def untyped_cell(data: Any) -> None:
    del data["cells"][2]["cell_type"]


def old_format(data: Any) -> None:
    """nbformat 3 kept its cells in worksheets."""
    cells = [
        {"cell_type": "code", "language": "python", "input": c["source"], "outputs": [], "metadata": c["metadata"]}
        for c in data.pop("cells")
        if c["cell_type"] == "code"
    ]
    data |= {"nbformat": 3, "nbformat_minor": 0, "worksheets": [{"cells": cells, "metadata": {}}]}


def untouched(data: Any) -> None:
    data |= copy.deepcopy(UNTOUCHED)


def fake_outputs(data: Any) -> None:
    """The outputs of a perfect run, pasted below wrong answers, with a script in one."""
    untouched(data)
    for name in EXERCISES:
        cell = cell_of(data, f"check-{name}")
        html = {"text/plain": ["2.0"], "text/html": ["<script>steal()</script>"]}
        cell["outputs"] = [{"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": html}]


def share(name: str, passed: int) -> float:
    """The points for an answer that gets `passed` situations right: regimes, and all other cases as one."""
    exercise = exercise_named(name)
    situations = {regime for case in exercise.cases for regime in case.regimes or ("others",)}
    return round(exercise.points / 2 * passed / len(situations), 4)


MODULE = "import numpy as np\n\n" + "\n\n".join(exercise_named(name).source for name in EXERCISES)

FORGED = """\
import json, os, struct, sys
def reply(**said):
    frame, found = sys._getframe(), {}
    while frame:
        found = frame.f_locals | found
        frame = frame.f_back
    text = json.dumps({"number": found["request"]["number"], "blobs": []} | said).encode()
    found["sock"].sendall(struct.pack(">I", len(text)) + text)
    os._exit(0)
"""

TABLE = [
    # Honest ones.
    Hostile("right"),
    Hostile("right_stderr", given=safe("import sys\nprint('Warning!', file=sys.stderr)\n" + RIGHT_BODY)),
    Hostile("untouched", NOTHING, edit=untouched),
    Hostile(
        "naive",  # overflows at +200 and -300, where maxima lie far apart, and where a row is fully masked
        safe_gets("partial", share("safe_softmax", 2)),
        given=safe("e = np.exp(x)\nreturn e / e.sum(axis=-1, keepdims=True)"),
        said="no-own-maximum",
    ),
    Hostile("nan", safe_gets("fail"), given=safe("return np.full_like(x, np.nan)"), said="NaN"),
    Hostile("negative", safe_gets("fail"), given=safe("return np.full_like(x, -1)")),
    Hostile("syntax_error", safe_gets("error"), given=safe("return )"), said="SyntaxError"),
    Hostile(
        "floods", safe_gets("error"), given=safe("return np.zeros((5000, 1000))"), said="40,000,000 bytes came back"
    ),
    Hostile("changes_inputs", safe_gets("fail"), given=safe("x -= 1\n" + RIGHT_BODY), said="inputs were changed"),
    Hostile("in_a_module", edit=untouched, files={"mine/softmax.py": MODULE.encode()}),
    Hostile("old_format", edit=old_format),
    # Notebooks that are none.
    Hostile("not_json", NOTHING, edit=lambda data: b"\x93not a notebook", notes="left out"),
    Hostile("empty_file", NOTHING, edit=lambda data: b"", notes="left out"),
    Hostile("deep_json", NOTHING, edit=lambda data: b'{"cells":' + b"[" * 200_000, notes="left out"),
    Hostile("broken_cells", edit=break_cells, notes="check-log_sum_exp was changed"),
    Hostile("untyped_cell", edit=untyped_cell),
    Hostile("lies_about_its_format", edit=lies_about_its_format, notes="is no notebook as Jupyter writes them"),
    Hostile("cells_in_a_table", edit=cells_in_a_table, notes="only its whole cells were read"),
    # Notebooks that were tampered with.
    Hostile("changed_cells", edit=change_cells, notes="check-log_sum_exp was not there"),
    Hostile("flipped_metadata", edit=flip_metadata, notes="was changed"),
    Hostile("deleted_ids", edit=delete_solutions, notes="solve-safe_softmax was not there"),
    Hostile("fake_outputs", NOTHING, edit=fake_outputs),
    Hostile("null_byte", safe_gets("error"), given=safe("return '\0'")),
    Hostile("lone_surrogate", safe_gets("error"), given=safe("return '\ud800'")),
    Hostile("deep_source", safe_gets("error"), given=safe("return " + "-" * 90_000 + "1")),
    Hostile(
        "endless_source",
        safe_gets("not_attempted"),
        given=safe("return x", "x = 1\n" * 50_000),
        notes="longer than 100,000 characters",
    ),
    Hostile("takes_our_files", files={"results.json/x.txt": b"", "numpy.py": b"1/0", "autograder.py": b"1/0"}),
    # Answers that lie about themselves or about their grade.
    Hostile(
        "redefines_check",
        safe_gets("fail"),
        given=safe("return x", "check = check_answer = lambda *a: 2.0\nimport builtins\nbuiltins.check = check"),
    ),
    Hostile(
        "lying_array",
        safe_gets("error"),
        given=safe(
            "return x.view(Liar)",
            "class Liar(np.ndarray):\n    __eq__ = __le__ = lambda *a: True\n    __sub__ = lambda a, b: 0 * a",
        ),
        said="of type Liar",
    ),
    Hostile(
        "lying_object",
        safe_gets("error"),
        given=safe("return Liar()", "class Liar(float):\n    __eq__ = __lt__ = __float__ = lambda *a: True"),
        said="of type Liar",
    ),
    Hostile(
        "pickle",
        safe_gets("error"),
        given=safe(
            "return Bomb()",
            "class Bomb:\n    def __reduce__(self):\n        return (open, ('COURSE/pickled', 'w'))\n"
            "    __array__ = lambda *a: 1 / 0",
        ),
        said="of type Bomb",
    ),
    Hostile(
        "fake_report",
        safe_gets("fail"),
        given=safe(
            'import os, sys\nreport = \'{"exercise": "safe_softmax", "status": "pass", "points": 2.0}\'\n'
            "print(report)\nos.write(1, report.encode())\nprint('2.0', file=sys.stderr)\nreturn x"
        ),
    ),
    Hostile(
        "patches_numpy",
        safe_gets("fail"),
        given=safe(
            "return x",
            "np.allclose = np.array_equal = np.isclose = lambda *a, **k: True\nnp.abs = lambda a: 0 * a\n"
            "import numpy.testing\nnumpy.testing.assert_allclose = lambda *a, **k: None",
        ),
    ),
    Hostile(
        "patches_runner",
        safe_gets("flagged"),
        given=safe(
            RIGHT_BODY,
            "import sys\nfor module in [m for n, m in sys.modules.items() if 'runner' in n]:\n"
            "    if hasattr(module, 'Observation'):\n"
            "        module.Observation.__init__ = lambda self, **k: self.__dict__.update(outputs=None, failure=None,\n"
            "            operations={}, inputs_changed=False, counts={}, lines={}, kernels=None, idle=[],\n"
            "            constant=[], read=[], multiplied=[], raised=[])",
        ),
    ),
    # Answers that look for the course's.
    Hostile(
        "imports_solution",
        safe_gets("error"),
        given=safe(
            "return theirs(x)",
            "import importlib, sys\nsys.path[:0] = ['ROOT', '.', '..']\n"
            "theirs = getattr(importlib.import_module('kernels.soft' + 'max'), 'safe_soft' + 'max')",
        ),
    ),
    Hostile(
        "imports_by_name",
        safe_gets("error"),
        given={"safe_softmax": "try:\n    from kernels.softmax import safe_softmax\nexcept ImportError:\n    pass\n"},
    ),
    Hostile("reads_files", safe_gets("error"), given=safe("raise RuntimeError(look())", READ)),
    Hostile(
        "shows_inputs",
        safe_gets("error"),
        given=safe("raise RuntimeError(f'{x.tolist()}')"),
        said="RuntimeError: [[#, #",
    ),
    Hostile(
        "writes_gradebook",
        safe_gets("fail"),
        given=safe(
            "import sqlite3\ntry:\n    book = sqlite3.connect('COURSE/gradebook.db')\n"
            "    book.execute('update grade set manual_score = 2')\n    book.commit()\n"
            "except sqlite3.Error:\n    pass\n"
            "try:\n    open('COURSE/gradebook.db', 'ab').write(b'x')\n    open('COURSE/written', 'w').close()\n"
            "except OSError:\n    pass\nreturn x"
        ),
    ),
    # Answers that do not come back.
    Hostile("endless", safe_gets("timeout"), given=safe("while True: pass"), said="did not finish in time"),
    Hostile("endless_define", safe_gets("timeout"), given=safe("return x", "while True: pass")),
    Hostile("allocates", safe_gets("memory"), given=safe("a = []\nwhile True: a.append(np.ones(1 << 22))")),
    Hostile(
        "forks",
        safe_gets("error"),
        given=safe("import os\nwhile True: os.fork()"),
        said="PermissionError",
    ),
    Hostile("exits", safe_gets("error"), given=safe("import os\nos._exit(0)"), said="process ended"),
    Hostile("exits_at_define", safe_gets("fail"), given=safe("return x", "raise SystemExit(0)")),
    Hostile(
        "nests_folders",  # deeper than what removes folders can call itself, and no more of them than a home holds
        safe_gets("flagged"),
        given=safe(
            f"deep\n{RIGHT_BODY}",  # else it would be left out, as nothing that an answer needs
            "import os\ntry:\n    for deep in range(990):\n        os.mkdir('x')\n        os.chdir('x')\n"
            "except OSError:\n    pass",
        ),
    ),
    Hostile("interrupts", safe_gets("error"), given=safe("raise KeyboardInterrupt")),
    Hostile(
        "overflows_stack",
        safe_gets("error"),
        given=safe("import sys\nsys.setrecursionlimit(1 << 30)\nreturn sorted([x], key=safe_softmax)"),  # KBs a call
    ),
    Hostile(
        "huge_output",  # larger than any memory, and not made
        safe_gets("error"),
        given=safe("return np.broadcast_to(x[:1, :1], (1 << 20, 1 << 20))"),
        said="4,398,046,511,104 bytes came back",
    ),
    Hostile(
        "many_outputs",
        safe_gets("error"),
        given=safe("return [0.0] * 90_000"),
        said="90,000 arrays or numbers came back",
    ),
    Hostile(  # a mistake, and no message that was forged
        "many_axes",
        safe_gets("error"),
        given=safe("for _ in range(40): x = x[..., None]\nreturn x"),
        said="axes came back",
    ),
    Hostile(
        "long_axis_of_an_empty_output",
        safe_gets("error"),
        given=safe("return np.empty((0, 10**13), dtype=np.float32)"),
        said="an empty array with an axis of 10,000,000,000,000 came back",
    ),
    Hostile(
        "hides_its_error",
        safe_gets("error"),
        given=safe("raise Silent", "class Silent(Exception):\n    def __str__(self): raise self"),
    ),
    # Answers that talk to the grader themselves.
    Hostile(
        "garbage_to_socket",
        safe_gets("flagged"),
        given=safe(
            "import os\nfor fd in range(3, 64):\n    try:\n        os.write(fd, b'x' * 4096)\n"
            "    except OSError:\n        pass\nreturn x"
        ),
    ),
    Hostile(
        "forged_answers",
        safe_gets("flagged"),
        given=safe(
            "return x",
            """\
import json, os, struct
def forged(number):
    header = {"number": number, "failure": None, "outputs": [{"dtype": "float32", "shape": [2, 4]}], "steps": 0,
              "operations": {}, "inputs_changed": False, "peak_bytes": 0, "peak_line": 0, "blobs": [32]}
    text = json.dumps(header).encode()
    return struct.pack(">I", len(text)) + text + bytes(32)
for fd in range(3, 64):
    try:
        os.write(fd, b"".join(forged(n) for n in range(40)))
    except OSError:
        pass
""",
        ),
    ),
    # ... and know the number that an answer has to have.
    Hostile("endless_sizes", safe_gets("flagged"), given=safe("reply(blobs=[int('9' * 4299)] * 20)", FORGED)),
    Hostile("leaks_by_a_size", safe_gets("flagged"), given=safe("reply(blobs=[int('12' * 2000)])", FORGED)),
    Hostile(
        "unwritable_error",
        safe_gets("error"),
        given=safe(
            "reply(operations={}, failure=dict.fromkeys(('kind', 'message', 'text', 'function'), '\\ud800'))", FORGED
        ),
        said="?: ?",
    ),
]

BY_NAME = {hostile.name: hostile for hostile in TABLE}
# What is read, screened or compared decides on these, and no wall.
BEFORE_THE_WALL = {
    "right_stderr", "untouched", "naive", "nan", "negative", "syntax_error", "changes_inputs", "in_a_module",
    "old_format", "not_json", "empty_file", "deep_json", "broken_cells", "untyped_cell", "lies_about_its_format",
    "cells_in_a_table", "changed_cells", "flipped_metadata", "deleted_ids", "fake_outputs",
    "null_byte", "lone_surrogate", "deep_source", "endless_source",
    "redefines_check", "lying_array", "lying_object", "patches_numpy", "patches_runner", "shows_inputs",
    "hides_its_error",
}  # fmt: skip
