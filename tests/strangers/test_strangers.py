"""Strangers' answers as tests: of each exercise a right one passes, and a wrong one does not.

`make proof` takes them all; REPORT.md says what it found.
"""

import pytest

from autograder.spec.catalogue import exercises
from autograder.spec.user_error import UserError
from tests import proofs
from tests.strangers.examine import NOT_SEEN_YET, answers, as_command, chosen, is_explained, result_of, undeserved
from tests.strangers.seeds import failing, passes


@pytest.mark.no_cover
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", exercises())
def test_strangers_get_what_they_deserve(name):
    """Not again while nothing has changed that it depends on."""
    chosen = proofs.tried(name)
    assert any(answer.is_right for answer in chosen) and not all(answer.is_right for answer in chosen)
    assert proofs.of_strangers(name).problems() == []


@pytest.mark.no_cover
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", [name for name in exercises() if proofs.cheats(name)])
def test_no_cheat_gets_full_points(name):
    assert proofs.of_cheats(name).problems() == []


@pytest.mark.no_cover
@pytest.mark.parametrize("name", [name for name in exercises() if proofs.once_misled(name)])
def test_no_false_cause_is_named_again(name):
    assert proofs.of_false_causes(name).problems() == []


def test_every_answer_says_what_it_is():
    for answer in answers():
        assert answer.path.name.startswith(("right_", "wrong_", "cheat_")) and len(answer.about) > 10, answer.label


def test_a_seed_is_tried_on_every_case():
    right = next(a for a in answers(("safe_softmax",)) if a.is_right)
    wrong, first = next((a, cases) for a in answers(("safe_softmax",)) if (cases := failing(result_of(a))))
    assert passes(right, "a seed", []) and not passes(wrong, "a seed", []) and not passes(wrong, "a seed", first)


def test_the_examination_fails_for_what_is_refused_what_slips_through_and_what_could_not_be_graded():
    right, wrong = (next(a for a in answers() if a.kind == kind) for kind in ("right", "wrong"))
    known = next(a for a in answers() if a.label in NOT_SEEN_YET)

    def said(answer, status):
        return [*undeserved([(answer, {"status": status, "note": "why"})])]

    assert said(right, "pass") == said(wrong, "fail") == said(wrong, "flagged") == said(known, "pass") == []
    assert said(right, "flagged") == [f"taken for what it is not: {right.label}"]
    assert said(wrong, "pass") == [f"taken for what it is not: {wrong.label}"]
    assert said(wrong, "infra") == [f"not graded: {wrong.label}: why"]


def test_a_name_that_is_no_exercise_is_not_passed_over():
    assert chosen(["row_max", "safe_softmax"]) == ["safe_softmax", "row_max"]
    with pytest.raises(SystemExit, match="'safe_softmx' is not an exercise"):
        chosen(["safe_softmax", "safe_softmx"])


def test_what_explains_a_failure():
    case = {"status": "fail", "line": 0, "max_error": 1.0, "tolerance": 0.1}
    result = {"diagnosis": None, "over_budget": [], "cases": [case]}
    assert not is_explained(result)
    assert is_explained(result | {"cases": [case | {"line": 3}]})
    assert is_explained(result | {"cases": [case | {"max_error": None}]})
    assert is_explained(result | {"cases": [case | {"max_error": 0.01}]})
    assert is_explained(result | {"diagnosis": {"key": "a"}})


def test_an_examination_that_cannot_go_on_says_why_in_one_sentence():
    def ended(names):
        raise UserError("the process at naive_softmax/right_rows was killed by SIGKILL")

    with pytest.raises(SystemExit, match=r"^the process at naive_softmax/right_rows was killed by SIGKILL\.$"):
        as_command(ended)
