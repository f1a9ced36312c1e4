"""The cause of answers that are no edits of the course's solution: by formula, by count, by situation."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from autograder.backends import function_from
from autograder.judging.cases import judge_case
from autograder.judging.diagnosis.differences import _overflowed
from autograder.judging.diagnosis.mistakes import mutant_observation, mutant_values
from autograder.judging.diagnosis.patterns import common_situation
from autograder.judging.diagnosis.stand_ins import OUTWEIGHS
from autograder.judging.diagnosis.wrong_oracles import OTHERS, _pairs, _single, attention, is_attention, matching_oracle
from autograder.judging.diagnosis.wrong_oracles import RIGHT as RIGHT_FORMULA
from autograder.judging.prepare import prepare
from autograder.judging.tolerance import Comparison, Expected, compare
from autograder.notebook.check import verdict_of
from autograder.runner.observe import Observation
from autograder.showing.words.sentences import diagnosis
from autograder.spec.catalogue import exercise_named
from autograder.spec.exercise import Output
from tests import proofs
from tests.judging.causes import TOLD

ATTENTION = """
def {name}({parameters}):
    d = q.shape[-1]
    scale = d ** -0.5 if scale is None else scale
    s = torch.einsum("hqd,hkd->hqk", q, k) * {scale}
    i, j = torch.arange(q.shape[1])[:, None], torch.arange(k.shape[1])
    if causal:
        s = torch.where({seen}, s, {hidden})
    m = s.amax(-1, keepdim=True)
    p = torch.exp(s - torch.where(m == -math.inf, 0.0, m))
    l = p.sum(-1, keepdim=True)
    return torch.einsum("hqk,hkd->hqd", p / torch.where(l == 0, 1.0, l), v){after}
"""
RIGHT = {
    "parameters": "q, k, v, causal=False, scale=None",
    "scale": "scale",
    "seen": "j <= i + k.shape[1] - q.shape[1]",
    "hidden": "-math.inf",
    "after": "",
}


def diagnosed(name, **changes):
    text = "import math\n" + ATTENTION.format(name=name, **RIGHT | changes)
    return verdict_of(function_from(exercise_named(name), text, "a stranger's"))


def test_the_stranger_s_own_way_is_right():
    assert diagnosed("naive_attention").status == "pass"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"scale": "scale * math.log(2)"}, "powers of 2"),
        ({"scale": "scale / d ** 0.5"}, "scale"),
        ({"seen": "j < i + k.shape[1] - q.shape[1]"}, "own"),
        ({"seen": "j <= i"}, "top"),
        ({"hidden": "0.0"}, "0 instead of -inf"),
        ({"scale": "(scale or d ** -0.5)"}, "a scale of 0"),
        ({"scale": "(1 / scale if scale else math.inf)"}, "divided by the scale"),
    ],
)
def test_a_wrong_formula_is_named_however_it_is_written(changes, said):
    verdict = diagnosed("naive_attention", **changes)
    assert verdict.status != "pass" and said in verdict.diagnosis.mutant


IN_FLOAT64 = """
def online_stats(stream):
    m, l = np.float64(-np.inf), np.float64(0)
    for x in map(np.float64, stream):
        m_new = np.maximum(m, x)
        if m_new > -np.inf:
            l = l * np.exp(m - m_new) + {term}
        m = m_new
    return m, l
"""


@pytest.mark.parametrize(
    ("term", "said"), [("np.exp(x)", "not shifted by the maximum"), ("1.01 * np.exp(x - m_new)", None)]
)
def test_a_mistake_in_float64_is_the_same_mistake(term, said):
    """e^200 is infinite in float32 alone."""
    verdict = verdict_of(function_from(exercise_named("online_stats"), IN_FLOAT64.format(term=term), "a stranger's"))
    assert verdict.status != "pass"
    assert verdict.diagnosis is None if said is None else said in verdict.diagnosis.mutant


@pytest.mark.parametrize("key", ["lse-base-2", "lse-maximum-base-2", "lse-logarithm-base-2", "lse-not-scaled"])
def test_a_part_of_the_log_sum_exp_in_another_base_or_scale_is_told_apart(key):
    """By the formula alone, as a kernel's answer in C++ is."""
    assert said_of_formula("flash_rows", key) == key


@pytest.mark.parametrize(
    "key",
    ["scale-unsigned", "scale-of-values", "shift-clamped", "hidden-is-finite", "one-maximum"],
)
def test_a_formula_that_is_wrong_in_some_cases_only_is_named(key):
    assert said_of_formula("naive_attention", key) == key


@pytest.mark.parametrize("hidden", ["-1e3", "-65504.0", "s - 1e4"])
def test_a_finite_number_for_minus_infinity_is_one_cause_whatever_it_is(hidden):
    assert diagnosed("naive_attention", hidden=hidden).diagnosis.mutant == OUTWEIGHS


@pytest.mark.parametrize("changes", [{"hidden": "-1e4", "scale": "2 * scale"}, {"seen": "(j <= i) | (s < -1e4)"}])
def test_wrong_rows_that_are_not_the_lowest_have_another_cause(changes):
    found = diagnosed("naive_attention", **changes).diagnosis
    assert found is None or found.mutant != OUTWEIGHS


@pytest.mark.parametrize("name", ["cached_attention", "paged_gather_attention", "paged_prefill", "prefill_then_decode"])
def test_what_a_cache_or_a_pool_holds_is_attention_too(name):
    exercise = exercise_named(name)
    assert all(is_attention(exercise, prepare(name, index, "public")) for index in range(len(exercise.cases)))


def test_a_mask_after_softmax_is_named():
    assert said_of_formula("flash_rows", "masked-after-softmax") == "masked-after-softmax"


@pytest.mark.parametrize("name", ["flash_full", "flash_lse"])
@pytest.mark.parametrize("key", ["tiles-averaged", "tiles-added", "lse-added", "one-key-of-0"])
def test_tiles_that_are_joined_in_a_wrong_way_are_told_apart(name, key):
    assert said_of_formula(name, key) == key


def test_a_pair_of_formulas_is_named_only_if_each_of_them_is_wrong():
    """Nothing is hidden in `flash_full`, so no mask explains an answer to it."""
    pair = "maximum-sees-all-tiles-averaged"
    assert pair in [key for key, *_ in _pairs()]
    assert said_of_formula("flash_full", pair) == "tiles-averaged"


def said_of_formula(name, key):
    """What is named as the cause of an answer to the exercise that computes the wrong formula of this key."""
    exercise = exercise_named(name)
    wrong = next(formula for other, _, formula, _ in [*_single(), *_pairs()] if other == key)
    failed = []
    for index in range(len(exercise.cases)):
        prepared = prepare(exercise.name, index, "public")
        outputs = [x.numpy().astype(e.dtype) for x, e in zip(attention(wrong, prepared.arguments), prepared.expected)]
        if not all(compare(x, e).ok for x, e in zip(outputs, prepared.expected, strict=True)):
            failed.append((index, outputs))
    passed = [i for i in range(len(exercise.cases)) if i not in dict(failed)]
    found = matching_oracle(exercise, "public", failed, passed)
    return found and found.key


@pytest.mark.parametrize(
    ("right", "instead", "is_the_cause"),
    [("acc / l", "acc / l", True), ("acc / l[:, None]", "acc", False), ("acc / l", "1.5 * acc / l", False)],
)
def test_products_in_tf32_are_named_where_they_explain_what_is_wrong(right, instead, is_the_cause):
    exercise = exercise_named("flash_full")
    text = exercise.source.replace(', input_precision="ieee"', "").replace(right, instead)
    found = verdict_of(function_from(exercise, text, "a stranger's")).diagnosis
    assert (found is not None and found.key == "tf32") == is_the_cause


def test_products_in_tf32_are_named_beside_another_mistake():
    exercise = exercise_named("packed_attention")
    text = exercise.source.replace(', input_precision="ieee"', "").replace("last = position +", "last = rows +")
    verdict = verdict_of(function_from(exercise, text, "a stranger's"))
    first = [case.key for case in exercise.cases].index("causal") + 1
    assert verdict.diagnosis.key == "tf32" and verdict.diagnosis.elsewhere[0] == first
    assert f"In case {first} (and " in diagnosis(verdict)


@pytest.mark.parametrize("told", TOLD, ids=lambda told: told.label)
def test_a_cause_that_is_found_late_is_the_right_one(told):
    """Not again while nothing has changed that it depends on."""
    assert proofs.of_cause(told).problems() == []


def test_another_cause_than_the_one_that_is_asked_for_is_a_problem():
    right = next(told for told in TOLD if told.label.startswith("prefill_cost/"))
    assert [*right.problems()] == []
    assert [*replace(right, key="tf32").problems()] == [f"{right.label} is told floats, and not tf32"]
    (said,) = replace(right, shows=lambda verdict: verdict.status == "pass").problems()
    assert said == f"{right.label} does not show what it is to show"
    assert replace(right, key="tf32").claim != right.claim != replace(right, source=f"{right.source}\n").claim


def test_two_mistakes_are_both_named():
    verdict = diagnosed("naive_attention", scale="scale * math.log(2)", seen="j <= i")
    assert "powers of 2" in verdict.diagnosis.mutant and "top left" in verdict.diagnosis.mutant


def test_an_answer_that_no_formula_gives_has_no_cause():
    verdict = diagnosed("naive_attention", after=" * 1.01")
    assert verdict.status == "fail" and verdict.diagnosis is None


@pytest.mark.parametrize(
    ("count", "said"),
    [("2 * 4 * n", None), ("6 * n * itemsize", "3 times"), ("3 * n * itemsize", "counts too much by n * itemsize")],
)
def test_a_wrong_count_is_named_by_what_it_is_off(count, said):
    exercise = exercise_named("relu_cost")
    text = f"def relu_cost(n, itemsize):\n    return n, {count}\n"
    verdict = verdict_of(function_from(exercise, text, "a stranger's"))
    found = verdict.diagnosis
    assert verdict.status != "pass" and (found is None if said is None else said in found.mutant)


def test_counts_in_32_bits_are_named():
    text = "def relu_cost(n, itemsize):\n    wide = n * itemsize * 2\n    return n, (wide + 2**31) % 2**32 - 2**31\n"
    verdict = verdict_of(function_from(exercise_named("relu_cost"), text, "a stranger's"))
    assert verdict.status == "partial" and "32 bits" in verdict.diagnosis.mutant


SOFTMAX = """
def safe_softmax(x):
    m = {m}
    e = np.exp(x - np.where(np.isneginf(m), 0, m))
    l = e.sum(-1, keepdims=True)
    return e / {l}
"""


@pytest.mark.parametrize(
    ("m", "l", "said"),
    [
        ("np.maximum(x.max(-1, keepdims=True), 0)", "np.where(l == 0, 1, l)", "vanishes"),
        ("np.full_like(x[..., :1], -np.inf)", "np.where(l == 0, 1, l)", "not subtracted"),
        ("x.max(-1, keepdims=True)", "l", "NaN"),
    ],
)
def test_what_the_failed_cases_share_is_named(m, l, said):
    exercise = exercise_named("safe_softmax")
    verdict = verdict_of(function_from(exercise, SOFTMAX.format(m=m, l=l), "a stranger's"))
    assert said in verdict.diagnosis.mutant and 0 < verdict.points < verdict.max_points


def test_that_one_case_alone_is_wrong_is_no_cause():
    exercise = exercise_named("safe_softmax")
    odd = SOFTMAX.format(m="x.max(-1, keepdims=True)", l="np.where(l == 0, 1, l) * (1 + (x.ndim == 1))")
    verdict = verdict_of(function_from(exercise, odd, "a stranger's"))
    assert verdict.passed == len(verdict.cases) - 1 and verdict.diagnosis is None


# Where O alone, or O and L, come from q, k and v. Names of those with other arguments or results are left out.
OF_ATTENTION = [
    "naive_attention", "lazy_attention", "online_attention", "attention_by_blocks", "flash_causal", "flash_attention",
    "grouped_attention", "packed_attention", "sink_attention", "long_prefill", "window_flash",
]  # fmt: skip


@pytest.mark.parametrize("name", OF_ATTENTION)
def test_a_case_tells_a_maximum_over_hidden_keys_apart(name):
    """By the formula alone, so that it hangs on no way of writing the mistake."""
    index = [case.key for case in exercise_named(name).cases].index("hidden-higher")
    prepared = prepare(name, index, "public")
    want = prepared.expected[0]
    wrong = next(formula for (key, _), formula in OTHERS.items() if key == "maximum-sees-all")
    for formula, is_right in ((RIGHT_FORMULA, True), (wrong, False)):
        o, _ = attention(formula, prepared.arguments)
        assert compare(o.numpy().astype(want.dtype), want).ok == is_right


def test_a_maximum_that_sees_hidden_keys_is_named():
    """One formula for it, in float32, where the weights of what is seen underflow."""
    hidden = "m = s.amax(-1, keepdim=True)\n    s = torch.where({seen}, s, -math.inf) if causal else s"
    text = ATTENTION.replace("    if causal:\n        s = torch.where({seen}, s, {hidden})\n", "")
    text = text.replace("m = s.amax(-1, keepdim=True)", hidden).format(name="naive_attention", **RIGHT)
    text = f"import math\n{text}"
    verdict = verdict_of(function_from(exercise_named("naive_attention"), text, "a stranger's"))
    assert "what is hidden counts" in verdict.diagnosis.mutant or "hidden keys count" in verdict.diagnosis.mutant


def test_a_situation_is_said_and_none_of_several_ways_to_fail_in_it():
    """The root of a scale below 0 is neither another scale nor one that comes too late."""
    exercise = exercise_named("score_tile")
    whole = []
    for index, case in enumerate(exercise.cases):
        prepared = prepare("score_tile", index, "public")
        right = [e.truth.astype(e.dtype) for e in prepared.expected]
        given = [np.full_like(x, np.nan) for x in right] if case.key == "negative-scale" else right
        counts = {"loaded_bytes": 1, "stored_bytes": 1}
        whole.append(judge_case(exercise, prepared, Observation(outputs=given, kernels=["k"], counts=counts)))
    said = common_situation(exercise, whole).mutant
    assert "except with a negative scale" in said and "late" not in said


REMEMBERING = """
kept = {}

def safe_softmax(x):
    if (x.ctypes.data, x.shape) not in kept:
        kept.clear()
        m = x.max(axis=-1, keepdims=True)
        p = np.exp(x - np.where(np.isneginf(m), 0, m))
        l = p.sum(axis=-1, keepdims=True)
        kept[x.ctypes.data, x.shape] = p / np.where(l == 0, 1, l)
    return kept[x.ctypes.data, x.shape].copy()
"""


def test_what_hangs_on_the_call_before_is_told_from_a_situation():
    """Its smallest cases fail, since they are called twice: that says nothing about small inputs."""
    verdict = verdict_of(function_from(exercise_named("safe_softmax"), REMEMBERING, "a stranger's"))
    failed = [case.key for case in verdict.cases if case.status != "pass"]
    assert 0 < len(failed) < len(verdict.cases) and "kept from an earlier call" in verdict.diagnosis.mutant


def test_counts_that_lose_digits_as_floats_are_not_taken_for_32_bits():
    expected = Expected(Output("flops", exact=True), np.dtype(np.int64), np.array(92233720368547761), 0, 0, 0, 0, 0)
    wrong = Comparison("flops", False, "", expected=expected)
    assert not _overflowed(np.array(92233720368547768), wrong) and _overflowed(expected.truth - 2**33, wrong)


@pytest.mark.parametrize("sees_nothing", [True, False])
def test_nan_is_laid_to_a_row_that_sees_nothing_only_if_one_is_nan(sees_nothing):
    exercise = exercise_named("safe_softmax")
    whole = []
    for index, case in enumerate(exercise.cases):
        prepared = prepare("safe_softmax", index, "public")
        right = prepared.expected[0].truth.astype(prepared.expected[0].dtype)
        if "masked row" in case.regimes:
            right = np.where((right.sum(-1, keepdims=True) == 0) == sees_nothing, np.nan, right)
        whole.append(judge_case(exercise, prepared, Observation(outputs=[right])))
    found = common_situation(exercise, whole)
    assert (found is not None and found.key == "empty-row-nan") == sees_nothing


def test_two_counts_that_have_changed_places_are_said_so():
    text = "def relu_cost(n, itemsize):\n    return {}\n"
    exercise = exercise_named("relu_cost")
    exchanged = verdict_of(function_from(exercise, text.format("2 * n * itemsize, n"), "exchanged"))
    assert exchanged.diagnosis.mutant == "the results are right, but flops and bytes_moved have changed places"
    other = verdict_of(function_from(exercise, text.format("2 * n * itemsize, n + 1"), "another"))
    assert other.diagnosis is None


def test_a_mistake_that_has_been_observed_is_not_run_again_for_its_values(monkeypatch):
    exercise = exercise_named("online_stats")
    case = exercise.name, exercise.mutants[0], 0, "public"
    mutant_values.cache_clear()
    seen = mutant_observation(*case)
    monkeypatch.setattr("autograder.backends.python.Python.values", None)
    assert mutant_values(*case) is seen.outputs


@pytest.mark.parametrize("name", ["online_stats", "merge_blocks", "BlockAllocator"])
def test_a_mistake_that_is_not_measured_comes_to_the_same_values(name):
    exercise = exercise_named(name)
    keys = [case.key for case in exercise.cases]
    for mutant in exercise.mutants:
        case = name, mutant, keys.index(mutant.killed_by), "public"
        mutant_observation.cache_clear()  # whose outputs would be taken
        mutant_values.cache_clear()
        values, measured = mutant_values(*case), mutant_observation(*case).outputs
        assert (measured is None) == (values is None)
        assert all(map(partial(np.array_equal, equal_nan=True), measured or (), values or ()))
