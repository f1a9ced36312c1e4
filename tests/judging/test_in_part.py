"""First attempts that lack the guard for -inf beside another mistake, which is named all the same."""

import numpy as np
import pytest

from autograder.backends import function_from
from autograder.judging.cases import judge_case
from autograder.judging.diagnosis.in_part import mistake_in_part
from autograder.judging.diagnosis.mistakes import mutant_observation
from autograder.judging.prepare import prepare
from autograder.notebook.check import verdict_of
from autograder.runner.failure import Failure
from autograder.runner.observe import Observation
from autograder.showing.words.sentences import diagnosis
from autograder.spec.catalogue import exercise_named

FIRST_ATTEMPTS = {
    "online_stats": """
def online_stats(stream):
    m, l = -np.inf, 0.0
    for x in stream:
        m = max(m, x)
        l += np.exp(x - m)
    return np.float32(m), np.float32(l)
""",
    "online_stats_by_chunk": """
def online_stats_by_chunk(chunks):
    m, l = -np.inf, 0.0
    for chunk in chunks:
        own = chunk.max(axis=1)
        m_new = np.maximum(m, own)
        l = l * np.exp(m - m_new) + np.exp(chunk - own[:, None]).sum(axis=1)
        m = m_new
    return m, l
""",
    "online_step": """
def online_step(o, m, l, s, v):
    m_new = torch.maximum(m, s)
    old, new = torch.exp(m - m_new), torch.exp(s - m_new)
    l_new = l * old + new
    return (old / l_new)[:, None] * o + (new / l_new)[:, None] * v, m_new, l_new
""",
    "merge_blocks": """
def merge_blocks(o1, m1, l1, o2, m2, l2):
    m = torch.maximum(m1, m2)
    l = l1 * torch.exp(m1 - m) + l2 * torch.exp(m2 - m)
    return (l1[:, None] * o1 + l2[:, None] * o2) / (l1 + l2)[:, None], m, l
""",
    "attention_block": """
def attention_block(q, k, v, mask=None, scale=None):
    s = q @ k.T * (q.shape[1] ** -0.5 if scale is None else scale)
    s = s if mask is None else torch.where(mask, s, -torch.inf)
    m = s.max(dim=1).values
    p = torch.exp(s - m[:, None])
    return p @ v, m, p.sum(dim=1)
""",
    "log_sum_exp": """
def log_sum_exp(x):
    return np.log(np.exp(x - x.max(axis=-1, keepdims=True)).sum(axis=-1))
""",
    "merge_lse": """
def merge_lse(o1, L1, o2, L2):
    m = torch.maximum(L1, L2)
    L = torch.log(torch.exp(L1 - m) + torch.exp(L2 - m))
    return torch.exp(L1 - L)[:, None] * o1 + torch.exp(L2 - L)[:, None] * o2, L
""",
}
MISTAKES = {
    "online_stats": "no-rescale",
    "online_stats_by_chunk": "own-max-kept",
    "online_step": "old-counts-once",
    "merge_blocks": "weights-of-denominators",
    "attention_block": "not-divided",
    "log_sum_exp": "max-not-added",
    "merge_lse": "max-not-added",
}


def verdict_on(name, text):
    return verdict_of(function_from(exercise_named(name), text, "a newcomer's"))


@pytest.mark.parametrize(("name", "key"), MISTAKES.items())
def test_a_mistake_is_named_without_the_guard(name, key):
    verdict = verdict_on(name, FIRST_ATTEMPTS[name])
    found = verdict.diagnosis
    assert found.key == key and found.elsewhere
    assert all(not np.isfinite(verdict.cases[number - 1].worst.max_error) for number in found.elsewhere)


def test_where_it_is_not_the_only_mistake_is_said():
    verdict = verdict_on("attention_block", FIRST_ATTEMPTS["attention_block"])
    first, *more = verdict.diagnosis.elsewhere
    said = f"the denominator. In case {first} (and {len(more)} more) something else goes wrong, too."
    assert diagnosis(verdict).endswith(said) and len(more) >= 1


def test_with_the_guard_it_is_the_only_one():
    text = FIRST_ATTEMPTS["attention_block"].replace("s - m[:, None]", "s - m.clamp(min=-1e38)[:, None]")
    verdict = verdict_on("attention_block", text)
    assert verdict.diagnosis.key == "not-divided" and not verdict.diagnosis.elsewhere
    assert diagnosis(verdict).endswith("the denominator.")


NAME, KEY = "merge_blocks", "denominators-added"


def results(spoil):
    """Those of a mistake, but for what `spoil` makes of its answers, by case, if it makes something of them."""
    exercise = exercise_named(NAME)
    mutant = next(mutant for mutant in exercise.mutants if mutant.key == KEY)
    found = []
    for index, case in enumerate(exercise.cases):
        seen = mutant_observation(NAME, mutant, index, "public")
        given = spoil(case.key, [x.copy() for x in seen.outputs])
        found.append(judge_case(exercise, prepare(NAME, index, "public"), given))
    return found


def spoiled(key, outputs, by=np.nan, cases=("rising", "ragged")):
    if key in cases:
        outputs[0][0] = by
    return Observation(outputs=outputs)


def named(spoil):
    found = mistake_in_part(exercise_named(NAME), "public", results(spoil))
    return found and (found.key, found.elsewhere)


def test_the_rest_is_nan_infinity_or_an_exception():
    def raises(key, outputs):
        return Observation(failure=Failure("ValueError", "")) if key == "rising" else spoiled(key, outputs, np.inf)

    numbers = [i for i, case in enumerate(exercise_named(NAME).cases, 1) if case.key in ("rising", "ragged")]
    assert named(spoiled) == named(raises) == (KEY, tuple(numbers))


def test_none_is_named_where_numbers_differ():
    def beside_nan(key, outputs):
        if key == "rising":
            outputs[0][1] += 1
        return spoiled(key, outputs)

    assert named(beside_nan) is None and named(lambda key, outputs: spoiled(key, outputs, 7.0)) is None


def test_one_case_of_numbers_is_too_few():
    every = [case.key for case in exercise_named(NAME).cases]
    assert named(lambda key, outputs: spoiled(key, outputs, cases=[k for k in every if k != "plain"])) is None
