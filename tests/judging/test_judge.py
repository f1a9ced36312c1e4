"""From answers to verdicts, on exercises of the lesson on softmax."""

import numpy as np
import pytest

from autograder.backends import backend_of, function_from
from autograder.judging.describe import describe_arguments
from autograder.judging.limits.calls import misread
from autograder.judging.prepare import in_bfloat16, numbers_in_bfloat16, prepare, rounded_to_bfloat16
from autograder.judging.verdict import Diagnosis
from autograder.notebook.check import check, verdict_of
from autograder.runner.arrays import BFLOAT16, Stream
from autograder.runner.meters.words import in_bytes
from autograder.runner.observe import Observation
from autograder.spec.catalogue import exercise_named
from kernels import softmax


def variant(name, body, head="x"):
    """The exercise's function with another body."""
    exercise = exercise_named(name)
    text = f"def {name}({head}):\n" + "".join(f"    {line}\n" for line in body.split("\n"))
    return function_from(exercise, text, label="a variant")


def test_the_solution_passes_with_full_points():
    verdict = verdict_of(softmax.safe_softmax)
    assert (verdict.status, verdict.points, verdict.headline) == ("pass", 2.0, "right")
    assert verdict.diagnosis is None and not verdict.over


def test_a_wrong_answer_keeps_some_points_and_the_mistake_is_named():
    body = "e, y = np.exp(x), np.zeros_like(x)\nl = e.sum(axis=-1, keepdims=True)"
    verdict = verdict_of(variant("safe_softmax", f"{body}\nreturn np.divide(e, l, out=y, where=l > 0)"))
    assert verdict.status == "partial" and 0 < verdict.points <= 1
    assert verdict.diagnosis == Diagnosis("no-shift", "the maximum is not subtracted before exp", 1)


def test_an_answer_that_fails_the_plain_case_earns_nothing():
    verdict = verdict_of(
        variant("safe_softmax", "return np.where(np.isneginf(x).all(-1, keepdims=True), 0, 1/4).astype(x.dtype)")
    )
    assert verdict.points == 0 and verdict.status == "fail"


def test_no_diagnosis_for_an_answer_that_is_nobodys():
    assert verdict_of(variant("safe_softmax", "return np.tanh(x)")).diagnosis is None


def test_no_diagnosis_that_a_passed_case_refutes():
    """Clipped, large scores give 0, as from a mutant; but that mutant is wrong on moderate ones, and this is right."""
    body = "e = np.exp(np.clip(x, -88, 88))\nreturn e / e.sum(axis=-1, keepdims=True)"
    verdict = verdict_of(variant("safe_softmax", body))
    assert verdict.status == "partial" and verdict.diagnosis is None


@pytest.mark.parametrize(
    "body",
    ["from scipy.special import softmax\nreturn softmax(x, axis=-1)", "import torch\nreturn torch.softmax(x, -1)"],
)
def test_a_forbidden_name_in_the_source_costs_the_points(body):
    verdict = verdict_of(variant("safe_softmax", body))
    assert (
        verdict.points == 0
        and verdict.over[0].kind == "operations"
        and verdict.over[0].line == 2 + body.startswith("import")
    )


def test_a_learners_own_helper_of_that_name_is_allowed():
    body = "e = np.exp(z - z.max(-1, keepdims=True))\n    return e / e.sum(-1, keepdims=True)"
    own = f"def softmax(z):\n    {body}\nreturn softmax(x)"
    verdict = verdict_of(variant("safe_softmax", own))
    assert not verdict.over and verdict.passed >= 7


def test_inputs_must_come_back_unchanged():
    verdict = verdict_of(variant("naive_softmax", "x[...] = np.exp(x)\nreturn x / x.sum(axis=-1, keepdims=True)"))
    assert verdict.status == "fail" and "inputs were changed" in verdict.first_failure.message


def test_the_starter_is_not_attempted():
    verdict = verdict_of(variant("safe_softmax", "raise NotImplementedError"))
    assert (verdict.status, verdict.points) == ("not_attempted", 0)


def test_an_endless_loop_that_the_learner_interrupts_ends_in_a_card():
    import _thread
    import threading

    threading.Timer(0.5, _thread.interrupt_main).start()
    verdict = verdict_of(variant("safe_softmax", "while True:\n    pass"))
    assert verdict.status == "timeout" and "interrupted" in verdict.first_failure.message
    assert verdict.first_failure.failure.text in ("while True:", "pass")
    assert (verdict.headline, verdict.first_failure.meaning) == ("stopped", "stopped")
    assert [case.status for case in verdict.cases[1:]] == ["skipped"] * (len(verdict.cases) - 1)


def test_a_wrong_number_of_outputs_is_said():
    verdict = verdict_of(variant("safe_softmax", "return x, x"))
    assert verdict.first_failure.message == "returned 2 arrays in all; expected 1: y"
    verdict = verdict_of(variant("safe_softmax", "return 1, 2.5"))
    assert verdict.first_failure.message == "returned 2 numbers in all; expected 1: y"


def test_wrong_arguments_are_a_crash_not_a_traceback():
    verdict = verdict_of(variant("safe_softmax", "return x", head=""))
    assert verdict.status == "error" and "unexpected keyword argument" in verdict.first_failure.message


def test_the_score_is_a_number_a_card_and_a_text():
    score = check(softmax.safe_softmax)
    assert score == 2.0 and repr(score) == "2.0" and float(repr(score)) == 2.0
    assert "safe_softmax" in score._repr_html_() and "safe_softmax" in str(score)
    assert score.to_dict()["status"] == "pass"


def test_check_says_what_it_wants():
    with pytest.raises(TypeError, match="takes the function itself"):
        check("safe_softmax")  # type: ignore[arg-type]
    with pytest.raises(LookupError, match="did you mean safe_softmax"):
        check(type("f", (), {"__name__": "safe_softmaxx", "__call__": lambda self: 0})())


def test_the_source_keeps_its_line_numbers():
    exercise = exercise_named("safe_softmax")
    source = backend_of(exercise).source(exercise, softmax.safe_softmax)
    first = softmax.safe_softmax.__code__.co_firstlineno
    assert source.splitlines()[first - 1].startswith("def safe_softmax") and not source.splitlines()[0]


def test_a_case_is_rounded_to_bfloat16_once():
    keys = [case.key for case in exercise_named("row_delta").cases]
    case = "row_delta", keys.index("float16"), "public"
    narrow = in_bfloat16(*case)
    assert narrow.dtype == narrow.arguments["o"].dtype == BFLOAT16
    again = in_bfloat16(*case)
    assert again.expected is narrow.expected and again.arguments is narrow.arguments
    rounded_to_bfloat16.cache_clear()  # as many other cases do: the arguments are then those of a call begun ahead
    ahead = rounded_to_bfloat16(*case)
    again = in_bfloat16(*case)
    assert again.arguments is ahead and again.expected is narrow.expected


@pytest.mark.parametrize(
    "name, keys",
    [
        ("flash_full", ["float16", "float16-scores"]),
        ("row_delta", ["float16", "fully-masked"]),
        ("vector_add", []),
        ("naive_softmax", []),
    ],
)
def test_a_gpu_runs_the_first_and_the_last_case_in_float16_in_bfloat16_too(name, keys):
    cases = exercise_named(name).cases
    assert [cases[number].key for number in numbers_in_bfloat16(name, "public")] == keys


def test_arguments_and_bytes_read_well():
    stream = Stream([np.zeros((2, 16)), np.zeros((2, 5))])
    text = describe_arguments({"x": np.zeros((2, 3), np.float32), "chunks": stream, "causal": True, "scale": None})
    chunks = "chunks: a stream of 2 items of (2, 16) float64, the last of (2, 5) float64"
    assert text == f"x: (2, 3) float32, {chunks}, causal=True, scale=None"
    assert [in_bytes(n) for n in (812, 24_000, 1_050_000, 4e13)] == ["812 B", "24 kB", "1.05 MB", "40 TB"]


def test_the_first_operation_in_which_a_model_misreads_is_said():
    engine, search = exercise_named("Engine"), exercise_named("beam_search")
    one, other = prepare("Engine", 0, "public"), prepare("beam_search", 0, "public")
    assert engine.reads and search.reads
    due, (all_of_them,) = [[n] for n in engine.reads(one.arguments)], search.reads(other.arguments)
    assert [*misread(engine, one, Observation(read=[[], *due]))] == []
    early = [*misread(engine, one, Observation(read=[[], [7], *due[1:3], [], *due[4:]]))]
    assert [limit.message for limit in early] == [
        "in submit, operation 1, the model reads 7 tokens, and it has to read 0"
    ]
    (when_made,) = misread(engine, one, Observation(read=[[1], *due]))
    assert when_made.message == "in the making of the object the model reads 1 token, and it has to read 0"
    assert [*misread(search, other, Observation(read=[[1, all_of_them - 1]]))] == []
    (again,) = misread(search, other, Observation(read=[[all_of_them, 1]]))
    assert again.message.startswith("in this function the model reads") and again.kind == "calls"
    plain = exercise_named("safe_softmax"), prepare("safe_softmax", 0, "public")
    assert [*misread(*plain, Observation(read=[[]]))] == []


def test_an_operation_of_an_object_has_its_tokens_read_in_one_step():
    engine, one = exercise_named("Engine"), prepare("Engine", 0, "public")
    assert engine.reads
    due = list(engine.reads(one.arguments))
    halves = [[1, n - 1] if n > 1 else [n] for n in due]
    (split,) = misread(engine, one, Observation(read=[[], *halves]))
    assert "the model makes 2 steps, and one has to read all" in split.message and split.kind == "calls"
