"""The Triton exercises on a GPU: every solution passes compiled, every mutant dies there too and is diagnosed.

Needs torch, triton and numpy only, so that it also runs where JupyterLab is not installed.
"""

import pytest
import torch

from autograder.authoring import prove
from autograder.backends import function_from
from autograder.backends import triton as triton_backend
from autograder.notebook.check import verdict_of
from autograder.processes import helpers
from autograder.spec.catalogue import exercise_named, exercises

ON_GPU = torch.cuda.is_available()
TRITON = [name for name, exercise in exercises().items() if exercise.backend == "triton"]

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(not ON_GPU, reason="no GPU on this machine")]


@pytest.mark.parametrize("name", TRITON)
@pytest.mark.parametrize("seed", ["public", "1", "2"])
def test_the_solution_passes_compiled(name, seed):
    verdict = verdict_of(exercise_named(name).function, seed)
    worst = verdict.first_failure
    assert verdict.status == "pass", f"{worst.key}: {worst.message}" if worst else verdict.over[0].message


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", TRITON)
def test_every_mutant_dies_compiled_and_is_diagnosed(name):
    """Those that only move too many bytes live here: the meter watches in the interpreter (see test_traffic). So may
    those that use what a mask leaves out of a load: it is undefined, and mostly 0.
    """
    exercise = exercise_named(name)
    may_live = [f"survives the case `{case.key}`" for case in exercise.cases if case.budget] + ["`values-not-filled`"]
    found = [problem for problem in prove._mutants(exercise) if not any(said in problem for said in may_live)]
    assert found == []


def test_what_takes_sixteen_bits_for_float16_fails_in_bfloat16():
    exercise = exercise_named("flash_full")
    source = exercise.source.replace("p.to(v.dtype)", "p.to(tl.float32 if v.dtype == tl.float32 else tl.float16)")
    assert source != exercise.source
    worst = verdict_of(function_from(exercise, source, "float16 alone")).first_failure
    assert worst is not None and worst.key == "float16" and worst.message.startswith("in bfloat16"), worst


def changed(old, new):
    """vector_add with another line; the interpreter does not see it first."""
    exercise = exercise_named("vector_add")
    assert exercise.source.count(old) == 1
    return function_from(exercise, exercise.source.replace(old, new), "changed")


def test_a_kernel_that_goes_astray_costs_nothing(monkeypatch):
    monkeypatch.setattr(triton_backend, "interpreted_call", lambda *given: None)
    verdict = verdict_of(changed("x_ptr + offsets, mask=mask", "x_ptr + offsets + 2000000000"))
    assert verdict.first_failure.failure.kind == "Crash"
    assert "the GPU stopped the kernel: " in verdict.first_failure.message
    assert verdict_of(exercise_named("vector_add").function).status == "pass"
    assert torch.ones(3, device="cuda").sum() == 3


def test_a_kernel_that_does_not_end_is_stopped(monkeypatch):
    monkeypatch.setattr(triton_backend, "interpreted_call", lambda *given: None)
    monkeypatch.setitem(helpers.SECONDS, "launches", 15)
    helpers.stop()
    line = "    mask = offsets < n\n"
    verdict = verdict_of(changed(line, f"{line}    while tl.load(x_ptr, volatile=True) < 1e30:\n        n += 1\n"))
    assert verdict.status == "timeout"
    assert verdict_of(exercise_named("vector_add").function).status == "pass"
