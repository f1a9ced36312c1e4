"""What an exception says: the name that may be meant, and what a bare assertion compares."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch

from autograder.runner.child import call
from autograder.runner.failure import Kind, describe, nearest, plainly, said_of
from autograder.runner.wall.cells import Cells


def said(function):
    with pytest.raises(Exception) as raised:
        function()
    return said_of(raised.value)


def test_a_misspelt_name_is_said_beside_the_nearest_one():
    assert said(lambda: exec("np.arrange(3)", {"np": np})).endswith("has no attribute 'arrange'; did you mean arange?")
    assert said(lambda: exec("offsets = 3\nofsets")) == "name 'ofsets' is not defined; did you mean offsets?"
    assert said(lambda: exec("np.qqq", {"np": np})) == "module 'numpy' has no attribute 'qqq'"
    assert nearest("l", {"tl", "ln"}) == ""


@pytest.mark.parametrize("assertion, compared", [
    ("assert value.shape == tile.shape", ": value.shape is (16, 16) and tile.shape is (1, 16)"),
    ("assert len(value.shape) == n", ": n is 3"),
    ("assert not value.shape", ""),
    ("assert (n ==", ""),
])  # fmt: skip
def test_an_assertion_without_a_message_says_what_it_compares(tmp_path, assertion, compared):
    path = tmp_path / "of_a_library.py"
    rest = " 4)" if assertion.endswith("==") else ""
    path.write_text(f"{assertion}\n{rest}")
    names = {"value": SimpleNamespace(shape=(16, 16)), "tile": SimpleNamespace(shape=(1, 16)), "n": 3}
    assert said(lambda: exec(compile(path.read_text(), path, "exec"), names)) == assertion + compared


def test_numbers_of_triton_s_are_said_as_they_are():
    assert plainly("fp32[constexpr[16], constexpr[64]] is no tile") == "fp32[16, 64] is no tile"


@pytest.mark.parametrize("too_large, message", [
    (lambda: torch.empty(10**13), "asked for 40 TB of memory at once, more than there is"),
    (lambda: [0] * 10**14, "asked for more memory than there is"),
    (lambda: np.ones(10**14), "Unable to allocate 728. TiB for an array with shape (100000000000000,)"),
])  # fmt: skip
def test_whoever_asks_for_too_much_memory_is_told_how_much(too_large, message):
    with pytest.raises((MemoryError, RuntimeError)) as raised:
        too_large()
    raised.value.add_note("on rank 1")
    found = describe(raised.value)
    assert found.kind == "MemoryError"
    assert found.message.startswith(message) and found.message.endswith(" (on rank 1)")


def test_frames_of_c_plus_plus_are_left_out_of_a_message():
    assert said(lambda: torch.empty(10**19)).endswith('"Overflow when unpacking long long')


@pytest.mark.parametrize(
    "source, arguments, said",
    [
        ("class f: pass", ["x"], "f is not a function"),
        ("def f(**given): pass", ["init", "steps"], "f is not a class"),
        ("f = 7", ["x"], "no function f is defined"),
        ("f = 7", ["init", "steps"], "no class f is defined"),
    ],
)
def test_a_class_is_told_from_a_function(source, arguments, said):
    cells = Cells(describe)
    cells.define("f", source)
    reply, _ = call(cells, {"function": "f", "arguments": dict.fromkeys(arguments)}, [])
    assert reply["failure"]["kind"] == Kind.NOT_DEFINED and reply["failure"]["message"] == said


FAILING = {
    "an import": "import nowhere_at_all",
    "a call": "check_answer('overflow_at', 89)",
    "an assertion": "x = 3\nassert x == 4, [\n    x,\n]",
    "an end": "raise SystemExit",
    "a decorated function": "@nothing\ndef g(): pass",
    "several": "nothing\nnothing_else\nfor i in range(3):\n    1 / 0",
    "with a future": "nothing",
}


@pytest.mark.parametrize("failing", FAILING.values(), ids=list(FAILING))
def test_a_statement_that_fails_costs_no_other_function(failing):
    cells = Cells(describe)
    failure = cells.define("f", f"from __future__ import annotations\n{failing}\ndef f(x: Later): return x\n")
    assert failure is not None and failure.line >= 2
    made = cells.anew("f")
    assert made(7) == 7 and made.__annotations__ == {"x": "Later"}


def test_what_was_to_be_bound_by_a_statement_that_fails_is_not_what_it_was_before():
    """The text is read before it is run, where what it binds itself is taken for its own."""
    cells = Cells(describe)
    cells.define("setup", "helper = 1\n")
    cells.define("f", "exec = nothing\nhelper = nothing\nother = nothing\nmine = 1\nx = [mine, nothing]\n")
    assert cells.namespace["exec"] is None and cells.namespace["helper"] is None and cells.namespace["mine"] == 1
    assert not {"other", "x"} & cells.namespace.keys()


@pytest.mark.parametrize("ends", ["raise MemoryError", "raise KeyboardInterrupt", "bytearray(1 << 62)"])
def test_what_ends_a_cell_ends_it(ends):
    cells = Cells(describe)
    assert cells.define("f", f"{ends}\ndef f(x): return x\n") is not None
    assert "f" not in cells.namespace


@pytest.mark.parametrize("source, said", [
    ("x = " + "-" * 20_000 + "1", "the code is nested too deeply for Python's compiler"),
    ("x = " + "+".join("1" * 20_000), "the code is nested too deeply for Python's compiler"),
    ("x = '\ud800'", "half of a character (a lone surrogate) stands in the code; type it anew"),
])  # fmt: skip
def test_code_that_cannot_be_compiled_is_a_syntax_error_in_words(source, said):
    failure = Cells(lambda error, home: describe(error, home)).define("cell", source)
    assert failure is not None and (failure.kind, failure.message) == ("SyntaxError", said)
