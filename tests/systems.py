"""Test files of whole systems, which take most of the time that all tests take: that one passes is a claim of
tests/proofs.py, so that it is not run again where nothing has changed that it depends on.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SYSTEMS = (
    "tests/authoring/test_lessons.py",
    "tests/backends/test_cuda.py",
    "tests/grading/hostile/test_hostile.py",
    "tests/grading/hostile/test_hostile_cuda.py",
    "tests/grading/hostile/test_hostile_kernels.py",
    "tests/grading/reading/test_loose_files.py",
    "tests/grading/test_classroom.py",
    "tests/grading/test_memory.py",
    "tests/judging/test_diagnosis.py",
    "tests/judging/test_stateful.py",
    "tests/models/test_training.py",
    "tests/nbgrader/test_nbgrader.py",
    "tests/processes/test_sandbox.py",
    "tests/processes/test_survivors.py",
    "tests/processes/test_walls.py",
    "tests/shell/test_cli.py",
    "tests/shell/test_wheel.py",
    "tests/spec/test_no_triton.py",
)
EVERY_TEST = "TILEWISE_EVERY_TEST" in os.environ  # set where what has been proved is run again


def is_left_out(path: Path, config: pytest.Config) -> bool:
    """Whether a test file need not be run: it passed with all that it depends on, and nobody asks for it by name."""
    if EVERY_TEST or str(path.relative_to(config.rootpath)) not in SYSTEMS:
        return False
    from tests import proofs  # which loads all that grades

    named = {Path(argument.partition("::")[0]).resolve() for argument in config.args}
    return path not in named and path in proofs.passed_before()
