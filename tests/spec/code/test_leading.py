"""What of a file an exercise is judged by."""

import ast

from autograder.spec.code.leading import leading_to


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
