"""From a solution's source to what the learner opens."""

import ast

import pytest

from autograder.spec.catalogue import exercise_named, exercises
from autograder.spec.starter import with_rules

ONE_LINE = 'def f(x):\n    """Twice x."""\n    return 2 * x\n'
LONGER = 'def f(x):\n    """Twice x.\n\n        y = 2 x\n    """\n    return 2 * x\n\n\ndef g(x):\n    return x\n'
PLAIN = 'class f:\n    """Twice x.\n\n    x: a number.\n    """\n    y = 1\n'


@pytest.mark.parametrize(("source", "apart"), [(ONE_LINE, True), (LONGER, True), (PLAIN, False)])
def test_rules_stand_at_the_end_of_the_docstring(source, apart):
    text = with_rules(source, "f", "Forbidden: add. " + "Words without an end. " * 9)
    (function, *_) = ast.parse(text).body
    assert isinstance(function, ast.FunctionDef | ast.ClassDef)
    documented = ast.get_docstring(function) or ""
    assert documented.startswith("Twice x.") and documented.endswith("an end.")
    assert ("\n\nForbidden" in documented) == apart
    assert max(map(len, text.splitlines())) <= 100
    assert ast.dump(ast.parse(text)) != ast.dump(ast.parse(source))
    assert text.endswith(source.split('"""')[-1])


@pytest.mark.parametrize("exercise", exercises().values(), ids=lambda exercise: exercise.name)
def test_every_contract_says_what_is_forbidden(exercise):
    said = exercise.starter if exercise.backend != "cuda" else ""
    if exercise.backend == "triton":
        assert "may only allocate and take views" in " ".join(said.split())
    elif exercise.backend != "cuda":
        assert all(word in said for word in exercise.forbidden)


def test_functions_that_an_answer_has_to_call_are_rules():
    exercise = exercise_named("flash_decode")
    assert "It calls number_of_splits and split_decode." in exercise.rules
    assert "It calls number_of_splits and split_decode." in " ".join(exercise.starter.split())
