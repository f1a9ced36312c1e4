"""What an object keeps between its operations is counted, and what its methods return and drop is not."""

import numpy as np
import pytest
import torch

from autograder.runner.observe import observe

PUT = ("put", {"x": np.ones(1000, np.float32)})  # 4000 bytes


class Keeps:
    def __init__(self):
        self.kept = []

    def put(self, x):
        self.kept.append(x.clone())
        return x.clone()


class KeepsOne(Keeps):
    def put(self, x):
        self.kept = [x.clone()]
        return 2 * torch.stack(self.kept + self.kept).sum(dim=0)


class KeepsForAWhile(Keeps):
    def put(self, x):
        self.kept = [] if len(self.kept) == 3 else [*self.kept, x.clone()]
        return x.clone()


@pytest.mark.parametrize("once", [True, False], ids=["alone", "in turns with another"])
@pytest.mark.parametrize(("kind", "held"), [(Keeps, 5), (KeepsOne, 1), (KeepsForAWhile, 3)])
def test_what_an_object_keeps(kind, held, once):
    seen = observe(kind, {"init": {}, "steps": [PUT] * 5, "errors": ()}, "torch", once=once)
    assert seen.failure is None
    assert seen.counts["held_bytes"] == held * 4000
    assert seen.counts["floats_held"] == held * 4000
    assert seen.counts["peak_bytes"] > held * 4000


class WritesInPlace(Keeps):
    def put(self, x):
        self.kept = self.kept or [torch.zeros(1000)]
        self.kept[0].copy_(x)


class WritesTheFirstHalfInPlace(Keeps):
    def __init__(self):
        self.kept = [torch.zeros(1000)]
        self.half = torch.arange(500)

    def put(self, x):
        self.kept[0].index_copy_(0, self.half, x[:500])


@pytest.mark.parametrize("once", [True, False], ids=["alone", "in turns with another"])
@pytest.mark.parametrize(("kind", "made"), [(Keeps, 10), (WritesInPlace, 1 + 4), (WritesTheFirstHalfInPlace, 1 + 2)])
def test_what_an_object_allocates_and_writes_over_in_all_its_operations(kind, made, once):
    """What is written into memory in the step that allocates it, or in the first one, is not written over."""
    seen = observe(kind, {"init": {}, "steps": [PUT] * 5, "errors": ()}, "torch", once=once)
    assert seen.counts["floats_made"] == made * 4000


PUTS = {  # what writes one number to places: how many places, of 1000
    "rows": (lambda x, places: x.view(20, 50).__setitem__(places[:4], 0), 200),
    "rows and a column": (lambda x, places: x.view(20, 50).__setitem__((places[:4], 3), 0), 4),
    "a column's places": (lambda x, places: x.view(20, 50).__setitem__((slice(None), places[:4]), 0), 80),
    "pairs": (lambda x, places: x.view(20, 50).__setitem__((places[:4, None], places[:3]), 0), 12),
    "a mask": (lambda x, places: x.index_put_([torch.arange(1000) < 30], torch.zeros(())), 30),
    "a mask of rows": (lambda x, places: x.view(20, 50).index_put_([torch.arange(20) < 3], torch.zeros(())), 150),
    "scattered": (lambda x, places: x.scatter_(0, places, 0), 10),
    "numbers for all": (lambda x, places: x.index_put_([places], torch.ones(10)), 10),
}


@pytest.mark.parametrize("way", PUTS)
def test_one_number_that_is_written_to_many_places_counts_as_often(way):
    put, places = PUTS[way]

    class Writes(Keeps):
        def put(self, x):
            self.kept = self.kept or [torch.zeros(1000)]
            put(self.kept[0], torch.arange(10))

    seen = observe(Writes, {"init": {}, "steps": [PUT] * 3, "errors": ()}, "torch", once=True)
    beside = {"a mask": 2, "a mask of rows": 2, "numbers for all": 3 * 10}.get(way, 0)
    assert 0 <= seen.counts["floats_made"] / 4 - 1000 - 2 * places <= beside + 3


class KeepsPlaces(Keeps):
    def put(self, x):
        self.kept = [x.clone(), torch.arange(500)]
        return x.clone()


def test_whole_numbers_are_held_apart_from_others():
    seen = observe(KeepsPlaces, {"init": {}, "steps": [PUT] * 2, "errors": ()}, "torch")
    assert (seen.counts["held_bytes"], seen.counts["floats_held"]) == (8000, 4000)


class ReturnsOneMemory(Keeps):
    room = torch.empty(1000)

    def put(self, x):
        return self.room.copy_(x)


@pytest.mark.parametrize(("kind", "mark"), [(ReturnsOneMemory, "r"), (KeepsOne, "")])
def test_what_two_objects_return_lies_in_memory_of_their_own(kind, mark):
    seen = observe(kind, {"init": {}, "steps": [PUT], "errors": ()}, "torch")
    assert seen.shared == ["", mark]


class Tables:
    def __init__(self):
        self.tables = {7: [3, 1]}


def test_what_an_attribute_holds_under_a_key_is_looked_at():
    arguments = {"init": {}, "steps": [(".tables", {"sequence": 7})], "errors": ()}
    seen = observe(Tables, arguments, "torch")
    assert [output.tolist() for output in seen.outputs] == [1, [3, 1]]


class HasOneEmptyList:
    def __init__(self):
        self.nothing = []

    def take(self, n):
        return [*range(n)] or self.nothing


class MakesEmptyLists(HasOneEmptyList):
    def take(self, n):
        return [*range(n)]


@pytest.mark.parametrize(("kind", "marks"), [(HasOneEmptyList, ["e"]), (MakesEmptyLists, [])])
def test_an_empty_list_is_a_new_one_each_time(kind, marks):
    steps = [("take", {"n": n}) for n in (0, 1, 0)]
    seen = observe(kind, {"init": {}, "steps": steps, "errors": ()}, "torch", once=True)
    assert [mark for mark in seen.shared if mark] == marks
