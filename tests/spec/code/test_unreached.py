"""What is never run where answers are graded."""

import ast

import pytest

from autograder.spec.code.unreached import without_unreached

UNREACHED = {
    "main": "if __name__ == '__main__':\n    gone()",
    "main the other way round": "if '__main__' == __name__: gone(); gone()",
    "a switch that is off": "DEBUG = False\ndef f(x):\n    if DEBUG:\n        import gone\n        gone(x)",
    "a level": "LEVEL: int = 1\nif LEVEL >= 2:\n    gone(\n        LEVEL)",
    "a part": "DEBUG = 0\ndef f(x):\n    if DEBUG and x.any(): gone()",
    "all parts": "A, B = 1, 2\nC = None\nif C or False:\n    gone()",
    "not a switch": "FAST = True\nif not FAST:\n    gone()",
    "a function with a decorator": "if False:\n    @gone\n    def gone():\n        gone",
    "within one that is run": "if __name__ != '__main__':\n    if 1 == 2:\n        gone()",
}
REACHED = {
    "a parameter": "DEBUG = 0\ndef f(DEBUG):\n    if DEBUG: here()",
    "changed": "DEBUG = 0\nif DEBUG: here()\nDEBUG = 1",
    "changed from within": "DEBUG = 0\ndef f():\n    global DEBUG\n    DEBUG = 1\nif DEBUG: here()",
    "changed in place": "DEBUG = 0\nDEBUG += 1\nif DEBUG: here()",
    "bound by a loop": "DEBUG = 0\nfor DEBUG in range(3):\n    if DEBUG: here()",
    "bound by a pattern": "D = 0\nmatch 1:\n    case D: pass\nif D: here()",
    "bound by an import": "D = 0\nfrom a import b as D\nif D: here()",
    "bound by who knows": "pi = 0\nfrom math import *\nif pi: here()",
    "bound by a walrus": "D = 0\nif (D := 1): here()",
    "what is not known": "if not x: here()",
    "what cannot be compared": "if 1 < 'a': here()",
    "__name__ that is bound": "__name__ = '__main__'\nif __name__ == '__main__': here()",
    "else": "if False:\n    pass\nelif x: here()\nelse: here()",
}


@pytest.mark.parametrize("source", UNREACHED.values(), ids=list(UNREACHED))
def test_what_is_not_run_is_left_out(source):
    text = without_unreached(source)
    assert "gone" not in text and text.count("\n") == source.count("\n")
    ast.parse(text)


@pytest.mark.parametrize("source", REACHED.values(), ids=list(REACHED))
def test_what_may_be_run_stays(source):
    assert without_unreached(source).count("here()") == source.count("here()")


def test_a_text_that_does_not_parse_stays_as_it_is():
    assert without_unreached("if False:\nreturn )") == "if False:\nreturn )"
