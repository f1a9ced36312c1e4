"""The CUDA exercises on a GPU: the same sources pass, what is wrong stays wrong, no kernel takes the session along.

Needs torch, numpy and cuda.core only, so that it also runs where JupyterLab is not installed.
"""

import pytest
import torch

from autograder.backends import backend_of
from autograder.backends.cuda import CudaFunction
from autograder.judging.cases import judge_value
from autograder.judging.diagnosis.mistakes import mutant_outputs
from autograder.judging.prepare import PUBLIC_SEED, prepare
from autograder.notebook.check import verdict_of
from autograder.processes import helpers
from autograder.spec.catalogue import exercise_named, exercises

CUDA = [name for name, exercise in exercises().items() if exercise.backend == "cuda"]

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU on this machine")]


@pytest.mark.parametrize("name", CUDA)
@pytest.mark.parametrize("seed", ["public", "1"])
def test_the_solution_passes_on_the_gpu(name, seed):
    verdict = verdict_of(exercise_named(name).function, seed)
    worst = verdict.first_failure
    assert verdict.status == "pass", f"{worst.key}: {worst.message}" if worst else verdict.over[0].message


@pytest.mark.parametrize("name", CUDA)
def test_what_is_wrong_without_a_gpu_is_wrong_on_it(name):
    """Of the mutants whose values are wrong; those that the instruments find may give anything there."""
    exercise = exercise_named(name)
    keys = [case.key for case in exercise.cases]
    survived = []
    backend_of(exercise).compile_ahead(exercise, [exercise.with_mistake(mutant) for mutant in exercise.mutants])
    for mutant in exercise.mutants:
        index = keys.index(mutant.killed_by)
        if mutant_outputs(name, mutant, index, PUBLIC_SEED) is None:
            continue
        prepared = prepare(name, index, PUBLIC_SEED)
        text = exercise.with_mistake(mutant)
        seen = helpers.gpu_call(name, exercise.function.__module__, text, prepared.arguments)
        if not isinstance(seen, str) and seen.outputs and all(c.ok for c in judge_value(seen.outputs, prepared)):
            survived.append(mutant.name)
    assert survived == []


STRAY = """extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    *(float*)(8ull << 40) = factor;
}
"""
ENDLESS = """extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    while (true) atomicAdd(y, factor);
}
"""


def on_gpu(text):
    arguments = prepare("scale_vector", 0, PUBLIC_SEED).arguments
    return helpers.gpu_call("scale_vector", "kernels.cuda_basics", text, arguments)


def test_a_kernel_that_goes_astray_is_named_and_the_next_one_runs():
    seen = on_gpu(STRAY)
    assert seen.failure.kind == "Crash" and "illegal memory access" in seen.failure.message
    assert verdict_of(exercise_named("scale_vector").function).status == "pass"


def test_an_endless_kernel_is_stopped_and_the_next_one_runs(monkeypatch):
    monkeypatch.setitem(helpers.SECONDS, "launches", 8)
    helpers.stop()
    assert on_gpu(ENDLESS) == "timeout"
    monkeypatch.undo()  # the next one has the usual time: a GPU that is asked by others too may need it
    assert verdict_of(exercise_named("scale_vector").function).status == "pass"


def test_a_compile_error_has_the_learners_line():
    text = exercise_named("scale_vector").source.replace("factor * x[i]", "factr * x[i]")
    failed = verdict_of(CudaFunction("scale_vector", text)).first_failure
    assert failed.failure.kind == "CompileError" and "factr" in failed.failure.text and failed.failure.line
    seen = on_gpu(text)
    assert seen.failure.kind == "CompileError" and "factr" in seen.failure.text


@pytest.mark.parametrize("d", [64, 128])
def test_the_block_merging_way_gives_the_same_on_the_gpu(d):
    from kernels.cuda_flash_backward import blockwise_backward, blockwise_forward

    generator = torch.Generator().manual_seed(d)
    q, k, v, do = (torch.randn(1, 2, 100, d, generator=generator).half().cuda() for _ in range(4))
    x = [t.double().requires_grad_() for t in (q, k, v)]
    right = torch.softmax(x[0] @ x[1].transpose(-1, -2) * d**-0.5, -1) @ x[2]
    gradients = torch.autograd.grad(right, x, do.double())
    o, m, l = blockwise_forward(q, k, v, 32)
    found = blockwise_backward(q, k, v, o, m, l, do, 32)
    for got, wanted in zip((o, *found), (right.detach(), *gradients), strict=True):
        torch.testing.assert_close(got.double(), wanted, rtol=2e-2, atol=2e-3)
