"""Strangers' answers as tests: all right ones pass, and of each exercise one wrong one does not.

`python -m tests.strangers.examine` takes them all; REPORT.md says what it found.
"""

import hashlib

import pytest

from autograder.authoring import proof_cache
from autograder.spec.catalogue import exercise_named, exercises
from tests.strangers.examine import answers, is_explained, result_of

NOT_SEEN_YET = {
    "flash_decode/wrong_output_strides_of_q",
    "flash_decode/wrong_rounds_limit_up",
    "flash_delta/wrong_float16_bits",
    "flash_full/wrong_scaled_query_rounded",
    "flash_full/wrong_tf32_products",
    "fused_softmax/wrong_sum_in_input_dtype",
    "key_value_gradients/wrong_sums_in_input_dtype",
    "online_step/wrong_through_log_sum",
    "prefill_then_decode/wrong_cache_kept_between_calls",
    "thread_softmax/wrong_int_offset",
}


def tried(name):
    """The right answers, and the first of the wrong ones that are seen."""
    all_of_them = answers((name,))
    wrong = [a for a in all_of_them if not a.is_right and a.label not in NOT_SEEN_YET]
    return [a for a in all_of_them if a.is_right] + wrong[:1]


def mistaken(answer):
    """What the grader gets wrong of an answer."""
    passed = result_of(answer)["status"] == "pass"
    if passed != answer.is_right:
        yield f"{answer.label} {'passes' if passed else 'does not pass'}"


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", exercises())
def test_strangers_get_what_they_deserve(name):
    """Not again while nothing has changed that it depends on."""
    chosen = tried(name)
    assert any(answer.is_right for answer in chosen) and not all(answer.is_right for answer in chosen)
    digest = hashlib.sha256(b"".join(answer.path.read_bytes() for answer in chosen)).hexdigest()

    def problems():
        return [said for answer in chosen for said in mistaken(answer)]

    claim = f"the strangers' answers to {name} get what they deserve: {digest}"
    assert proof_cache.problems(claim, proof_cache.of_exercise(exercise_named(name)), problems) == []


def test_every_answer_says_what_it_is():
    for answer in answers():
        assert answer.path.name.startswith(("right_", "wrong_")) and len(answer.about) > 10, answer.label


def test_what_explains_a_failure():
    case = {"status": "fail", "line": 0, "max_error": 1.0, "tolerance": 0.1}
    result = {"diagnosis": None, "over_budget": [], "cases": [case]}
    assert not is_explained(result)
    assert is_explained(result | {"cases": [case | {"line": 3}]})
    assert is_explained(result | {"cases": [case | {"max_error": None}]})
    assert is_explained(result | {"cases": [case | {"max_error": 0.01}]})
    assert is_explained(result | {"diagnosis": {"key": "a"}})
