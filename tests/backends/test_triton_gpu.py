"""The Triton exercises on a GPU: every solution passes compiled, every mutant dies there too and is diagnosed.

Needs torch, triton and numpy only, so that it also runs where JupyterLab is not installed.
"""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
import torch

from autograder.backends import ahead, backend_of, function_from
from autograder.judging.cases import judge_case
from autograder.judging.diagnosis.mistakes import mutate
from autograder.judging.limits.budgets import over_budget
from autograder.judging.prepare import PUBLIC_SEED, prepare
from autograder.notebook.check import verdict_of
from autograder.processes import helpers
from autograder.runner.helper.cache import CORES
from autograder.spec.catalogue import exercise_named, exercises

ON_GPU = torch.cuda.is_available()
TRITON = [name for name, exercise in exercises().items() if exercise.backend == "triton"]
DIAGNOSED = 20  # every how many-th mutant

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(not ON_GPU, reason="no GPU on this machine")]


@pytest.mark.parametrize("name", TRITON)
@pytest.mark.parametrize("seed", ["public", "1", "2"])
def test_the_solution_passes_compiled(name, seed):
    verdict = verdict_of(exercise_named(name).function, seed)
    worst = verdict.first_failure
    assert verdict.status == "pass", f"{worst.key}: {worst.message}" if worst else verdict.over[0].message


@pytest.mark.parametrize("name", TRITON)
def test_every_mutant_dies_compiled(name):
    """Those that only move too many bytes live here: the meter watches in the interpreter (see test_traffic). So may
    those that use what a mask leaves out of a load: it is undefined, and mostly 0.
    """
    exercise = exercise_named(name)
    may_live = {case.key for case in exercise.cases if case.budget}
    due = [m for m in exercise.mutants if m.killed_by not in may_live and not m.key.endswith("-not-filled")]
    with ThreadPoolExecutor(CORES) as pool:
        died = list(pool.map(partial(dies, exercise), due))
    assert [mutant.key for mutant, died in zip(due, died, strict=True) if not died] == []


def dies(exercise, mutant):
    """Whether the mutant is wrong, or over a budget, on the case that it names, or else in the whole check."""
    index = [case.key for case in exercise.cases].index(mutant.killed_by)
    prepared = prepare(exercise.name, index, PUBLIC_SEED)
    seen = backend_of(exercise).call(exercise, mutate(exercise, mutant), prepared.arguments, prepared.case.budget)
    if isinstance(seen, str) or judge_case(exercise, prepared, seen).status != "pass":
        return True
    if any(over_budget(exercise, prepared, seen, exercise.with_mistake(mutant))):
        return True
    return verdict_of(mutate(exercise, mutant)).status != "pass"  # right there by luck, as where programs race


# They round in another order on a GPU, or read what lies behind a tensor: no number is that of the interpreter.
UNLIKE = {
    ("row_delta", "summed-in-16-bits"),
    ("flash_full", "acc-in-fp16"),
    ("flash_attention", "one-max"),
    ("flash_attention", "p-in-fp16"),
    ("flash_causal", "p-in-fp16"),
    ("paged_prefill", "p-in-fp16"),
    ("paged_prefill", "top-left"),
    ("packed_attention", "keys-strides-ignored"),
    ("packed_attention", "l-not-rescaled"),
    ("packed_attention", "nothing-rescaled"),
    ("packed_attention", "one-max"),
    ("window_flash", "one-max"),
    ("ragged_attention", "begin-ignored"),
}


@pytest.mark.parametrize("name", TRITON)
def test_a_mutant_that_is_compiled_is_told_apart_by_what_the_interpreter_makes_of_the_others(name):
    """Of those that the proof without a GPU tells apart all of them, but UNLIKE, which are taken for no other."""
    exercise, confused = exercise_named(name), []
    for mutant in exercise.mutants[::DIAGNOSED]:
        verdict = verdict_of(mutate(exercise, mutant))
        worst = verdict.first_failure
        if worst and any(comparison.error is not None and not comparison.ok for comparison in worst.comparisons):
            named = verdict.diagnosis.key if verdict.diagnosis else ""
            unlike = (name, mutant.key) in UNLIKE and named not in {other.key for other in exercise.mutants}
            if named != mutant.key and not unlike:
                confused.append((mutant.key, named))
    assert confused == []


def test_what_takes_sixteen_bits_for_float16_fails_in_bfloat16():
    exercise = exercise_named("flash_full")
    source = exercise.source.replace("p.to(v.dtype)", "p.to(tl.float32 if v.dtype == tl.float32 else tl.float16)")
    assert source != exercise.source
    worst = verdict_of(function_from(exercise, source, "float16 alone")).first_failure
    assert worst is not None and worst.key == "float16" and worst.message.startswith("in bfloat16"), worst


def test_results_in_memory_kept_between_calls_are_found_here_too():
    exercise = exercise_named("vector_add")
    kept = "KEPT.setdefault((x.shape, x.dtype), torch.empty_like(x))"
    source = "KEPT = {}\n" + exercise.source.replace("torch.empty_like(x)", kept)
    assert source.count("KEPT") == 2
    assert verdict_of(function_from(exercise, source, "kept")).status != "pass"


def changed(old, new):
    """vector_add with another line; the interpreter does not see it first."""
    exercise = exercise_named("vector_add")
    assert exercise.source.count(old) == 1
    return function_from(exercise, exercise.source.replace(old, new), "changed")


def test_a_kernel_that_goes_astray_costs_nothing(monkeypatch):
    monkeypatch.setattr(ahead.Ahead, "_interpret", lambda *given: None)
    verdict = verdict_of(changed("x_ptr + offsets, mask=mask", "x_ptr + offsets + 2000000000"))
    assert verdict.first_failure.failure.kind == "Crash"
    assert "the GPU stopped the kernel: " in verdict.first_failure.message
    assert verdict_of(exercise_named("vector_add").function).status == "pass"
    assert torch.ones(3, device="cuda").sum() == 3


def test_a_kernel_that_does_not_end_is_stopped(monkeypatch):
    monkeypatch.setattr(ahead.Ahead, "_interpret", lambda *given: None)
    monkeypatch.setitem(helpers.SECONDS, "launches", 8)
    helpers.stop()
    line = "    mask = offsets < n\n"
    verdict = verdict_of(changed(line, f"{line}    while tl.load(x_ptr, volatile=True) < 1e30:\n        n += 1\n"))
    assert verdict.status == "timeout"
    assert verdict_of(exercise_named("vector_add").function).status == "pass"


def test_the_c_that_launches_is_compiled_beside_the_kernels(tmp_path, monkeypatch):
    """Once for all whose arguments have the same types: pointers are alike, and descriptors; a length of 1 is none."""
    if not hasattr(pytest.importorskip("triton.backends.nvidia.driver"), "make_launcher"):
        pytest.skip("the Triton here launches kernels without C")
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    helpers.stop()
    compiled = []
    for name in ("vector_add", "row_delta"):
        exercise = exercise_named(name)
        cases = [prepare(name, number, PUBLIC_SEED).arguments for number in range(len(exercise.cases))]
        with ahead.Ahead(function_from(exercise, exercise.source, "launched by C")) as begun:
            begun.begin(cases, None)
            for number in range(len(cases)):
                begun._wait_for_kernels(number)
            compiled.append(len(list(tmp_path.glob("*/__triton_launcher*.so"))))
            assert not any(isinstance(begun.call(case, ()), str) for case in cases)
    helpers.stop()
    assert compiled == [2, 5]
    assert len(list(tmp_path.glob("*/__triton_launcher*.so"))) == 5
