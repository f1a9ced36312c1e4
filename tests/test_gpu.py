"""The Triton exercises on a GPU: every solution passes compiled, every mutant dies there too and is diagnosed.

Needs torch, triton and numpy only, so that it also runs where JupyterLab is not installed.
"""

import pytest
import torch

from autograder import prove
from autograder.checker import verdict_of
from autograder.course import exercise_named, exercises

ON_GPU = torch.cuda.is_available()
TRITON = [name for name, exercise in exercises().items() if exercise.backend == "triton"]

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(not ON_GPU, reason="no GPU on this machine")]


@pytest.mark.parametrize("name", TRITON)
@pytest.mark.parametrize("seed", ["public", "1", "2"])
def test_the_solution_passes_compiled(name, seed):
    verdict = verdict_of(exercise_named(name).function, seed)
    worst = verdict.first_failure
    assert verdict.status == "pass", f"{worst.name}: {worst.message}" if worst else verdict.over[0].message


@pytest.mark.parametrize("name", TRITON)
def test_every_mutant_dies_compiled_and_is_diagnosed(name):
    """Those that only move too many bytes live here: the meter watches in the interpreter (see test_traffic)."""
    exercise = exercise_named(name)
    counted = [f"survives the case {case.name!r}" for case in exercise.cases if case.budget]
    found = [problem for problem in prove._mutants(exercise) if not any(said in problem for said in counted)]
    assert found == []
