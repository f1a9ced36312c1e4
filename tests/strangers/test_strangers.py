"""Strangers' answers as tests: of each exercise a right one passes, and a wrong one does not.

`make proof` takes them all; REPORT.md says what it found.
"""

import hashlib

import pytest

from autograder.authoring import proof_cache
from autograder.grading.session import Clock, Session, worker_sandbox
from autograder.judging.judge import judge
from autograder.spec.catalogue import exercise_named, exercises
from tests.strangers.examine import LIMITS, NOT_SEEN_YET, SEED, answers, is_explained, submission_of
from tests.strangers.seeds import failing, passes


def tried(name):
    """The first right answer, and the first of the wrong ones that are seen."""
    all_of_them = answers((name,))
    wrong = [a for a in all_of_them if not a.is_right and a.label not in NOT_SEEN_YET]
    return [a for a in all_of_them if a.is_right][:1] + wrong[:1]


def passes_briefly(answer):
    """Whether it passes as in a class, but without Triton's compiler and the diagnosis, which take longest."""
    exercise = exercise_named(answer.exercise)
    given, _ = submission_of(answer).answers()
    with Session(worker_sandbox(LIMITS, None), exercise, given, Clock()) as session:
        verdict = judge(exercise, given[exercise.name].source, SEED, session.call, diagnosed=False)
    return verdict.status == "pass"


def mistaken(answer):
    """What the grader gets wrong of an answer."""
    passed = passes_briefly(answer)
    if passed != answer.is_right:
        yield f"{answer.label} {'passes' if passed else 'does not pass'}"


@pytest.mark.no_cover
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


def test_a_seed_is_tried_on_every_case():
    right = next(a for a in answers(("safe_softmax",)) if a.is_right)
    wrong = next(a for a in answers(("safe_softmax",)) if failing(a))
    assert (
        passes(right, "a seed", []) and not passes(wrong, "a seed", []) and not passes(wrong, "a seed", failing(wrong))
    )


def test_what_explains_a_failure():
    case = {"status": "fail", "line": 0, "max_error": 1.0, "tolerance": 0.1}
    result = {"diagnosis": None, "over_budget": [], "cases": [case]}
    assert not is_explained(result)
    assert is_explained(result | {"cases": [case | {"line": 3}]})
    assert is_explained(result | {"cases": [case | {"max_error": None}]})
    assert is_explained(result | {"cases": [case | {"max_error": 0.01}]})
    assert is_explained(result | {"diagnosis": {"key": "a"}})
