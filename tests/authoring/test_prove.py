"""The author's proof, exercise by exercise, and that the proof finds what is wrong."""

from dataclasses import replace
from functools import partial

import pytest

from autograder.authoring import proof_cache, prove
from autograder.spec.catalogue import exercise_named, exercises, lesson_of
from autograder.spec.exercise import Case, Mutant


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", exercises())
def test_the_exercise_is_proved(name):
    """As briefly as the tests can afford, and not again while nothing has changed that it depends on."""
    exercise = exercise_named(name)
    extent = prove.BRIEF[exercise.backend]

    def problems():
        return prove.exercise_problems(exercise, lesson_of(exercise), extent)

    assert proof_cache.problems(extent.claim(exercise), proof_cache.of_exercise(exercise), problems) == []


def form(**changes):
    exercise = exercise_named("safe_softmax")
    return " | ".join(prove._form(replace(exercise, **changes), lesson_of(exercise)))


def test_the_form_is_proved():
    exercise = exercise_named("safe_softmax")
    assert form() == ""
    assert "three hints" in form(hints=exercise.hints[:2])
    assert "three hints" in form(hints=[*exercise.hints[:2], " "])
    assert "4 mutants; needs 5" in form(mutants=exercise.mutants[:4])
    assert "same name" in form(cases=[*exercise.cases, exercise.cases[0]])
    assert "no case covers 'masked row'" in form(cases=[c for c in exercise.cases if "masked row" not in c.regimes])
    assert "'tame' is no regime" in form(cases=[*exercise.cases, Case("c", lambda rng: {}, regimes=("tame",))])


def problems(check, monkeypatch, **changes):
    """What a part of the proof says of safe_softmax with some of its fields changed."""
    changed = replace(exercise_named("safe_softmax"), **changes)
    monkeypatch.setitem(exercises(), "safe_softmax", changed)
    from autograder.judging.diagnose import mutant_observation, mutant_outputs
    from autograder.judging.prepare import prepare

    for cached in (prepare, mutant_outputs, mutant_observation):
        cached.cache_clear()
    found = " | ".join(check(changed))
    for cached in (prepare, mutant_outputs, mutant_observation):
        cached.cache_clear()
    return found


def test_a_mutant_that_survives_is_reported(monkeypatch):
    first = exercise_named("safe_softmax").cases[0].name
    harmless = Mutant("nothing is wrong", old="numerator / np", new="1 * numerator / np", killed_by=first)
    assert "survives the case" in problems(prove._mutants, monkeypatch, mutants=[harmless])
    elsewhere = replace(exercise_named("safe_softmax").mutants[0], killed_by=first)
    assert "survives the case" in problems(prove._mutants, monkeypatch, mutants=[elsewhere])
    twice = problems(partial(prove._mutants, diagnosed=2), monkeypatch, mutants=[elsewhere, elsewhere])
    assert twice.count("survives the case") == 2


def test_a_mutant_that_matches_twice_or_is_not_told_apart_is_reported(monkeypatch):
    exercise = exercise_named("safe_softmax")
    twice = Mutant("m", old="np.where", new="np.where", killed_by=exercise.cases[0].name)
    assert "does not apply" in problems(prove._mutants, monkeypatch, mutants=[twice])
    twin = replace(exercise.mutants[0], name="the same under another name")
    assert "is diagnosed as 'nothing'" in problems(prove._mutants, monkeypatch, mutants=[exercise.mutants[0], twin])


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
