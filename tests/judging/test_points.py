"""What an answer keeps, line by line of README's table."""

from dataclasses import replace

import pytest

from autograder.judging.points import SHARES, score
from autograder.judging.verdict import CaseResult, OverBudget
from autograder.spec.catalogue import exercise_named
from autograder.spec.folders import ROOT

EXERCISE = exercise_named("lazy_attention")  # its memory is its point
KEYS = [case.key for case in EXERCISE.cases]


def results(*failed, status="fail"):
    return [CaseResult(key, key, status if key in failed else "pass") for key in KEYS]


def over(*kinds):
    return [OverBudget(kind, kind) for kind in kinds]


def test_the_table_in_readme_says_the_same():
    words = {0.0: "nothing", 0.25: "a quarter", 0.5: "half"}
    table = (ROOT / "README.md").read_text().partition("| an answer that | keeps |")[2].partition("\n\n")[0]
    kept = dict(row.strip("| ").split(" | ") for row in table.strip().splitlines()[1:])
    assert [*kept.values()] == [
        "nothing",
        f"at most {words[SHARES.wrong]}, shared out over the situations that the exercise tries",
        words[SHARES.over_budget],
        words[SHARES.missed_the_point],
        words[SHARES.forbidden],
    ]
    assert SHARES.broken_puzzle == SHARES.forbidden  # which one row says of both


def test_all_right_keeps_all():
    assert score(EXERCISE, results(), []) == ("pass", EXERCISE.points)


@pytest.mark.parametrize("status", ["fail", "error", "timeout", "memory"])
def test_who_misses_the_first_case_keeps_nothing(status):
    assert score(EXERCISE, results(KEYS[0], status=status), []) == (status, 0)


@pytest.mark.parametrize("kind", ["operations", "names"])
@pytest.mark.parametrize(
    ("status", "found"), [("error", "error"), ("fail", "fail"), ("timeout", "fail"), ("memory", "fail")]
)
def test_what_is_forbidden_fails_however_busy_the_machine_was(kind, status, found):
    assert score(EXERCISE, results(KEYS[-1], status=status), over(kind)) == (found, 0)


@pytest.mark.parametrize("failed", [[key] for key in KEYS[1:]] + [KEYS[1:]])
def test_who_fails_another_case_keeps_a_part_of_what_a_wrong_answer_may(failed):
    status, points = score(EXERCISE, results(*failed), [])
    assert points < EXERCISE.points * SHARES.wrong and status == ("partial" if points else "fail")


def test_a_situation_counts_once_however_many_cases_it_has():
    masked = next(case for case in EXERCISE.cases if case.regimes == ("masked row",))
    once = score(EXERCISE, results(masked.key), [])
    twice = replace(EXERCISE, cases=[*EXERCISE.cases, replace(masked, key="again", also=masked.regimes)])
    both = [*results(masked.key), CaseResult("again", "again", "fail")]
    assert score(twice, both, []) == once


@pytest.mark.parametrize(
    ("name", "kind", "share"),
    [
        ("lazy_attention", "memory", SHARES.missed_the_point),
        ("vector_add", "traffic", SHARES.over_budget),
        ("lazy_attention", "compile", SHARES.over_budget),
        ("lazy_attention", "calls", SHARES.over_budget),
        ("lazy_attention", "operations", SHARES.forbidden),
        ("scale_columns", "sectors", SHARES.broken_puzzle),
    ],
)
def test_what_right_values_keep_that_break_a_rule(name, kind, share):
    exercise = exercise_named(name)
    right = [CaseResult(case.key, case.name, "pass") for case in exercise.cases]
    assert score(exercise, right, over(kind)) == ("partial" if share else "fail", exercise.points * share)
    assert score(exercise, right, over(kind, "operations"))[1] == 0


def test_what_a_person_has_to_see_earns_nothing_yet():
    assert score(EXERCISE, results(KEYS[2], status="flagged"), []) == ("flagged", 0)
