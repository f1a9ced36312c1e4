"""Tilewise: the five verbs of the course are check, hint, progress, trace and bench, each given the function itself.

In a notebook, `%load_ext autograder` brings them into the namespace. Everything else here serves them.
"""

from typing import Any


def load_ipython_extension(shell: Any) -> None:
    """Called by `%load_ext autograder`."""
    from .extension import load

    load(shell)


def __getattr__(name: str) -> Any:
    """The verbs, check_answer and traffic, imported when first asked for: the package itself stays light."""
    import importlib

    homes = {"check": "checker", "hint": "hints", "trace": "tracing", "bench": "benchmark", "progress": "journal"}
    homes |= {"check_answer": "answers", "traffic": "tracing"}
    if name in homes:
        return getattr(importlib.import_module(f".{homes[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
