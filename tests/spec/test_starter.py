"""From a solution's source to what the learner opens."""

import ast

import pytest

from autograder.spec.catalogue import exercise_named, exercises
from autograder.spec.starter import leading_to, names_bound, with_rules

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


def test_names_that_are_bound():
    source = "import numpy as np\nimport torch.nn\nfrom a import b as c\ndef f(): import d\nclass G: pass\nx = 1"
    assert names_bound(source) == {"np", "torch", "c", "f", "G"} and names_bound("def (") == set()


def test_of_a_file_an_exercise_is_judged_by_what_it_uses():
    source = "import a\ndef f(): g()\ndef g(): h\ndef h(): f()\nclass other:\n def z(self): y.softmax\n"
    source += "def after(): f()\nx = T"
    kept = [getattr(statement, "name", "") for statement in leading_to("f", source).body]
    assert kept == ["", "f", "g", "h", ""]
    assert "def after" in ast.unparse(leading_to("f", source, ["after"]))


def test_what_runs_when_something_is_defined_stays_whoever_uses_it():
    for unused in (
        "class A: evil",
        "class A(evil): pass",
        "@evil\ndef a(): pass",
        "def a(x=evil): pass",
        "def a(*, x=evil): 0",
        "def a(x: evil): pass",
        "def a() -> evil: pass",
        "class A:\n def b(self, x=evil): pass",
        "async def a(): evil",
        "def set(): evil",
        "def __getattr__(name): evil",
        "class A(Enum):\n def b(self): evil",
        "from functools import reduce as cache\n@cache\ndef a(): evil",
    ):
        kept = ast.unparse(leading_to("f", f"def f(): pass\n{unused}\ndef evil(): 'its body'"))
        assert "evil" in kept and ("its body" in kept or unused == "class A: evil"), kept


def test_what_is_handed_on_when_it_is_defined_is_read_though_nothing_names_it():
    for handed_on in (
        "found = []\n@found.append\ndef a(): evil",
        "found = []\n@found.append\nclass A:\n def b(self): evil",
        "def keep(f): pass\n@keep\ndef a(): evil",
        "found = []\nclass A:\n def b(): evil\n found.append(b)",
        "found = []\nclass A:\n @found.append\n def b(): evil",
    ):
        assert "evil" in ast.unparse(leading_to("f", f"def f(): pass\n{handed_on}"))
    for kept in ("@functools.cache\ndef a(): 'body'", "@dataclass\nclass A:\n @property\n def b(self): 'body'"):
        source = f"import functools\nfrom dataclasses import dataclass\ndef f(): pass\n{kept}"
        assert "body" not in ast.unparse(leading_to("f", source))


def test_functions_that_an_answer_has_to_call_are_rules():
    exercise = exercise_named("flash_decode")
    assert "It calls number_of_splits and split_decode." in exercise.rules
    assert "It calls number_of_splits and split_decode." in " ".join(exercise.starter.split())
