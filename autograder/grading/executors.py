"""What runs the submissions of a class: threads here, or an executor of the instructor's own."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any

from ..spec.user_error import UserError


def maker_of_executors(spec: str) -> Callable[[int], Any]:
    """What makes the executor that `spec` names, when it is told how many workers there are to be.

    "local" means threads: a worker's time goes into its sandbox, which is a separate process, while inputs and oracles
    are computed once for all workers. MODULE:FUNCTION returns any concurrent.futures executor, so that a run can leave
    the machine. Raises UserError if there is none of that name.
    """
    if spec == "local":
        return lambda jobs: ThreadPoolExecutor(jobs, thread_name_prefix="grader")
    module, _, function = spec.partition(":")
    sys.path.insert(0, os.getcwd())
    try:
        found: Callable[[int], Any] = getattr(importlib.import_module(module), function)
    except Exception as error:  # anything may go wrong in the instructor's own module
        raise UserError(f"--executor {spec} failed ({error}); give local, or MODULE:FUNCTION") from error
    return found


def made_by(make: Callable[[int], Any], spec: str, jobs: int) -> Executor:
    """Raises UserError if what `spec` names fails, or makes something else."""
    try:
        made = make(jobs)
    except Exception as error:  # or in the function
        raise UserError(f"--executor {spec} failed ({error}); give local, or MODULE:FUNCTION") from error
    if not isinstance(made, Executor):
        raise UserError(f"--executor {spec} made a {type(made).__name__}, not a concurrent.futures executor")
    return made
