"""The Triton backend: kernels in the interpreter, bytes counted, accesses outside caught, and the compiler asked."""

import numpy as np
import pytest
import torch

from autograder.grading.session import Session
from autograder.processes import helpers
from autograder.spec import catalogue, interpreter

interpreter.choose()
triton = pytest.importorskip("triton", reason="Triton is not installed on this machine")

import triton.language as tl  # noqa: E402

from autograder.backends import function_from  # noqa: E402
from autograder.backends.triton import compile_here  # noqa: E402
from autograder.judging.limits.compiled import uncompiled  # noqa: E402
from autograder.notebook.check import verdict_of  # noqa: E402
from autograder.runner.engines.triton import interpreted  # noqa: E402
from autograder.runner.meters.traffic import Traffic, install  # noqa: E402
from autograder.runner.observe import observe  # noqa: E402
from autograder.showing.diff import against_course  # noqa: E402
from autograder.spec.edits import Mutant, Swap  # noqa: E402
from autograder.spec.exercise import Bound, Budget, Case, Exercise, Output  # noqa: E402
from autograder.spec.starter import starter  # noqa: E402

INTERPRETED = pytest.mark.skipif(not interpreted(), reason="kernels are compiled here: this machine has a GPU")


@triton.jit
def doubled_kernel(x_ptr, out_ptr, n, TILE: tl.constexpr):
    """One program doubles one tile."""
    ### BEGIN SOLUTION
    i = tl.program_id(0) * TILE + tl.arange(0, TILE)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(out_ptr + i, 2 * x, mask=i < n)
    ### END SOLUTION


def doubled(x, tile=16):
    """Twice every element of x (n,); tile: elements a program. Returns (n,)."""
    out = torch.empty_like(x)
    doubled_kernel[(triton.cdiv(x.numel(), tile),)](x, out, x.numel(), TILE=tile)
    return out


def vector(n, tile=16):
    return lambda rng: {"x": rng.standard_normal(n).astype(np.float32), "tile": tile}


EXERCISE = Exercise(
    function=doubled,
    kernels=(doubled_kernel,),
    oracle=lambda x, tile: 2 * x,
    backend="triton",
    cases=[Case("full-tiles", "32 numbers", vector(32), budget=True), Case("ragged", "a ragged tail", vector(37))],
    mutants=[Mutant("tripled", "the numbers are added to themselves twice", Swap("2 * x", "3 * x"), "full-tiles")],
    hints=["a", "b", "c"],
    outputs=[Output("y")],
    budget=Budget(loads=Bound(lambda a: a["x"].nbytes, "x once"), stores=Bound(lambda a: a["x"].nbytes, "y once")),
    compiled=vector(4096, 1024),
    points=1,
)
STORE = "    tl.store(out_ptr + i, 2 * x, mask=i < n)\n"
PYTHON_LOOP = "    for factor in (2,):\n        tl.store(out_ptr + i, factor * x, mask=i < n)\n"  # no loop of a GPU's


@pytest.fixture(autouse=True)
def _an_exercise_of_the_course(monkeypatch):
    monkeypatch.setitem(catalogue.exercises(), "doubled", EXERCISE)
    lesson, lesson_of = catalogue.lesson_named("fused_softmax"), catalogue.lesson_of
    for module in ("reading.surroundings", "session"):
        monkeypatch.setattr(
            f"autograder.grading.{module}.lesson_of",
            lambda exercise: lesson if exercise is EXERCISE else lesson_of(exercise),
        )


def judged(*edits, source=EXERCISE.source):
    for old, new in edits:
        assert source.count(old) == 1
        source = source.replace(old, new)
    return verdict_of(function_from(EXERCISE, source, "answer"))


def test_the_right_kernel_passes_and_says_what_it_moved_and_what_the_compiler_saw():
    verdict = verdict_of(doubled)
    assert verdict.status == "pass", verdict
    assert {report["target"] for report in verdict.measured["compiled"]} == {"sm_80", "sm_90"}
    assert all(report["registers"] > 0 and report["spilled_bytes"] == 0 for report in verdict.measured["compiled"])
    if interpreted():
        assert verdict.measured["loaded_bytes"] == verdict.measured["stored_bytes"] == 32 * 4


def test_the_starter_is_not_attempted():
    text = starter(EXERCISE.source)
    assert "tl.load" not in text and "raise NotImplementedError" in text and "empty_like" in text
    assert judged(source=text).status == "not_attempted"


def test_a_mistake_in_a_kernel_is_named():
    verdict = judged(("2 * x", "x + 2 * x"))
    assert verdict.status == "fail" and verdict.diagnosis.mutant == EXERCISE.mutants[0].name


def test_after_a_pass_the_kernel_is_compared_with_the_course_s():
    assert against_course(verdict_of(doubled)) == []
    lines = against_course(judged(("2 * x", "x + x"))) or []
    assert ("-", "    tl.store(out_ptr + i, x + x, mask=i < n)") in lines


def test_an_autotuned_kernel_runs_where_nothing_can_be_timed():
    tuned = '@triton.autotune(configs=[triton.Config({"TILE": 16}), triton.Config({"TILE": 64})], key=["n"])\n'
    launch = "doubled_kernel[lambda meta: (triton.cdiv(x.numel(), meta['TILE']),)](x, out, x.numel())"
    verdict = judged(
        ("@triton.jit\n", tuned + "@triton.jit\n"),
        ("doubled_kernel[(triton.cdiv(x.numel(), tile),)](x, out, x.numel(), TILE=tile)", launch),
    )
    assert verdict.status == "pass", (verdict.first_failure, verdict.over)
    if interpreted():
        assert verdict.measured["compiled"]


@INTERPRETED
def test_bfloat16_is_launched_and_left_to_no_operation_of_torch():
    exercise = catalogue.exercise_named("row_max")
    source = "import torch\nimport triton\nimport triton.language as tl\n\n" + exercise.answer
    assert verdict_of(function_from(exercise, source, "answer")).status == "pass"
    launch = "    rows, cols = x.shape\n"
    assert source.count(launch) == 1
    by_torch = source.replace(launch, launch + "    if x.dtype == torch.bfloat16:\n        return x[:, 0]\n")
    verdict = verdict_of(function_from(exercise, by_torch, "answer"))
    assert verdict.first_failure.message.startswith("in bfloat16: no kernel is launched")


@INTERPRETED
def test_what_a_call_in_bfloat16_does_not_count_is_counted_where_another_counts_it():
    measured = verdict_of(catalogue.exercise_named("row_delta").function).measured
    assert measured["loaded_bytes"] == measured["loaded_bytes_allowed"] and "uncounted" not in measured


@INTERPRETED
def test_every_configuration_of_an_autotuned_kernel_has_its_turn():
    @triton.autotune(configs=[triton.Config({"KIND": kind}) for kind in range(4)], key=[])
    @triton.jit
    def which_kernel(kinds_ptr, at, KIND: tl.constexpr):
        tl.store(kinds_ptr + at, KIND)

    assert install()
    kinds = torch.full((64,), -1)
    for at in range(64):
        which_kernel[(1,)](kinds, at)
    assert set(kinds.tolist()) == {0, 1, 2, 3}


@INTERPRETED
def test_reading_twice_is_over_budget_with_both_numbers_and_the_line():
    again = "    x = tl.load(x_ptr + i, mask=i < n)\n"
    verdict = judged((again, again + "    x = x + 0 * tl.load(x_ptr + i, mask=i < n)\n"))
    (over,) = verdict.over
    assert verdict.headline == "right, but over budget" and verdict.points == 0.5
    assert over.kind == "traffic" and (over.used, over.allowed) == (256, 128) and "x once" in over.message


@INTERPRETED
def test_an_access_outside_is_refused_with_its_line():
    verdict = judged(("x = tl.load(x_ptr + i, mask=i < n)", "x = tl.load(x_ptr + i)"))
    assert [case.status for case in verdict.cases] == ["pass", "error"]
    failure = verdict.cases[1].failure
    assert failure.kind == "OutOfBounds" and failure.text.strip() == "x = tl.load(x_ptr + i)"
    assert "11 elements outside x_ptr (37,)" in failure.message


@INTERPRETED
@pytest.mark.parametrize("instead", ["    y = 2 * x\n", "    return 2 * x\n", STORE.replace("i < n", "i < 0")])
def test_a_kernel_that_stores_nothing_is_told_so(instead):
    assert judged((STORE, instead)).cases[0].message.endswith("; no kernel stores anything into y")


@INTERPRETED
def test_a_kernel_that_stores_wrong_numbers_or_only_some_is_not_told_that_it_stores_nothing():
    for instead in (STORE.replace("2 * x", "x * float('nan')"), STORE.replace("i < n", "i < 1")):
        message = judged((STORE, instead)).cases[0].message
        assert "NaN" in message and "stores" not in message


@INTERPRETED
@pytest.mark.parametrize("mask", ["(i >= 0) and (i < n)", "(i < n) or (i < 0)", "not (i >= n)"])
def test_the_truth_of_a_tile_is_refused_at_its_line(mask):
    failure = judged((STORE, f"    inside = {mask}\n" + STORE.replace("i < n", "inside"))).cases[0].failure
    assert failure.text.strip() == f"inside = {mask}" and "write &, | and ~" in failure.message


@INTERPRETED
def test_a_print_that_is_left_in_a_kernel_is_said_in_plain_words():
    for printed in ("print(x)", "print(f'{x}')"):
        (over,) = judged((STORE, f"    {printed}\n{STORE}")).over
        assert "take it out, or use tl.device_print" in over.message and over.text == printed


@INTERPRETED
def test_what_the_compiler_s_own_functions_raise_begins_with_the_line():
    (over,) = judged((STORE, f"    s = 0\n    for j in range(n):\n        s = s + 0.5\n{STORE}")).over
    assert "CompilationError: in `for j in range(n):`: Loop-carried variable s has" in over.message


@INTERPRETED
@pytest.mark.parametrize("twice", ["2 * x.to(tl.float16)", "2 * x.to(tl.float32)", "x + x"])
def test_a_kernel_that_is_given_bfloat16_computes_nothing_in_float16(twice):
    doubles = function_from(EXERCISE, EXERCISE.source.replace("2 * x", twice), "answer")
    reports = compile_here(doubles, {"x": np.ones(4096, np.float16), "tile": 1024})
    refused = [report.target for report in reports if report.failure]
    assert len(reports) == 2 and refused == ["sm_90"] * ("float16" in twice)


@INTERPRETED
def test_a_kernel_does_the_same_operations_in_bfloat16_as_in_float16():
    rounded = "(2 * x if x.dtype != tl.bfloat16 else (2 * x.to(tl.float32)).to(tl.bfloat16))"
    doubles = function_from(EXERCISE, EXERCISE.source.replace("2 * x", rounded), "answer")
    (over,) = uncompiled(compile_here(doubles, {"x": np.ones(4096, np.float16), "tile": 1024}), "", set())
    assert over.message.endswith("is given bfloat16: arith.extf, arith.truncf more often")


@INTERPRETED
def test_what_only_the_interpreter_takes_is_said_with_the_compiler_s_reason():
    verdict = judged((STORE, PYTHON_LOOP))
    (over,) = verdict.over
    assert verdict.headline == "right, but only without a GPU" and verdict.points == 0.5
    assert over.kind == "compile" and "no such construct" in over.message and "for factor" in over.text


def test_the_launcher_may_not_do_the_work():
    by_constexpr = "    return (tl.constexpr(x) + tl.constexpr(x)).value\n"  # whose operators are in a file of Triton's
    for line in ("    return 2 * x\n", "    return torch.add(x, x)\n", by_constexpr):
        verdict = judged(("    return out\n", line))
        assert verdict.points == 0 and [over.kind for over in verdict.over] == ["operations", "memory"], line


@triton.jit
def first_of_both(a, b):
    return a - 0 * b


@triton.jit
def folded_kernel(x_ptr, out_ptr, ROWS: tl.constexpr, N: tl.constexpr):
    at = tl.arange(0, ROWS)[:, None] * N + tl.arange(0, N)
    tl.store(out_ptr + tl.arange(0, ROWS), tl.reduce(tl.load(x_ptr + at), 1, first_of_both))


@INTERPRETED
def test_a_reduction_by_a_function_of_the_learner_s_keeps_the_order_and_takes_no_second_for_each_row():
    x = np.arange(4.0 * 4096, dtype=np.float32).reshape(4, 4096)

    def folds(x):
        out = torch.empty(4)
        folded_kernel[(1,)](x, out, 4, 4096)
        return out

    seen = observe(folds, {"x": x}, "triton", once=True)
    assert seen.failure is None and seen.outputs is not None
    assert seen.outputs[0].tolist() == x[:, 0].tolist()


@INTERPRETED
def test_memory_that_the_kernel_leaves_unwritten_is_nan():
    verdict = judged(("(triton.cdiv(x.numel(), tile),)", "(1,)"))
    assert "NaN" in verdict.cases[0].message


@INTERPRETED
def test_what_a_mask_leaves_out_of_a_load_is_undefined_without_other():
    """On a GPU it may be anything; the interpreter by itself would give 0."""
    summed = ("tl.store(out_ptr + i, 2 * x, mask=i < n)", "tl.store(out_ptr + i, 2 * x + 0 * tl.sum(x), mask=i < n)")
    assert "NaN" in judged(summed).cases[1].message
    assert judged(summed, ("mask=i < n)\n    tl.store", "mask=i < n, other=0)\n    tl.store")).status == "pass"


@INTERPRETED
def test_bfloat16_is_refused_with_the_reason():
    with pytest.raises(TypeError, match="bfloat16, which Triton's interpreter computes wrongly"):
        doubled(torch.zeros(4, dtype=torch.bfloat16))


def test_an_endless_shared_memory_is_refused():
    reports = compile_here(greedy, {"x": np.zeros((16, 4096), np.float32)})
    assert reports and all(report.failure and "shared memory" in report.failure.message for report in reports)


@triton.jit
def greedy_kernel(x_ptr, out_ptr, K: tl.constexpr):
    i, k = tl.arange(0, 16), tl.arange(0, K)
    x = tl.load(x_ptr + i[:, None] * K + k)
    tl.store(out_ptr + i[:, None] * 16 + i, tl.dot(x, x.T))


def greedy(x):
    out = torch.empty(16, 16)
    greedy_kernel[(1,)](x, out, x.shape[1])
    return out


@INTERPRETED
def test_the_meter_counts_what_a_program_moves_by_line():
    assert install()
    with Traffic() as traffic:
        doubled(torch.ones(100))
    assert (traffic.loads, traffic.stores, traffic.launches) == (400, 400, 1)


@INTERPRETED
def test_a_kernel_that_never_ends_can_be_interrupted():
    def stop(x, tile):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        observe(stop, {"x": np.zeros(3), "tile": 2}, "triton")


@INTERPRETED
def test_an_official_grade_judges_kernels_behind_the_wall():
    """The best one that there is; hostile kernels meet both."""
    from autograder.grading.grade import grade_submission
    from autograder.grading.reading.files import Files
    from autograder.grading.reading.submission import read_answers

    head = "import torch\nimport triton\nimport triton.language as tl\n\n\n"
    twice = EXERCISE.source.replace("2 * x", "2 * x + 0 * tl.load(x_ptr + i, mask=i < n)")
    in_python = EXERCISE.source.replace(STORE, PYTHON_LOOP)
    for source, points in ((EXERCISE.source, 1), (twice, 0.5), (in_python, 0.5)):
        submission = read_answers(Files("s", (("a.py", (head + source).encode()),)))
        (result,) = grade_submission(submission, ["doubled"], "secret")["exercises"]
        assert result["points"] == points, str(result)
    assert "no such construct" in result["over_budget"][0]["message"]


SLOW_TO_COMPILE = (
    "    if x.numel() > 1000:\n        import time\n        time.sleep(SECONDS)\n    out = torch.empty_like(x)\n"
)


def graded_with_a_slow_compiler(seconds):
    """The right answer with calls of at most 1 s, where it takes `seconds` more to compile it for each target."""
    from autograder.grading.grade import grade_submission
    from autograder.grading.reading.files import Files
    from autograder.grading.reading.submission import read_answers
    from autograder.processes.child_link import Limits

    head = "import torch\nimport triton\nimport triton.language as tl\n\n\n"
    source = EXERCISE.source.replace(
        "    out = torch.empty_like(x)\n", SLOW_TO_COMPILE.replace("SECONDS", str(seconds))
    )
    submission = read_answers(Files("s", (("a.py", (head + source).encode()),)))
    (result,) = grade_submission(submission, ["doubled"], "secret", Limits(seconds=1))["exercises"]
    return result


@INTERPRETED
def test_the_compiler_has_a_time_limit_of_its_own():
    result = graded_with_a_slow_compiler(0.6)  # 1.2 s in all, for one request
    assert (result["status"], result["points"]) == ("pass", 1), result
    assert {report["target"] for report in result["measurements"]["compiled"]} == {"sm_80", "sm_90"}


@INTERPRETED
def test_a_compiler_that_does_not_come_to_an_end_costs_nobody_anything_and_is_asked_once(monkeypatch):
    asked = []
    compiled = Session.compiled
    monkeypatch.setattr(Session, "compiled", lambda *given: asked.append(given) or compiled(*given))
    monkeypatch.setitem(helpers.SECONDS, "compiles", 1)
    result = graded_with_a_slow_compiler(1000)
    assert (result["status"], result["points"], result["over_budget"]) == ("infra", 0, []), result
    assert len(asked) == 1 and "Triton's compiler did not finish within 1 s" in result["note"]


def test_in_a_check_an_assembler_without_time_is_no_refusal(monkeypatch):
    monkeypatch.setattr("autograder.backends.assembly.SECONDS_TO_ASSEMBLE", -1)
    verdict = verdict_of(doubled)
    assert verdict.status == "pass" and "compiled" not in verdict.measured


@triton.jit
def product_kernel(a_ptr, b_ptr, out_ptr, PRECISION: tl.constexpr):
    i = tl.arange(0, 16)
    at = i[:, None] * 16 + i
    tl.store(out_ptr + at, tl.dot(tl.load(a_ptr + at), tl.load(b_ptr + at), input_precision=PRECISION))


@INTERPRETED
@pytest.mark.parametrize(("precision", "error"), [("ieee", 1e-5), ("tf32x3", 1e-5), (None, 1e-2)])
def test_a_product_is_as_short_as_on_a_tensor_core(precision, error):
    assert install()
    generator = torch.Generator().manual_seed(0)
    a, b = (torch.randn(16, 16, generator=generator) for _ in range(2))
    out = torch.empty(16, 16)
    product_kernel[(1,)](a, b, out, precision)
    off = float((out - a.double() @ b.double()).abs().max())
    assert error / 100 < off < error


@triton.jit
def short_product_kernel(a_ptr, out_ptr):
    i, j = tl.arange(0, 16), tl.arange(0, 8)
    a = tl.load(a_ptr + i[:, None] * 8 + j)
    tl.store(out_ptr + i[:, None] * 16 + i, tl.dot(a, a.T, input_precision="ieee"))


@INTERPRETED
def test_sums_of_fewer_products_than_a_gpu_takes_are_refused():
    assert install()
    with pytest.raises(Exception, match="K = 8: a GPU's compiler asks for 16"):
        short_product_kernel[(1,)](torch.ones(16, 8), torch.empty(16, 16))
