"""Cases tell apart what a contract tells apart: no two of its sizes are the same in all of them, and no default is
left untried. A wrong answer that takes the one for the other, or fails where nothing is given, would pass."""

import inspect
import re
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from autograder.spec.catalogue import exercises
from autograder.spec.exercise import Exercise

SHAPE = re.compile(r"((?:\w+, )*\w+): (?:\w+ )*\(([^()]*)\)")  # q, do: (B, H, N_q, d)


def parameters(exercise: Exercise) -> dict[str, inspect.Parameter]:
    function: Any = getattr(exercise.function, "fn", exercise.function)
    return {} if inspect.isclass(function) else dict(inspect.signature(function).parameters)


def drawn(exercise: Exercise) -> list[dict[str, Any]]:
    found = [case.draw(np.random.default_rng(number)) for number, case in enumerate(exercise.cases)]
    return [inputs for inputs in found if isinstance(inputs, dict)]


def sizes(exercise: Exercise, inputs: dict[str, Any]) -> dict[str, int]:
    """The contract's sizes: the letters of the shapes that its docstring states, and parameters that are integers."""
    names = parameters(exercise)
    found = {name: value for name, value in inputs.items() if type(value) is int and name in names}
    for those, shape in SHAPE.findall(inspect.getdoc(exercise.function) or ""):
        letters = [letter.strip() for letter in shape.split(",") if letter.strip()]
        for name in set(those.split(", ")) & set(inputs):
            has = getattr(inputs[name], "shape", ())
            if len(has) == len(letters):
                found |= {letter: n for letter, n in zip(letters, has) if letter.isidentifier()}
    return found


WITH_DEFAULTS = [
    (e, p.name)
    for e in exercises().values()
    for p in parameters(e).values()
    if p.default is not inspect.Parameter.empty
]


@pytest.mark.parametrize(("exercise", "name"), WITH_DEFAULTS, ids=lambda it: getattr(it, "name", it))
def test_what_has_a_default_is_given_and_left_out(exercise, name):
    given = [name in inputs for inputs in drawn(exercise)]
    assert not all(given), f"no case leaves {name} out"
    assert any(given), f"no case gives {name}"


@pytest.mark.parametrize("exercise", [e for e in exercises().values() if parameters(e)], ids=lambda e: e.name)
def test_no_two_sizes_are_the_same_in_all_cases_and_none_never_changes(exercise):
    """One that is left out is its default, which no other size is."""
    found = [sizes(exercise, inputs) for inputs in drawn(exercise)]
    names = sorted({name for case in found for name in case})
    assert not [pair for pair in combinations(names, 2) if all(len({case.get(n) for n in pair}) == 1 for case in found)]
    assert not [name for name in names if len({case.get(name) for case in found}) == 1]


ANY_STRIDES = {
    "flash_attention": "q k v",
    "row_delta": "o do",
    "key_value_gradients": "q k v do",
    "query_gradients": "q k v do",
    "attention_backward": "q k v do",
    "attention_with_gradients": "q k v",
    "dropout": "x",
    "dropout_forward": "q k v",
    "dropout_dkdv": "q k v do",
    "dropout_dq": "q k v do",
    "packed_attention": "q",
    "window_flash": "q k v",
    "flash_decode": "q",
}


@pytest.mark.parametrize("exercise", ANY_STRIDES)
def test_a_kernel_that_takes_any_strides_meets_each_array_with_no_contiguous_row(exercise):
    cases = drawn(exercises()[exercise])
    for name in ANY_STRIDES[exercise].split():
        arrays = [inputs[name] for inputs in cases if name in inputs]
        assert any(x.shape[-1] > 1 and x.strides[-1] != x.itemsize for x in arrays), name


OF_SEVERAL_WIDTHS = [e for e in exercises().values() if len({macros.get("D") for macros in e.builds}) > 1]


@pytest.mark.parametrize("exercise", OF_SEVERAL_WIDTHS, ids=lambda e: e.name)
def test_each_width_of_a_head_is_counted_in_each_type(exercise):
    """A kernel is compiled for each pair, so it can do something else for one of them alone."""
    counted = set()
    for number, case in enumerate(exercise.cases):
        if case.budget:
            x = next(x for x in case.draw(np.random.default_rng(number)).values() if np.ndim(x) == 4)
            counted.add((x.shape[-1], x.dtype.name))
    assert counted == {(d, dtype) for d in (64, 128) for dtype in ("float16", "bfloat16")}


OF_KERNELS = [e for e in exercises().values() if e.backend == "triton"]
TYPES, WIDTHS = ("float32", "float16"), (16, 32, 64, 128)  # bfloat16 is launched, and not computed


def heads_drawn(exercise: Exercise) -> set[tuple[int, str]]:
    """The widths and types of queries, or of what attention returned, where an exercise takes heads."""
    named = [inputs[name] for inputs in drawn(exercise) for name in ("q", "o") if name in inputs]
    return {(x.shape[-1], x.dtype.name) for x in named}


@pytest.mark.parametrize("exercise", [e for e in OF_KERNELS if heads_drawn(e)], ids=lambda e: e.name)
def test_each_width_of_a_head_is_drawn_in_each_type(exercise):
    """An answer that does something else where heads are so wide and numbers of that type would be free elsewhere."""
    missing = {(d, dtype) for d in WIDTHS for dtype in TYPES} - heads_drawn(exercise)
    assert not missing, f"no case has heads of {sorted(missing)}"
