"""Whose memory a result lies in, and what an answer did to its inputs, lists and chunks included."""

from typing import Any

import numpy as np
import pytest
import torch

from autograder.runner.arrays import Stream, as_numpy, as_torch, same_bits
from autograder.runner.meters.operations import OperatorsAndBytes
from autograder.runner.meters.sharing import shared
from autograder.runner.observe import observe
from autograder.runner.play import play


@pytest.mark.parametrize("make", [np.ones, torch.ones])
def test_a_view_is_told_from_new_memory(make):
    x = make((4, 4))
    assert shared([x, x[1:], x.T, x + 0, 3], {"x": x}) == ["i", "i", "ig", "", ""]
    assert shared([x[0]], {"blocks": [[x]]}) == ["i"]


def test_memory_that_no_kernel_has_written_is_marked_where_it_is_known():
    written, not_written = torch.ones(3), torch.ones(3)
    memory = {written.untyped_storage().data_ptr()}
    assert shared([written[1:], not_written, torch.ones(0)], {}, written=memory) == ["", "u", ""]
    assert shared([not_written], {}) == [""]


def test_a_tensor_made_from_an_array_is_the_array_s():
    x = np.ones((4, 4), np.float32)
    assert shared([torch.from_numpy(x[1:])[1]], {"x": x[1:]}) == ["i"]


class Keeps:
    def __init__(self):
        self.rows = [torch.zeros(3)]

    def own(self):
        return self.rows[0][:2]

    def copy(self):
        return self.rows[0].clone()

    def given(self, x):
        return x


def test_the_values_of_an_object_are_marked():
    marks: list[str] = []
    play(Keeps, {}, [("own", {}), ("copy", {}), ("given", {"x": torch.ones(2)})], marks=marks)
    assert marks == ["", "o", "", "", "", "i"]


class Shelf:
    """Rows that stand one after another; move: they stand at the end, and move up for each that comes."""

    def __init__(self, move):
        self.rows, self.n, self.move = torch.zeros(4), 0, move

    def put(self, x):
        if self.move:
            self.rows[:-1] = self.rows[1:].clone()
        self.rows[-1 if self.move else self.n] = x
        self.n += 1

    def filled(self):
        return self.rows[4 - self.n :] if self.move else self.rows[: self.n]


@pytest.mark.parametrize(("move", "mark"), [(False, "o"), (True, "om")])
def test_a_view_in_which_a_later_step_moves_what_is_stored_is_marked(move, mark):
    marks: list[str] = []
    steps = [step for x in (1.0, 2.0) for step in (("put", {"x": x}), ("filled", {}))]
    seen = play(Shelf, {"move": move}, steps, marks=marks)
    assert marks == ["", "", mark, "", "", "o"] and seen[-1].tolist() == [1, 2]


class Refuses(Shelf):
    """It writes, or not, where no view shows it, before it raises an error."""

    def refuse(self, writes):
        self.rows[3] = self.rows[3] + writes
        raise LookupError


@pytest.mark.parametrize("look", ["filled", ".rows"])
@pytest.mark.parametrize(("writes", "mark"), [(0.0, "o"), (1.0, "om")])
def test_what_is_refused_changes_nothing_where_no_view_shows_it_either(writes, mark, look):
    marks: list[str] = []
    steps = [("put", {"x": 1.0}), (look, {}), ("put", {"x": 2.0}), ("refuse", {"writes": writes})]
    play(Refuses, {"move": False}, steps, errors=["LookupError"], marks=marks)
    assert marks == ["", "", mark, "", ""]


def test_an_attribute_is_looked_at_and_may_change():
    marks: list[str] = []
    seen = play(Shelf, {"move": True}, [(".rows", {}), ("put", {"x": 2.0}), (".rows", {})], marks=marks)
    assert seen[1].tolist() == [0, 0, 0, 0] and seen[-1].tolist() == [0, 0, 0, 2]
    assert marks == ["", "o", "", "", "o"]


class Tidy(Shelf):
    """Whoever asks copies what is there out and back again, as `writes` says; or only looks."""

    def __init__(self, writes):
        super().__init__(move=False)
        self.writes = writes

    def filled(self):
        rows = super().filled()
        self.writes(rows)
        return rows


def looks(rows):
    rows.sum()


def copies_in_place(rows):
    rows.copy_(rows.clone())


def copies_by_data(rows):
    rows.data.copy_(rows.clone())


def copies_in_inference_mode(rows):
    with torch.inference_mode():
        rows.view(-1).copy_(rows.clone())


@pytest.mark.parametrize(
    ("writes", "mark"),
    [(looks, "o"), (copies_in_place, "ow"), (copies_by_data, "ow"), (copies_in_inference_mode, "ow")],
)
def test_who_looks_at_what_is_stored_writes_nothing(writes, mark):
    marks: list[str] = []
    steps = [step for x in (1.0, 2.0) for step in (("put", {"x": x}), ("filled", {}))]
    with OperatorsAndBytes(lambda filename: False) as operators:
        play(Tidy, {"writes": writes}, steps, marks=marks, writes_at=operators.writes_at)
    assert marks == ["", "", "o", "", "", mark]


class ClassLevel:
    held: list[int] = []

    def put(self, x):
        self.held.append(x)
        return len(self.held)


class ObjectLevel(ClassLevel):
    def __init__(self):
        self.held = []


@pytest.mark.parametrize(("kind", "counts"), [(ClassLevel, [1, 1, 1, 3]), (ObjectLevel, [1, 1, 1, 2])])
def test_two_objects_in_turns_show_what_they_share(kind, counts):
    kind.held = []
    assert play(kind, {}, [("put", {"x": 5}), ("put", {"x": 5})], turn=0) == counts


class Numbered:
    made = 0

    def __init__(self):
        Numbered.made += 1
        self.number = Numbered.made

    def get(self):
        return self.number


@pytest.mark.parametrize("turn", [0, 1])
def test_either_of_two_objects_in_turns_is_looked_at(turn):
    Numbered.made = 0
    assert play(Numbered, {}, [("get", {})], turn=turn) == [1, turn + 1]


@pytest.mark.parametrize(
    ("arguments", "change"),
    [
        ({"x": [3, 1, 2]}, lambda x: x.pop()),
        ({"x": {"a": 1}}, lambda x: x.update(b=2)),
        ({"x": [np.ones(2)]}, lambda x: x[0].__imul__(2)),
        ({"x": np.ones(2)}, lambda x: x.__imul__(2)),
    ],
)
@pytest.mark.parametrize("backend", ["numpy", "torch"])
def test_an_argument_that_is_changed_is_seen(arguments, change, backend):
    def changes(x):
        change(x)
        return torch.ones(1) if backend == "torch" else np.ones(1)

    def reads(x):
        _ = list(x)
        return torch.ones(1) if backend == "torch" else np.ones(1)

    assert observe(changes, arguments, backend).inputs_changed
    assert not observe(reads, arguments, backend).inputs_changed


def test_a_chunk_that_is_changed_is_seen():
    def changes(x):
        return sum((chunk.__imul__(2).sum() for chunk in x), 0.0)

    stream = Stream([np.ones(2), np.ones(2)])
    assert observe(changes, {"x": stream}, "numpy").inputs_changed
    assert not observe(lambda x: sum((chunk.sum() for chunk in x), 0.0), {"x": stream}, "numpy").inputs_changed


def test_a_view_of_a_chunk_is_no_new_memory():
    def first_column(x):
        return max((chunk[:, 0] for chunk in x), key=lambda column: column[0])

    stream = Stream([np.ones((2, 1)), np.zeros((2, 3))])
    assert observe(first_column, {"x": stream}, "numpy").shared == ["i"]
    assert observe(lambda x: first_column(x) + 0, {"x": stream}, "numpy").shared == [""]


def test_arrays_come_back_from_tensors():
    given = {"x": [np.arange(3.0), 5], "y": (np.float32(2),)}
    assert same_bits(given["x"], as_numpy(as_torch(given))["x"])


def test_results_of_two_calls_in_the_same_memory_are_marked():
    held = torch.zeros(3)

    def kept(x):
        return held.copy_(x)

    x = np.ones(3, np.float32)
    assert observe(kept, {"x": x}, "torch").shared == ["r"]
    assert observe(lambda x: 2 * x, {"x": x}, "torch").shared == [""]
    assert observe(kept, {"x": x}, "torch", once=True).shared == [""]  # made once


def test_who_remembers_a_call_by_its_arguments_addresses_is_wrong():
    seen_before: dict[int, torch.Tensor] = {}

    def remembered(x):
        return seen_before.setdefault(x.data_ptr(), 2 * x).clone()

    x = np.ones(3, np.float32)
    outputs = observe(remembered, {"x": x}, "torch").outputs
    assert outputs and not np.array_equal(outputs[0], 2 * x)
    assert observe(lambda x: 2 * x, {"x": x}, "torch").inputs_changed is False


def test_a_result_with_gaps_is_marked():
    x = np.ones((4, 4), np.float32)
    assert observe(lambda x: (2 * x).T, {"x": x}, "torch").shared == ["g"]
    assert observe(lambda x: np.asfortranarray(2 * x), {"x": x}, "numpy").shared == ["g"]


class Adopts:
    def __init__(self):
        self.rows = None

    def put(self, x):
        self.rows = x[:1]

    def put_a_copy(self, x):
        self.rows = x[:1].clone()


def test_an_object_that_keeps_its_arguments_memory_is_marked():
    marks: list[str] = []
    play(Adopts, {}, [("put_a_copy", {"x": torch.ones(2)}), ("put", {"x": torch.ones(2)})], marks=marks)
    assert marks == ["", "k"]


def hung_on_a_tensor(own, x):
    own.kept = torch.ones(3)
    own.kept.before = [x]


def among_objects(own, x):
    own.kept = np.array([None, x[:1]], dtype=object)


def a_default(own, x):
    own.kept = lambda y=x: y


def hung_on_a_function(own, x):
    own.kept = lambda: 0
    own.kept.before = x


@pytest.mark.parametrize("keep", [hung_on_a_tensor, among_objects, a_default, hung_on_a_function])
def test_wherever_an_object_keeps_it(keep):
    marks: list[str] = []
    kind = type("Kind", (), {"put": keep})
    play(kind, {}, [("put", {"x": torch.ones(2)})], marks=marks)
    assert marks == ["k"]


def test_a_list_that_was_sorted_in_place_was_changed():
    assert observe(lambda blocks: sorted(blocks)[0], {"blocks": [3, 1]}, "numpy").inputs_changed is False
    assert observe(lambda blocks: blocks.sort() or blocks[0], {"blocks": [3, 1]}, "numpy").inputs_changed is True


class Slotted:
    __slots__ = ("rows",)

    def __init__(self, rows):
        self.rows = rows


class KeepsInAnother:
    def __init__(self):
        self.parts: list[Any] = [Slotted(torch.zeros(3))]
        self.parts.append(self)  # a cycle

    def own(self):
        return self.parts[0].rows[:2]

    def put(self, x):
        self.parts.append(Slotted(x[:1]))


def test_memory_in_objects_of_an_object_is_its_own():
    marks: list[str] = []
    play(KeepsInAnother, {}, [("own", {}), ("put", {"x": torch.ones(2)})], marks=marks)
    assert marks == ["", "o", "k"]


class Numbers:
    """Hands out numbers in a list, always the same one or not."""

    def __init__(self, anew):
        self.anew, self.numbers = anew, []

    def next(self, n):
        self.numbers = [] if self.anew else self.numbers
        self.numbers[:] = range(n)
        return self.numbers


@pytest.mark.parametrize(("anew", "mark"), [(True, ""), (False, "o")])
def test_a_list_of_numbers_that_a_later_step_fills_anew_is_marked(anew, mark):
    marks: list[str] = []
    play(Numbers, {"anew": anew}, [("next", {"n": 2}), ("next", {"n": 1}), ("next", {"n": 0})], marks=marks)
    assert marks == ["", mark, "", "", mark, ""]
