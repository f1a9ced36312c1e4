"""Where kernels are compiled, the interpreter looks at a call first: here it is told that they are."""

import numpy as np
import pytest

from autograder.backends import ahead, backend_of, function_from, triton
from autograder.runner.failure import Failure, Kind, describe
from autograder.runner.observe import Observation, observe
from autograder.runner.wall.cells import Cells
from autograder.spec import interpreter
from autograder.spec.catalogue import exercise_named

pytestmark = pytest.mark.skipif(not interpreter.has_triton(), reason="Triton is not installed on this machine")
MASK = "mask = offsets < n"


@pytest.fixture
def compiled(monkeypatch):
    """As on a GPU; and what is launched there after the interpreter has looked."""
    calls = []
    monkeypatch.setattr(triton, "interpreted", lambda: False)
    monkeypatch.setattr(ahead, "launched", lambda *given, **options: calls.append(given) or launch(*given))
    return calls


def launch(cells, name, arguments):
    there = Cells(describe)
    for label, source in cells:
        there.define(label, source)
    if name not in there.namespace:
        return Observation(failure=Failure(Kind.NOT_DEFINED, f"no function {name} is defined"))
    seen = observe(there.namespace[name], arguments, "triton")
    seen.counts.clear()  # nothing can be counted on a GPU
    return seen


def call(function):
    exercise = exercise_named("vector_add")
    x = np.arange(100, dtype=np.float32)
    return backend_of(exercise).call(exercise, function, {"x": x, "y": x, "tile": 64}, True)


def test_an_access_out_of_bounds_is_never_launched(compiled):
    exercise = exercise_named("vector_add")
    assert MASK in exercise.source
    seen = call(function_from(exercise, exercise.source.replace(MASK, f"{MASK} + 28"), "beyond"))
    assert seen.failure.kind == "OutOfBounds" and "vector_add_kernel" in seen.failure.message
    assert compiled == []


def test_an_answer_that_uses_what_cannot_be_sent_is_called_here(compiled, monkeypatch):
    lost = Observation(failure=Failure(Kind.NOT_DEFINED, "no function vector_add is defined"))
    monkeypatch.setattr(ahead, "launched", lambda *given, **options: lost)
    seen = call(exercise_named("vector_add").function)
    assert seen.failure is None and len(seen.outputs) == 1


def test_a_right_kernel_is_launched_and_its_bytes_are_the_interpreters(compiled):
    seen = call(exercise_named("vector_add").function)
    assert seen.failure is None and len(compiled) == 1
    assert (seen.counts["loaded_bytes"], seen.counts["stored_bytes"]) == (2 * 400, 400)
