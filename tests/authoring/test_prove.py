"""The author's proof, exercise by exercise, and that the proof finds what is wrong."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from autograder.authoring import prove
from autograder.judging.prepare import PUBLIC_SEED, prepare_case
from autograder.spec.catalogue import exercise_named, exercises, lesson_of
from autograder.spec.edits import Mutant, Swap
from autograder.spec.exercise import Case
from tests import proofs


@pytest.mark.no_cover  # which would take two thirds more
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", exercises())
def test_the_exercise_is_proved(name):
    """Not again while nothing has changed that it depends on."""
    assert proofs.of_exercise(name).problems() == []


def form(**changes):
    exercise = exercise_named("safe_softmax")
    return " | ".join(prove._form(replace(exercise, **changes), lesson_of(exercise)))


def test_the_form_is_proved():
    exercise = exercise_named("safe_softmax")
    assert form() == ""
    assert "4 mutants; needs 5" in form(mutants=exercise.mutants[:4])
    assert "same name" in form(cases=[*exercise.cases, exercise.cases[0]])
    assert "2 cases have the key 'plain'" in form(cases=[*exercise.cases, exercise.cases[0]])
    for malformed in ("Plain", "two words", "", "-plain", "a_b", "a--b", "x" * 29):
        assert f"the key {malformed!r} is not" in form(cases=[*exercise.cases, Case(malformed, "c", lambda rng: {})])
    assert "no case covers 'masked row'" in form(cases=[c for c in exercise.cases if "masked row" not in c.regimes])
    assert "'tame' is not a regime" in form(cases=[*exercise.cases, Case("c", "c", lambda rng: {}, ("tame",))])


def problems(check, monkeypatch, name="safe_softmax", **changes):
    """What a part of the proof says of an exercise with some of its fields changed."""
    changed = replace(exercise_named(name), **changes)
    monkeypatch.setitem(exercises(), name, changed)
    from autograder.judging.diagnosis.mistakes import mutant_observation, mutant_outputs, mutant_values
    from autograder.judging.prepare import _prepared

    for cached in (_prepared, mutant_outputs, mutant_values, mutant_observation):
        cached.cache_clear()
    found = " | ".join(check(changed))
    for cached in (_prepared, mutant_outputs, mutant_values, mutant_observation):
        cached.cache_clear()
    return found


def test_a_mutant_that_survives_is_reported(monkeypatch):
    first = exercise_named("safe_softmax").cases[0].key
    harmless = Mutant("harmless", "nothing is wrong", Swap("numerator / np", "1 * numerator / np"), killed_by=first)
    assert "survives the case" in problems(prove._mutants, monkeypatch, mutants=[harmless])
    elsewhere = replace(exercise_named("safe_softmax").mutants[0], killed_by=first)
    assert "survives the case" in problems(prove._mutants, monkeypatch, mutants=[elsewhere])
    twice = problems(partial(prove._mutants, diagnosed=2), monkeypatch, mutants=[elsewhere, elsewhere])
    assert twice.count("survives the case") == 2


def test_a_mutant_that_breaks_a_bound_in_another_case_than_it_names_is_reported(monkeypatch):
    """Of attention_by_blocks, where memory is bounded in both of these cases."""
    find = {mutant.key: mutant for mutant in exercise_named("attention_by_blocks").mutants}.__getitem__
    breaks = find("all-scores")
    assert breaks.killed_by == "strided-memory"
    said = partial(problems, prove._mutants, monkeypatch, "attention_by_blocks")
    assert said(mutants=[breaks]) == ""
    assert said(mutants=[replace(breaks, killed_by="many-keys")]) == "`all-scores` survives the case `many-keys`"


def test_mending_a_sentence_changes_no_input_and_no_mutant_s_case(monkeypatch):
    exercise = exercise_named("safe_softmax")
    mended = [replace(case, name=f"in other words, {case.name}") for case in exercise.cases]
    for before, after in zip(exercise.cases, mended):
        drawn = [prepare_case(exercise, case, PUBLIC_SEED).arguments["x"] for case in (before, after)]
        assert np.array_equal(*drawn)
    other = prepare_case(exercise, replace(before, key="other"), PUBLIC_SEED)
    assert not np.array_equal(drawn[0], other.arguments["x"])
    assert problems(prove._mutants, monkeypatch, cases=mended) == ""


def test_keys_are_well_formed_and_unique():
    for exercise in exercises().values():
        keys = [case.key for case in exercise.cases]
        assert list(prove._keys(keys)) == [], exercise.name


def test_a_mutant_that_matches_twice_or_is_not_told_apart_is_reported(monkeypatch):
    exercise = exercise_named("safe_softmax")
    twice = Mutant("m", "m", Swap("np.where", "np.where"), killed_by=exercise.cases[0].key)
    assert "does not apply" in problems(prove._mutants, monkeypatch, mutants=[twice])
    both = [exercise.mutants[0], replace(exercise.mutants[0], key="twin")]
    assert "`twin` is diagnosed as" in problems(prove._mutants, monkeypatch, mutants=both)


def test_a_wrong_oracle_is_reported(monkeypatch):
    assert "does not pass with seed public" in problems(
        prove._solution, monkeypatch, oracle=lambda x: exercise_named("naive_softmax").oracle(x) * 1.001
    )


def test_a_first_case_that_zeros_satisfy_is_reported(monkeypatch):
    cases = exercise_named("safe_softmax").cases
    single = next(c for c in cases if "single" in c.regimes)
    assert "earns points for answering with ones" in problems(
        prove._trivial_answers, monkeypatch, cases=[single, *cases]
    )


def test_a_tolerance_that_lets_low_precision_pass_is_reported(monkeypatch):
    from autograder.spec.exercise import Tolerance

    loose = Tolerance(factor=1e9, mean_factor=1e9)
    assert "rounded to a lower precision" in problems(prove._lower_precision, monkeypatch, tolerance=loose)


def test_the_parts_of_a_lesson_are_its_exercises_and_its_files():
    lesson = lesson_of(exercise_named("naive_softmax"))
    assert prove.parts(lesson) == [*(exercise.name for exercise in lesson.exercises), prove.FILES]
