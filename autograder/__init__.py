"""Tilewise: the five verbs of the course are check, hint, progress, trace and bench; each takes the function itself.

In a notebook, `%load_ext autograder` brings them into the namespace. Everything else here serves them.
"""

import importlib
import sys
from typing import Any

__version__ = "0.1.0"

# nbformat imports jsonschema, which for one kind of web address, found in no notebook, imports this package where it
# is installed. That takes two seconds. It does without where the import fails.
if "jsonschema" not in sys.modules:
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

HOMES = {
    "check": ".notebook.check",
    "hint": ".notebook.hints",
    "progress": ".notebook.progress",
    "check_answer": ".notebook.questions",
    "trace": ".tracing.trace",
    "traffic": ".tracing.trace",
    "count_passes": ".tracing.memory_passes",
    "run_ranks": ".tracing.ranks",
    "bench": ".benchmark",
    "compile_here": ".backends.triton",
}


def load_ipython_extension(shell: Any) -> None:
    """Called by `%load_ext autograder`."""
    importlib.import_module(".notebook.extension", __name__).load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """Called by `%unload_ext autograder`, and by `%reload_ext autograder` before it is loaded anew."""
    importlib.import_module(".notebook.extension", __name__).unload(shell)


def __getattr__(name: str) -> Any:
    """The verbs and what the lessons' demo cells use, imported on first use: the package itself stays light."""
    if name in HOMES:
        return getattr(importlib.import_module(HOMES[name], __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
