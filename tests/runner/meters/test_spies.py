"""How often helpers are called, and what goes through main memory, as the checker counts it."""

import contextlib
import functools
import sys
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch

from autograder.runner.meters.operations import PAST_MEMORY, OperatorsAndBytes
from autograder.runner.meters.spies import BEFORE, BY_NUMBERS, MADE, READER, TOOK, Spies
from autograder.runner.observe import observe
from autograder.runner.protocol import observation_message, read_observation
from kernels.tiled_attention import Memory

X = {"x": np.ones((4, 2), np.float32)}


def helper(x):
    return x + 1


def rule(of, most):
    return min(of, most)


class Base:
    def __init__(self):
        self.made = True


class Derived(Base):
    pass


class Halves:
    def halve(self, x):
        return x / 2


def uses_halves(x):
    halves = Halves()
    return halves.halve(halves.halve(x))


def uses_halves_in_name_only(x):
    Halves().halve(x)
    return x / 4


def calls(x):
    for _ in range(3):
        x = helper(x)
    return x


def calls_nothing(x):
    for _ in ():
        helper(x)
    return x + 3


def makes(x):
    Derived()
    Base()
    return x * 2


def loads_twice(x):
    hbm = Memory(X=x, Y=torch.zeros_like(x))
    hbm.store("Y", 0, 2 * hbm.load("X", 0, 3) + hbm.load("X", 0, 3))
    hbm.loads = 1
    return hbm.tensors["Y"]


def loads_each_row(x):
    hbm = Memory(X=x, Y=torch.zeros_like(x))
    for row in range(len(x)):
        hbm.store("Y", row, 2 * hbm.load("X", row, row + 1))
    return hbm.tensors["Y"]


def reads_past(x):
    hbm = Memory(X=x)
    return hbm.tensors["X"] * 2


def test_calls_are_counted_where_they_are_made():
    assert observe(calls, X, "torch", spied=["helper"]).called == {"helper": 3}
    assert observe(calls_nothing, X, "torch", spied=["helper"]).called == {}
    assert observe(makes, X, "torch", spied=["Base", "Derived"]).called == {"Base": 2, "Derived": 1}
    module = sys.modules[__name__]
    assert module.helper(1) == 2 and "__init__" not in vars(Derived)  # everything is as it was
    assert observe(calls, X, "torch").called == {}


class Halved(NamedTuple):
    x: torch.Tensor
    sizes: Any

    def __iter__(self):
        return iter([])


def halves(x):
    return Halved(x / 2, torch.sort(x.flatten()))


def uses_a_named_tuple(x):
    return 2 * halves(x).x + halves(x).sizes.values[0]


def test_a_named_tuple_that_a_helper_returns_can_be_altered_and_keeps_its_names():
    function = uses_a_named_tuple
    spies = Spies(function, ["halves"])
    x = torch.ones(2)
    with spies:
        assert function(x).tolist() == [2, 2]
    assert spies.numeric == {"halves"}
    with Spies(function, ["halves"], altered="halves"):
        assert function(x).tolist() == [2 * 1.25 + 1.5] * 2


def test_what_is_kept_of_an_earlier_call_is_counted_in_a_later_one():
    kept = []

    def keeps(x):
        kept.append(Memory.load)
        hbm = Memory(X=x)
        return hbm.load("X", 0, 3) + kept[0](hbm, "X", 0, 3)

    assert observe(keeps, X, "torch", spied=["Memory"]).called["Memory.load"] == 2 * 3 * 2
    assert len(kept) == 2  # the call is rehearsed
    assert observe(keeps, X, "torch", once=True, spied=["Memory"]).called["Memory.load"] == 2 * 3 * 2


def test_calls_are_counted_in_numbers_where_that_is_asked():
    names = ["helper", f"helper{BY_NUMBERS}"]
    assert observe(calls, X, "numpy", spied=names).called == {"helper": 3, names[1]: 3 * 8}


def test_the_numbers_that_a_helper_is_given_are_told_in_float32():
    def calls(x):
        return helper(x.astype(np.float64)) + helper(x=x[:1])

    names = ["helper", f"helper{TOOK}"]
    x = np.array([[1.5, -np.inf], [0.1, 1.5]], np.float32)
    given = observe(calls, {"x": x}, "numpy", once=True, spied=names).numbers[f"helper{TOOK}"]
    assert given == {1.5, -np.inf, float(np.float32(0.1))}


def test_the_numbers_that_a_helper_makes_of_others_are_told():
    def calls(x):
        return merge(x, np.zeros_like(x)) + merge(x, x)

    told = observe(calls, {"x": np.array([3.0])}, "numpy", once=True, spied=["merge", f"merge{TOOK}"]).numbers
    assert told[f"merge{MADE}"] == {6.0}  # and not the 3 that it was given


def merge(a, b):
    return a + b


def test_whole_numbers_that_a_helper_is_given_are_told_too():
    def calls(x):
        return helper(x[:1]) * rule(12, most=np.int64(3))

    names = ["rule", f"rule{TOOK}"]
    told = observe(calls, {"x": np.ones((1, 1), np.float32)}, "numpy", once=True, spied=names).numbers
    assert told[f"rule{TOOK}"] == {3, 12}


class Kept:
    def append(self, x):
        self.x = x


def keeps_by_rows(x):
    kept = Kept()
    for row in range(len(x)):
        kept.append(x[row : row + 1])
    return x + 0


def keeps_all_at_once(x):
    kept = Kept()
    kept.append(x)
    for _ in range(1, len(x)):
        kept.append(x[:0])
    return x + 0


@pytest.mark.parametrize("backend", ["numpy", "torch"])
def test_what_is_given_nothing_is_not_called(backend):
    """Of what returns nothing the numbers count that it is given."""
    names = ["Kept.append", f"Kept.append{BY_NUMBERS}"]
    assert observe(keeps_by_rows, X, backend, spied=names).called == {"Kept.append": 4, names[1]: 8}
    assert observe(keeps_all_at_once, X, backend, spied=names).called == {"Kept.append": 1, names[1]: 8}


class ToyModel:
    def step(self, cache, sequences, tokens):
        if not sequences:
            raise ValueError
        return len(sequences)


class Reads:
    def __init__(self, ahead):
        self.model, self.ahead = ToyModel(), ahead

    def submit(self, tokens):
        self.tokens = tokens
        if self.ahead:
            self.model.step(None, [0], [tokens])

    def step(self):
        with contextlib.suppress(ValueError):
            self.model.step(None, [], [])
        return self.model.step(tokens=[self.tokens, [1]], sequences=[0, 1], cache=None)


@pytest.mark.parametrize(("ahead", "read"), [(False, [[], [], [4]]), (True, [[], [3], [4]])])
def test_tokens_count_where_the_model_reads_them(ahead, read):
    """Those of a second object that is driven in turns do not, and a step that raises reads nothing; the first of all
    that is looked at is the making of the object.
    """
    steps = [("submit", {"tokens": [5, 6, 7]}), ("step", {})]
    seen = observe(Reads, {"init": {"ahead": ahead}, "steps": steps}, "torch", spied=[READER])
    assert seen.failure is None and seen.read == read
    assert read_observation(*observation_message(seen)).read == read


def test_numbers_count_that_go_through_main_memory_whatever_it_says_itself():
    seen = observe(loads_twice, X, "torch", spied=["Memory"])
    assert seen.called == {"Memory": 1, "Memory.load": 12, "Memory.store": 6, "Memory.load of rows 0 to 2": 2}
    assert PAST_MEMORY not in seen.operations


def test_as_many_rows_may_be_loaded_as_there_are():
    """One by one: a message that holds them all is no attack."""
    seen = observe(loads_each_row, {"x": np.ones((400, 2), np.float32)}, "torch", spied=["Memory"])
    again = read_observation(*observation_message(seen))
    assert again.called == seen.called and len(again.called) == 403


def test_reading_past_main_memory_is_seen_with_its_line():
    seen = observe(reads_past, X, "torch", spied=["Memory"])
    assert seen.operations[PAST_MEMORY] == reads_past.__code__.co_firstlineno + 2
    assert PAST_MEMORY not in observe(reads_past, X, "torch").operations


def sums_up_there(x):
    hbm = Memory(X=x, Y=torch.zeros_like(x))
    hbm.tensors["Y"].fill_(1)  # before anything is moved it may be made ready
    for i in range(0, len(x), 2):
        acc = hbm.tensors["Y"][i : i + 2]
        acc += hbm.load("X", i, i + 2)
    return hbm.tensors["Y"]


def test_writing_to_main_memory_past_its_methods_is_seen_with_its_line():
    seen = observe(sums_up_there, X, "torch", spied=["Memory"])
    assert seen.operations[PAST_MEMORY] == sums_up_there.__code__.co_firstlineno + 5


@functools.cache
def remembered(n):
    return n + 1


@torch.no_grad()
def decorated(x):
    hbm = Memory(X=x, Y=torch.zeros_like(x))
    hbm.store(tile=helper(hbm.load("X", 0, 4)), name="Y", start=0)
    return hbm.tensors["Y"] + remembered(1) + remembered(1)


class Inherits(Base):
    def __getattr__(self, name):
        return helper(name)


def test_decorators_and_keywords_hide_nothing():
    seen = observe(decorated, X, "torch", spied=["Memory", "helper", "remembered"])
    assert seen.failure is None and PAST_MEMORY not in seen.operations
    made = {"Memory": 1, "Memory.load": 8, "Memory.store": 8, "Memory.load of rows 0 to 3": 1}
    assert seen.called == made | {"helper": 1, "remembered": 2}


def test_an_answer_may_change_the_form_of_its_own_arrays():
    def guards(x):
        x.flags.writeable = False
        return x * 2

    def flattens(x):
        x.shape = (-1,)
        return x * 2

    for function in (guards, flattens):
        seen = observe(function, X, "numpy")
        assert seen.failure is None and seen.outputs and seen.outputs[0].ravel().tolist() == [2.0] * 8


def test_a_method_is_counted_and_known_to_be_idle():
    counted = observe(uses_halves, X, "numpy", once=True, spied=["Halves", "Halves.halve"])
    assert counted.called == {"Halves": 1, "Halves.halve": 2} and not counted.idle
    idle = observe(uses_halves_in_name_only, X, "numpy", once=True, spied=["Halves.halve"])
    assert idle.called == {"Halves.halve": 1} and idle.idle == ["Halves.halve"]
    assert Halves().halve(4) == 2, "the method is as it was"


class Rows:
    """Which does more than main memory's tensors do when rows of it are loaded."""

    clone = functools.partial(map, torch.exp)

    def __getitem__(self, rows):
        return self


def loads_what_is_no_tensor(x):
    rows: Any = Rows()
    return Memory(X=rows).load("X", 0, 2)


def loads_a_tensor(x):
    return Memory(X=x).load("X", 0, 2)


def test_main_memory_holds_tensors_alone():
    for function, problem in ((loads_what_is_no_tensor, "TypeError"), (loads_a_tensor, None)):
        seen = observe(function, X, "torch", once=True, spied=["Memory"])
        assert (seen.failure.kind if seen.failure else None) == problem


class Nothing:
    shape = (0,)

    def __add__(self, other):
        return np.ones((4, 2), np.float32)


def calls_with_what_says_that_it_is_empty(x):
    return helper(x) + helper(Nothing())


def test_a_call_with_what_only_says_that_it_is_empty_counts():
    assert observe(calls_with_what_says_that_it_is_empty, X, "numpy", once=True, spied=["helper"]).called["helper"] == 2


class Posing:
    """Looks like a tensor, and would compute where nothing counts."""

    dtype = np.dtype(np.float32)

    def untyped_storage(self):
        raise AssertionError("it runs out of sight")

    detach = tobytes = untyped_storage


def uses_helper(x):
    return helper(x)


def test_what_helpers_are_given_is_taken_down_out_of_sight():
    given = [torch.arange(3.0), torch.arange(3.0, dtype=torch.bfloat16), np.arange(3.0), torch.arange(3)]
    with Spies(uses_helper, ["helper"], looks=True) as spies, OperatorsAndBytes(lambda filename: True) as operators:
        for x in given:
            uses_helper(x)
        with contextlib.suppress(TypeError):
            uses_helper(Posing())
    sizes = [[size for _, _, size in call] for call in spies.given["helper"]]
    assert sizes == [[3], [3], [3], [], []] and set(operators.lines) == {"aten.add.Tensor"}


def test_what_is_handed_to_one_function_before_another_is_called_counts():
    names = ["first", "second", f"first{BEFORE}second"]
    space: dict[str, Any] = {}
    source = "def first(x): pass\ndef second(x): pass\ndef answer(x):\n"
    source += "    first(x[:2]); second(x)\n    first(x[:1]); first(x[:2]); second(x)\n    first(x[:1]); second(x)"
    exec(source, space)
    with Spies(space["answer"], names) as spies:
        space["answer"](np.ones(4))
    assert spies.called == {"first": 4, "second": 3, f"first{BEFORE}second": 3}
